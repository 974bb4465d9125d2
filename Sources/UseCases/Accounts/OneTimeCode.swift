import ChatCore
import Crypto

/// Random codes of links and cookies, which are written as ``Base64URL``.
enum OneTimeCode {
    /// Returns the bytes of a new code.
    static func random() -> [UInt8] { randomBytes(32) }

    /// Returns the hash that the store keeps of a code.
    static func digest(_ bytes: some Collection<UInt8>) -> [UInt8] { Array(SHA256.hash(data: Array(bytes))) }
}
