import ChatCore
import Foundation

extension Data {
    /// Reads base64url (RFC 4648, section 5) with or without padding, and plain base64; nil for any other text.
    ///
    /// Some client libraries write plain base64.
    init?(base64URL text: String) {
        let characters = text.utf8.filter { $0 != UInt8(ascii: "=") }
        var plain = String(decoding: characters, as: UTF8.self)
            .replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        plain += String(repeating: "=", count: (4 - characters.count % 4) % 4)
        self.init(base64Encoded: plain)
    }

    /// The bytes in base64url without padding.
    var base64URL: String { Base64URL.encode(self) }

    /// The bytes in lower-case hexadecimal.
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
