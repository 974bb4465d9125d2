import Crypto
import Foundation

/// A hash that is the same on every run and machine: the first 64 bits of SHA-256.
enum TextDigest {
    /// Returns 16 hexadecimal digits.
    static func text(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }
}
