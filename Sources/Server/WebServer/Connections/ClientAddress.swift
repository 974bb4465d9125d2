package import ChatCore
import HTTPTypes
package import Hummingbird

/// Decides which network address a request came from: limits and shares are counted by it.
package struct ClientAddress: Sendable {
    /// The proxies whose word is taken.
    private let proxies: [IPNetwork]

    package init(proxies: [IPNetwork]) {
        self.proxies = proxies
    }

    /// Whether any proxy is configured; then clients on this machine are counted as others.
    package var knowsProxies: Bool { !proxies.isEmpty }

    /// Whether the connections of an address are of many clients: those of a proxy, and those of this machine while no
    /// proxy is configured.
    package func isShared(_ address: String?) -> Bool {
        guard let address = Self.read(address) else { return false }
        return knowsProxies ? isProxy(address) : address.isLoopback
    }

    /// Returns what a request is counted by; nil for a client on this machine that may be a proxy.
    package func share(of request: Request, peer: String?) -> String? {
        let client = client(peer: peer, forwarded: request.headers.values(of: "x-forwarded-for"))
        return Self.limited(client, countsThisMachine: knowsProxies)
    }

    /// Returns the address of the client.
    ///
    /// Each proxy adds the address that it saw to the end of `X-Forwarded-For`. So the last one that is not of a proxy
    /// counts; everything before it was written by the client.
    ///
    /// - Parameters:
    ///   - peer: The address at the other end of the connection.
    ///   - fields: The values of `X-Forwarded-For`, in order.
    /// - Returns: The address without a zone; `peer` if it is not of a proxy, or the proxy names nobody.
    package func client(peer: String?, forwarded fields: [String]) -> String? {
        guard let address = Self.read(peer) else { return peer }
        guard isProxy(address) else { return address.description }
        var found = address
        for part in fields.flatMap({ $0.split(separator: ",") }).reversed() {
            guard let named = Self.read(Self.host(String(part))) else { break }
            found = named
            guard isProxy(named) else { break }
        }
        return found.description
    }

    /// Returns what an address shares a limit with; nil for addresses of this machine, which may be of a proxy, unless
    /// they are counted.
    ///
    /// A network of IPv6 (/64) is one: its owner chooses among 2^64 addresses.
    package static func limited(_ text: String?, countsThisMachine: Bool = false) -> String? {
        guard let text, let address = IPAddress(String(text.prefix { $0 != "%" })) else { return text }
        guard countsThisMachine || !address.isLoopback else { return nil }
        let shown = address.embedded ?? address
        guard shown.bytes.count == 16,
            let network = IPAddress(bytes: shown.bytes.prefix(8) + [UInt8](repeating: 0, count: 8))
        else { return shown.description }
        return "\(network)/64"
    }

    private func isProxy(_ address: IPAddress) -> Bool { proxies.contains { $0.contains(address) } }

    private static func read(_ text: String?) -> IPAddress? {
        text.flatMap { IPAddress(String($0.prefix { $0 != "%" })) }?.unmapped
    }

    /// Returns an address without the port that some proxies add.
    private static func host(_ text: String) -> String {
        let text = text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        return text.count { $0 == ":" } == 1 ? String(text.prefix { $0 != ":" }) : text
    }
}
