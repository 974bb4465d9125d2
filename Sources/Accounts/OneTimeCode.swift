import Crypto
import Foundation

/// Random codes as they are written in links and cookies: base64 with the alphabet of URLs, without padding.
enum OneTimeCode {
    /// The bits of a code that cannot be guessed.
    static let byteCount = 32

    /// Returns the bytes of a new code.
    static func random() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<byteCount).map { _ in .random(in: 0...255, using: &generator) }
    }

    /// Returns the text of bytes.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    /// Returns the bytes of a text; nil if it is not one that ``text(_:)`` makes.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let padded = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        guard let data = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)),
            Self.text(data) == text
        else { return nil }
        return Array(data)
    }

    /// Returns the hash that the store keeps of a code.
    static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }
}
