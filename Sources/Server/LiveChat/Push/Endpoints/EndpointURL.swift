import ChatCore

/// The parts of a URL that decide where a request goes.
///
/// Stricter than RFC 3986: two readers of an unusual URL may disagree about its host, and a check that reads another
/// host than the transport is no check.
struct EndpointURL: Equatable {
    /// `https` or `http`.
    let scheme: String
    /// Lower case, without brackets.
    let host: String
    let port: Int
    let hasUserInfo: Bool
    /// Whether the host is an IP address, in whichever spelling a C library would take.
    let isAddress: Bool

    /// Scheme, host, and port if it is not the scheme's own: the `aud` of RFC 8292.
    var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(name)" + (port == Self.port(of: scheme) ? "" : ":\(port)")
    }

    /// Takes a URL apart; nil if it has another scheme than `http` and `https`, a fragment, a character that URLs do
    /// not have, or a host that is neither a name nor an address.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"#<>\\^`{|}".utf8.contains($0) }
        guard isPlain, let mark = text.firstRange(of: "://") else { return nil }
        scheme = text[..<mark.lowerBound].lowercased()
        guard let ownPort = Self.port(of: scheme) else { return nil }
        var authority = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        hasUserInfo = authority.contains("@")
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        guard let (name, portText) = Self.split(authority) else { return nil }
        host = name.lowercased()
        if name.contains(":") {
            guard IPAddress(host) != nil else { return nil }
            isAddress = true
        } else {
            guard Self.isName(host) else { return nil }
            isAddress = Self.endsInNumber(host)
        }
        guard let portText else {
            port = ownPort
            return
        }
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(portText), number > 0
        else { return nil }
        port = Int(number)
    }

    private static func port(of scheme: String) -> Int? { ["https": 443, "http": 80][scheme] }

    /// Returns host and port of an authority; nil if brackets do not match.
    private static func split(_ authority: Substring) -> (Substring, Substring?)? {
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.first == ":" else { return nil }
            let host = authority[authority.index(after: authority.startIndex)..<end]
            return host.contains(":") ? (host, rest.isEmpty ? nil : rest.dropFirst()) : nil
        }
        guard let colon = authority.firstIndex(of: ":") else { return (authority, nil) }
        let port = authority[authority.index(after: colon)...]
        return port.contains(":") ? nil : (authority[..<colon], port)
    }

    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
                    }
            }
    }

    /// Whether the last label is a number: such a host is an IPv4 address, as in `127.1`, `0x7f000001` and
    /// `2130706433`.
    private static func endsInNumber(_ host: String) -> Bool {
        guard let label = host.split(separator: ".").last else { return false }
        if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return label.hasPrefix("0x") && label.dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
