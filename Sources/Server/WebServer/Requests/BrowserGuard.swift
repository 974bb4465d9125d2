import ChatCore
import Foundation
import HTTPTypes
package import Hummingbird

/// Refuses requests that a web page of another site makes a browser send: under a foreign name of this server (DNS
/// rebinding), or with a foreign `Origin`.
///
/// Requests over the local socket do not pass here: no browser reaches it.
package struct BrowserGuard: Sendable {
    /// The accepted names of the server, besides addresses; nil for any.
    private let names: Set<String>?
    private let crossOrigin: CrossOrigin
    /// The origin of the address that people use, if it is configured.
    private let publicOrigin: String?

    /// - Parameters:
    ///   - host: The address that the server listens on.
    ///   - hosts: The names by which clients may call it, besides `host`, localhost and addresses.
    ///   - publicURL: The address that people use; nil if it is the address of the request.
    ///   - identifiesCallers: Whether callers are identified: then a page of another site has no token, so any name is
    ///     accepted unless names are configured.
    ///   - crossOrigin: The rule for pages of other origins.
    package init(host: String, hosts: [String], publicURL: String?, identifiesCallers: Bool, crossOrigin: CrossOrigin) {
        self.crossOrigin = crossOrigin
        publicOrigin = publicURL
        let isStrict = !identifiesCallers || !hosts.isEmpty
        let publicHost = publicURL.flatMap { Authority(origin: $0)?.host }
        let known = [host] + hosts + (publicHost.map { [$0] } ?? [])
        names = isStrict ? Set(known.map { $0.lowercased() }) : nil
    }

    /// Returns the reason to refuse a request; nil if it may be answered.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isStream: Whether it came over HTTP/2, where `Host` is allowed beside `:authority` if both are the same.
    /// - Returns: The fault to answer with.
    package func fault(of request: Request, isStream: Bool) -> RequestFault? {
        guard let authority = Self.authority(of: request, isStream: isStream) else { return .hostRequired }
        if let names, !authority.isLoopback, !authority.isAddress, !names.contains(authority.host) {
            return .hostForbidden
        }
        return isForeign(request, to: authority) ? .originForbidden : nil
    }

    /// Returns why a page may not open a socket; nil if it may, and for programs that are no browsers.
    ///
    /// Browsers let a page read any socket that it can open, so pages of this machine must be listed like all others.
    package func socketFault(of request: Request) -> RequestFault? {
        guard let authority = Self.authority(of: request, isStream: false) else { return .hostRequired }
        return isForeign(request, to: authority, takesLocalPages: false) ? .originForbidden : nil
    }

    /// Returns why a page may not use a cookie, or act for an administrator; nil if it may, and for programs that are no
    /// browsers.
    ///
    /// Only the page that this server serves may: neither listed origins nor other pages of this machine.
    package func pageFault(of request: Request, isStream: Bool) -> RequestFault? {
        guard let authority = Self.authority(of: request, isStream: isStream) else { return .hostRequired }
        let sites = request.headers.values(of: "sec-fetch-site")
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { return .originForbidden }
        return isForeign(request, to: authority, takesLocalPages: false, takesListed: false) ? .originForbidden : nil
    }

    /// Whether the page that sent the request is of another site and not listed.
    ///
    /// Programs other than browsers send no origin. Pages of this machine may call a server that is called by a
    /// loopback name: the browser does not let them read the answer, nor send JSON, unless they are listed.
    private func isForeign(
        _ request: Request, to authority: Authority, takesLocalPages: Bool = true, takesListed: Bool = true
    ) -> Bool {
        let origins = request.headers.values(of: "origin")
        guard let text = origins.first else { return false }
        guard origins.count == 1 else { return true }
        if text == publicOrigin { return false }
        if takesListed, crossOrigin.allowed(request) != nil { return false }
        guard let origin = Authority(origin: text) else { return true }
        if origin.host == authority.host, origin.hasSamePort(as: authority) { return false }
        return !(takesLocalPages && origin.isLoopback && authority.isLoopback)
    }

    /// Returns the one authority that a request names; nil for none, for two, and for one that cannot be read.
    package static func authority(of request: Request, isStream: Bool) -> Authority? {
        // The first field `Host` of HTTP/1.1 arrives as the authority.
        let hosts = request.headers.values(of: "host")
        guard let first = request.head.authority ?? hosts.first, isStream || hosts.isEmpty,
            hosts.allSatisfy({ $0.lowercased() == first.lowercased() })
        else { return nil }
        return Authority(first)
    }
}

/// A host with its port, as `Host`, `:authority` and `Origin` name it.
package struct Authority: Hashable, Sendable {
    /// In lower case, without the brackets of an IPv6 address and without a dot at its end.
    package let host: String
    /// Whether the host is an IP address.
    package let isAddress: Bool
    /// Nil for the scheme's default.
    package let port: Int?

    /// Reads `chat.example.com`, `127.0.0.1:8080`, `[::1]:8080`; nil for anything else.
    package init?(_ text: String) {
        let text = text.lowercased()
        var name = Substring(text)
        var rest = Substring()
        let isBracketed = text.hasPrefix("[")
        if isBracketed {
            guard let end = text.firstIndex(of: "]") else { return nil }
            name = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":") {
            name = text[..<colon]
            rest = text[colon...]
        }
        if name.hasSuffix("."), !isBracketed { name = name.dropLast() }
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.allSatisfy({ $0.isASCII && $0.isNumber }), let number = UInt16(digits)
            else { return nil }
            port = Int(number)
        }
        host = String(name)
        let isSix = Self.isAddress(host, AF_INET6)
        isAddress = isSix || Self.isAddress(host, AF_INET)
        guard isBracketed ? isSix : Self.isName(name) else { return nil }
    }

    /// Reads the origin of a page, `https://chat.example.com:8443`; nil for `null` and anything else.
    package init?(origin text: String) {
        guard let end = text.range(of: "://"), let standard = Self.ports[text[..<end.lowerBound].lowercased()],
            let authority = Authority(String(text[end.upperBound...]))
        else { return nil }
        host = authority.host
        isAddress = authority.isAddress
        port = authority.port ?? standard
    }

    private static let ports = ["http": 80, "https": 443]

    /// As it is written in an address.
    package var text: String { (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "") }

    /// Whether it means this machine.
    package var isLoopback: Bool {
        host == "localhost" || (isAddress && (host == "::1" || (host.hasPrefix("127.") && !host.contains(":"))))
    }

    /// Whether an origin, whose port is always known, has the port of a request's authority: an authority without a
    /// port has the port of its scheme, which a server behind a proxy does not know.
    package func hasSamePort(as authority: Authority) -> Bool {
        guard let port = authority.port else { return Self.ports.values.contains { $0 == self.port } }
        return port == self.port
    }

    /// Whether a text may be the name or the address of a host, without a port.
    package static func isHost(_ text: String) -> Bool {
        guard let authority = Authority(text.contains(":") ? "[\(text)]" : text) else { return false }
        return authority.port == nil && !text.hasPrefix("[") && !text.hasSuffix(".")
    }

    private static func isName(_ text: Substring) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            }
    }

    private static func isAddress(_ text: String, _ family: Int32) -> Bool {
        var bytes = in6_addr()
        return inet_pton(family, text, &bytes) == 1
    }
}
