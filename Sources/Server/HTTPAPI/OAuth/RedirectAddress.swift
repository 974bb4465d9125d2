import Foundation
import WebServer

/// An address to which a program lets a browser return after the person decided.
///
/// It is `https`, `http` on the person's machine, or of a scheme that the machine gives to a known program (RFC 8252,
/// section 7.1). Others are not taken: anybody on the way could read the code, and an address such as `javascript:`
/// would run in the page.
struct RedirectAddress: Hashable, Sendable {
    /// The longest address that is taken, in bytes.
    static let byteLimit = 1_000
    /// The schemes of programs that register themselves with one.
    ///
    /// There is no rule that tells them from schemes that start something else on the machine.
    private static let programSchemes: Set<Substring> = [
        "cursor", "jetbrains", "vscode", "vscode-insiders", "windsurf",
    ]

    let text: String
    /// The host with its port, for people.
    let host: String
    /// Whether a program on the person's machine takes the browser back.
    let isLocal: Bool
    /// Whether that program listens on a port.
    private let isLoopback: Bool
    /// The address without its port.
    private let portless: String

    /// Reads an address; nil for one that is not taken.
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit, text.utf8.allSatisfy(Self.isPlain),
            let mark = text.range(of: "://")
        else { return nil }
        let scheme = text[..<mark.lowerBound]
        let place = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let authority = Authority(String(place)), !authority.host.isEmpty else { return nil }
        isLoopback = scheme == "http" && authority.isLoopback
        let isOfProgram = Self.programSchemes.contains(scheme)
        guard scheme == "https" || isLoopback || isOfProgram else { return nil }
        isLocal = isLoopback || isOfProgram
        self.text = text
        host = isOfProgram ? "\(scheme)://\(authority.text)" : authority.text
        let path = text[place.endIndex...]
        portless = authority.host + (path.isEmpty ? "/" : path)
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
