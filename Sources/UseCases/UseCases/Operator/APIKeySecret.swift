package import ChatCore
import Crypto
import Foundation

/// An API key in the form that its owner uses: `nxk_`, the id, `_`, a secret of 256 bits, both in hexadecimal.
package struct APIKeySecret: Sendable, Equatable, MaskedDescription {
    private static let prefix = "nxk_"
    private static let idByteCount = 8
    private static let secretByteCount = 32

    /// The key's id.
    package let id: APIKey.ID
    private let secret: [UInt8]

    /// Makes a new key.
    ///
    /// - Parameter generator: The source of its bits; must be cryptographically secure.
    package init(using generator: inout some RandomNumberGenerator) {
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255, using: &generator) } }
        id = APIKey.ID(rawValue: Self.hexadecimal(bytes(Self.idByteCount)))
        secret = bytes(Self.secretByteCount)
    }

    /// Parses a key; nil if the text is not a key.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), parts.count == 3, let id = Self.bytes(parts[1], count: Self.idByteCount),
            let secret = Self.bytes(parts[2], count: Self.secretByteCount)
        else { return nil }
        self.id = APIKey.ID(rawValue: Self.hexadecimal(id))
        self.secret = secret
    }

    /// Whether a bearer token is meant to be a key.
    package static func isKey(_ text: some StringProtocol) -> Bool { text.hasPrefix(prefix) }

    /// The full key, which its owner gets once.
    package var text: String { Self.prefix + id.rawValue + "_" + Self.hexadecimal(secret) }

    /// The hash that the store keeps.
    package var digest: [UInt8] { Array(SHA256.hash(data: secret)) }

    /// Compares with the stored hash; the duration does not depend on the first difference.
    package func isSame(as stored: [UInt8]) -> Bool { isSameSecret(digest, stored) }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func bytes(_ text: some StringProtocol, count: Int) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * count else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digit(digits[index]), let low = digit(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
