package import Crypto
package import Foundation

/// Encryption of a message for one browser: RFC 8291 with the content encoding `aes128gcm` of RFC 8188, one record.
package struct WebPushEncryption {
    /// The most bytes of a body: browsers must accept 4,096, but Firefox on Android refused 4,078.
    static let bodyByteLimit = 3_072
    /// The bytes that a body has beside the content: header, delimiter of the padding, tag.
    static let overheadByteCount = 86 + 1 + 16
    /// The most bytes of the content.
    package static let contentByteLimit = bodyByteLimit - overheadByteCount
    /// Bodies have a multiple of this length, so that it says little about the text.
    private static let step = 1_024
    private static let recordSize: UInt32 = 4_096

    private let salt: Data
    private let key: P256.KeyAgreement.PrivateKey

    /// Takes the values that are used once; only tests give them.
    package init(salt: Data? = nil, key: P256.KeyAgreement.PrivateKey = P256.KeyAgreement.PrivateKey()) {
        self.salt = salt ?? SymmetricKey(size: .bits128).withUnsafeBytes { Data($0) }
        self.key = key
    }

    /// Returns how many zeros a content is padded with.
    package static func paddingByteCount(for contentByteCount: Int) -> Int {
        let rest = (contentByteCount + overheadByteCount) % step
        return rest == 0 ? 0 : step - rest
    }

    /// Returns the encrypted body.
    ///
    /// - Parameters:
    ///   - content: The message.
    ///   - paddingByteCount: How many zeros follow it.
    ///   - receiver: The browser's public key.
    ///   - secret: The browser's authentication secret.
    /// - Returns: Header and one record.
    /// - Throws: The errors of the key agreement.
    /// - Precondition: Content and padding fit into one record.
    package func body(
        of content: Data, paddingByteCount: Int = 0, for receiver: P256.KeyAgreement.PublicKey, secret: Data
    ) throws -> Data {
        let plaintext = content + [2] + Data(count: paddingByteCount)
        precondition(plaintext.count + 16 <= Int(Self.recordSize), "a push message is one record")
        let sender = key.publicKey.x963Representation
        let input = try key.sharedSecretFromKeyAgreement(with: receiver).hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Data("WebPush: info\0".utf8) + receiver.x963Representation + sender, outputByteCount: 32)
        let contentKey = derived(from: input, "Content-Encoding: aes128gcm\0", byteCount: 16)
        let nonce = derived(from: input, "Content-Encoding: nonce\0", byteCount: 12).withUnsafeBytes { Data($0) }
        let box = try AES.GCM.seal(plaintext, using: contentKey, nonce: AES.GCM.Nonce(data: nonce))
        let size = withUnsafeBytes(of: Self.recordSize.bigEndian) { Data($0) }
        return salt + size + [UInt8(sender.count)] + sender + box.ciphertext + box.tag
    }

    private func derived(from input: SymmetricKey, _ info: String, byteCount: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: input, salt: salt, info: Data(info.utf8), outputByteCount: byteCount)
    }
}
