import Foundation
import WebServer

/// An address to which a program lets a browser return after the person decided.
///
/// It is `https`, or `http` on the person's machine. Others are not taken: anybody on the way could read the code, and
/// an address such as `javascript:` would run in the page.
struct RedirectAddress: Hashable, Sendable {
    /// The longest address that is taken, in bytes.
    static let byteLimit = 1_000

    let text: String
    /// The host with its port, for people.
    let host: String
    /// Whether a program on the person's machine takes the browser back.
    let isLoopback: Bool
    /// The address without its port.
    private let portless: String

    /// Reads an address; nil for one that is not taken.
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy(Self.isPlain),
            let end = text.range(of: "://")?.upperBound
        else { return nil }
        let place = text[end...].prefix { $0 != "/" && $0 != "?" }
        guard let authority = Authority(String(place)), !authority.host.isEmpty else { return nil }
        switch text[..<end] {
        case "https://": isLoopback = false
        case "http://" where authority.isLoopback: isLoopback = true
        default: return nil
        }
        self.text = text
        host = authority.text
        portless = authority.host + text[place.endIndex...]
    }

    /// Whether it is the registered address; programs on the person's machine may listen on any port (RFC 8252, section
    /// 7.3).
    func isSame(as registered: RedirectAddress) -> Bool {
        text == registered.text || (isLoopback && registered.isLoopback && portless == registered.portless)
    }

    /// Returns the address with more parameters.
    func adding(_ fields: [(String, String)]) -> String {
        text + (text.contains("?") ? "&" : "?") + Form.encode(fields)
    }

    /// Whether a byte may be in an address; a fragment may not, and browsers read a backslash as a slash.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }
}
