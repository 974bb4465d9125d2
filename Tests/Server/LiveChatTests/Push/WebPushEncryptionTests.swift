import Crypto
import Foundation
import LiveChat
import Testing

struct WebPushEncryptionTests {
    private static func receiver() throws -> P256.KeyAgreement.PrivateKey {
        try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Vector.receiverPrivate))
    }

    /// The browser's side, written from RFC 8188 and 8291 without the code under test.
    static func opened(_ body: Data, by receiver: P256.KeyAgreement.PrivateKey, secret: Data) throws -> Data {
        let body = Data(body)
        let salt = body[0..<16]
        let keyByteCount = Int(body[20])
        let sender = body[21..<21 + keyByteCount]
        let record = Data(body[(21 + keyByteCount)...])
        func expand(_ key: SymmetricKey, _ info: Data, _ count: Int) -> Data {
            Data(HMAC<SHA256>.authenticationCode(for: info + [1], using: key)).prefix(count)
        }
        let shared = try receiver.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender)
        ).withUnsafeBytes { Data($0) }
        let combined = Data(HMAC<SHA256>.authenticationCode(for: shared, using: SymmetricKey(data: secret)))
        let info = Data("WebPush: info\0".utf8) + receiver.publicKey.x963Representation + sender
        let input = expand(SymmetricKey(data: combined), info, 32)
        let random = SymmetricKey(
            data: Data(HMAC<SHA256>.authenticationCode(for: input, using: SymmetricKey(data: salt))))
        let key = expand(random, Data("Content-Encoding: aes128gcm\0".utf8), 16)
        let nonce = expand(random, Data("Content-Encoding: nonce\0".utf8), 12)
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
        var content = try AES.GCM.open(box, using: SymmetricKey(data: key))
        while content.last == 0 { content.removeLast() }
        #expect(content.popLast() == 2)
        return content
    }

    @Test func writesTheMessageOfAppendixA() throws {
        let encryption = WebPushEncryption(
            salt: bytes(Vector.salt), key: try .init(rawRepresentation: bytes(Vector.senderPrivate)))

        let body = try encryption.body(
            of: Data("When I grow up, I want to be a watermelon".utf8),
            for: .init(x963Representation: bytes(Vector.receiverPublic)), secret: bytes(Vector.secret))

        #expect(body.count == 144)
        #expect(base64URL(body) == Vector.body)
    }

    @Test(arguments: [0, 1, 41, 920, 921, 922, 1_945, WebPushEncryption.contentByteLimit])
    func receiversReadTheMessage(byteCount: Int) throws {
        let content = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 % 251 + 1) })
        let receiver = try Self.receiver()

        let body = try WebPushEncryption().body(
            of: content, paddingByteCount: WebPushEncryption.paddingByteCount(for: byteCount), for: receiver.publicKey,
            secret: bytes(Vector.secret))

        #expect(body.count % 1_024 == 0 && body.count <= 3_072)
        #expect(try Self.opened(body, by: receiver, secret: bytes(Vector.secret)) == content)
    }

    @Test func everyMessageHasItsOwnSaltAndKey() throws {
        let receiver = try Self.receiver()
        let bodies = try (0..<2).map { _ in
            try WebPushEncryption().body(of: Data("a".utf8), for: receiver.publicKey, secret: bytes(Vector.secret))
        }

        #expect(bodies[0].prefix(16) != bodies[1].prefix(16))
        #expect(bodies[0][21..<86] != bodies[1][21..<86])
    }
}
