package import ChatCore

/// Which URLs of devices the server may call, so that nobody can make it call services inside its network (SSRF).
///
/// A URL has to use https without user info, on an allowed port, at an allowed host that is a name, and all addresses
/// of the name have to be public.
package struct PushEndpointRules: Sendable {
    /// Returns the addresses of a name.
    package typealias Resolver = @Sendable (String) async throws -> [IPAddress]

    /// The hosts of the browsers' push services: Google, Mozilla, Apple, Microsoft.
    package static let browserServices: Set<String> = [
        "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
    ]

    /// Names of hosts; `*.name` allows all names below, `*` all.
    package var hosts: Set<String>
    /// The allowed ports.
    package var ports: Set<Int>
    /// Whether `localhost`, `127.0.0.1` and `[::1]` are allowed too, with http and any port; for development.
    package var allowsLoopback: Bool

    package init(
        hosts: Set<String> = PushEndpointRules.browserServices, ports: Set<Int> = [443], allowsLoopback: Bool = false
    ) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.ports = ports
        self.allowsLoopback = allowsLoopback
    }

    /// Returns the rule that a URL breaks, before any name is resolved; nil when it breaks none.
    ///
    /// For a registration: the device's owner learns what is wrong.
    package func fault(of url: String) -> PushEndpointFault? {
        guard let endpoint = EndpointURL(url) else { return .notAURL }
        if endpoint.hasUserInfo { return .userInfo }
        if allowsLoopback, Self.isLoopback(endpoint) { return nil }
        if endpoint.scheme != "https" { return .notHTTPS }
        if endpoint.isAddress { return .addressLiteral }
        if !ports.contains(endpoint.port) { return .port(endpoint.port) }
        return allows(endpoint.host) ? nil : .unknownHost
    }

    /// Returns the addresses at which a URL may be called.
    ///
    /// Connect to these and to no others: a second resolution could give other addresses.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - resolve: Finds the addresses of its host.
    /// - Returns: At least one address.
    /// - Throws: ``PushEndpointFault``, and the errors of `resolve`.
    package func addresses(of url: String, resolve: Resolver) async throws -> [IPAddress] {
        if let fault = fault(of: url) { throw fault }
        guard let endpoint = EndpointURL(url) else { throw PushEndpointFault.notAURL }
        let literal = IPAddress(endpoint.host)
        let addresses = if let literal { [literal] } else { try await resolve(endpoint.host) }
        guard !addresses.isEmpty else { throw PushEndpointFault.unresolved }
        let mayBeLoopback = allowsLoopback && Self.isLoopback(endpoint)
        let isSafe = addresses.allSatisfy { mayBeLoopback ? $0.isLoopback : $0.isPublic }
        guard isSafe else { throw PushEndpointFault.notPublic }
        return addresses
    }

    private static func isLoopback(_ endpoint: EndpointURL) -> Bool {
        ["localhost", "127.0.0.1", "::1"].contains(endpoint.host)
    }

    private func allows(_ host: String) -> Bool {
        if hosts.contains(host) || hosts.contains("*") { return true }
        return hosts.contains {
            $0.hasPrefix("*.") && host.hasSuffix($0.dropFirst()) && host.utf8.count >= $0.utf8.count
        }
    }
}

/// Why the server does not call a URL; never has the URL, which gives access to a device.
package enum PushEndpointFault: Error, Hashable, Sendable {
    /// Not an absolute URL with a plain host.
    case notAURL
    /// A scheme other than https.
    case notHTTPS
    /// A user or password before the host.
    case userInfo
    /// A port that is not allowed.
    case port(Int)
    /// An IP address instead of a name.
    case addressLiteral
    /// A host that is not allowed.
    case unknownHost
    /// The host has no address at present.
    case unresolved
    /// An address of the host is not public.
    case notPublic

    /// The rule for a client.
    package var reason: String {
        switch self {
        case .notAURL: "must be an absolute https URL of plain ASCII, without fragment"
        case .notHTTPS: "must use https"
        case .userInfo: "must not have a user or password"
        case .port(let port): "must not use port \(port)"
        case .addressLiteral: "must have a host name instead of an IP address"
        case .unknownHost: "must be at a push service that this server knows; the operator can add hosts"
        case .unresolved: "must have a host that can be resolved"
        case .notPublic: "must be at a public address"
        }
    }
}
