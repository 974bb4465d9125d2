import ChatCore
import Crypto
import CryptoExtras
import Foundation
import LiveChat
import Testing

struct PushCredentialsTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_999)

    private struct Token {
        let header: [String: Any]
        let claims: [String: Any]
        let content: Data
        let signature: Data

        init(_ text: String) throws {
            let parts = text.split(separator: ".").map(String.init)
            try #require(parts.count == 3)
            header = try object(bytes(parts[0]))
            claims = try object(bytes(parts[1]))
            content = Data("\(parts[0]).\(parts[1])".utf8)
            signature = bytes(parts[2])
        }
    }

    private static func isSigned(_ token: Token, by key: P256.Signing.PublicKey) throws -> Bool {
        key.isValidSignature(try .init(rawRepresentation: token.signature), for: token.content)
    }

    @Test func browsersGetATokenForTheirOrigin() throws {
        let token = try Token(Sample.vapid().token(for: "https://push.example", at: Self.now))

        #expect(try Self.isSigned(token, by: Sample.vapidKey.publicKey))
        #expect(token.header as? [String: String] == ["alg": "ES256", "typ": "JWT"])
        #expect(token.claims["aud"] as? String == "https://push.example")
        #expect(token.claims["sub"] as? String == "mailto:ops@example.org")
        #expect(token.claims["exp"] as? Int == 1_700_000_000 + 12 * 3_600)
        #expect(token.claims.count == 3)
    }

    @Test func vapidKeysAreTakenInBothForms() throws {
        let fromPEM = try VAPIDCredentials(
            privateKey: Sample.vapidKey.pemRepresentation + "\n", subject: "https://example.org")

        #expect(try fromPEM.publicKey == Sample.vapid().publicKey)
        #expect(bytes(fromPEM.publicKey) == Sample.vapidKey.publicKey.x963Representation)
    }

    @Test(arguments: [
        ("", "mailto:a@b.example", PushSettingsError.vapidKey), ("AAAA", "mailto:a@b.example", .vapidKey),
        ("-----BEGIN PRIVATE KEY-----", "mailto:a@b.example", .vapidKey), (Vector.senderPrivate, "", .vapidSubject),
        (Vector.senderPrivate, "mailto:", .vapidSubject), (Vector.senderPrivate, "http://a.example", .vapidSubject),
        (Vector.senderPrivate, "mailto:a b", .vapidSubject),
    ])
    func refusesVAPIDCredentials(key: String, subject: String, error: PushSettingsError) {
        #expect(throws: error) { try VAPIDCredentials(privateKey: key, subject: subject) }
    }

    @Test func appleGetsAToken() throws {
        let token = try Token(Sample.apnsCredentials().token(at: Self.now))

        #expect(try Self.isSigned(token, by: Sample.apnsKey.publicKey))
        #expect(token.header as? [String: String] == ["alg": "ES256", "kid": "ABC123DEFG", "typ": "JWT"])
        #expect(token.claims["iss"] as? String == "DEF123GHIJ")
        #expect(token.claims["iat"] as? Int == 1_700_000_000)
        #expect(token.claims.count == 2)
    }

    @Test func refusesAPNsCredentials() {
        #expect(throws: PushSettingsError.apnsKey) {
            try APNsCredentials(privateKey: "no key", keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
        }
        for id in ["", "ABC123DEF", "ABC123DEF/", "ABC123DEFGH"] {
            #expect(throws: PushSettingsError.apnsIdentifier) {
                try APNsCredentials(privateKey: Sample.apnsKey.pemRepresentation, keyID: id, teamID: "DEF123GHIJ")
            }
        }
    }

    @Test func googleGetsAnAssertion() throws {
        let request = try FCMCredentials(serviceAccount: Sample.serviceAccount()).tokenRequest(at: Self.now)

        let form = String(decoding: request.body, as: UTF8.self)
        let start = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        try #require(form.hasPrefix(start))
        let token = try Token(String(form.dropFirst(start.count)))
        let isSigned = try Sample.rsaKey.get().publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: token.signature), for: SHA256.hash(data: token.content),
            padding: .insecurePKCS1v1_5)
        #expect(isSigned)
        #expect(request.url == "https://oauth2.example/token" && request.method == "POST")
        #expect(request.headers == ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(token.header as? [String: String] == ["alg": "RS256", "kid": "k1", "typ": "JWT"])
        #expect(token.claims["iss"] as? String == "push@demo-1.example")
        #expect(token.claims["aud"] as? String == "https://oauth2.example/token")
        #expect(token.claims["scope"] as? String == "https://www.googleapis.com/auth/firebase.messaging")
        #expect(token.claims["iat"] as? Int == 1_700_000_000 && token.claims["exp"] as? Int == 1_700_003_600)
    }

    @Test(arguments: ["project_id", "client_email", "private_key", "token_uri"])
    func refusesServiceAccountsWithout(field: String) throws {
        let file = try Sample.serviceAccount(without: field)

        #expect(throws: PushSettingsError.serviceAccount(field: field)) { try FCMCredentials(serviceAccount: file) }
    }

    @Test func refusesServiceAccountsThatSendTheAssertionInClear() throws {
        let file = try Sample.serviceAccount(tokenURL: "http://oauth2.example/token")

        #expect(throws: PushSettingsError.serviceAccount(field: "token_uri")) {
            try FCMCredentials(serviceAccount: file)
        }
    }

    /// The code was made with `openssl dgst -sha256 -hmac`.
    @Test func gatewaysGetASignature() throws {
        let credentials = try WebhookCredentials(secret: "a secret of 26 characters")

        #expect(
            credentials.signature(of: Data(#"{"a":1}"#.utf8), at: Self.now)
                == "t=1700000000,v1=2e1ad0a1248db15a0eaf391148f264ca3e9633261592684428bf64365e2ddd09")
        #expect(throws: PushSettingsError.webhookSecret) { try WebhookCredentials(secret: "15 characters..") }
    }

    @Test func describesNoSecrets() throws {
        var dumped = ""
        dump(try Sample.settings(), to: &dumped)
        dumped += "\(try Sample.settings())"

        #expect(!dumped.contains("a secret") && !dumped.contains("PrivateKey"))
    }
}
