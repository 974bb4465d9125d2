import ChatCore
import Crypto
import CryptoExtras
import Foundation
import HTTPAPI
import JWTKit
import ServerTestSupport
import TestSupport
import UseCases

/// Signs tokens of any shape with its own keys, which are in a JSON Web Key Set.
struct TokenForge: Sendable {
    /// A key that signs.
    enum Key: String, CaseIterable, Sendable {
        case rsa
        case ec
        case ed
        case secret

        var algorithm: String {
            switch self {
            case .rsa: "RS256"
            case .ec: "ES256"
            case .ed: "EdDSA"
            case .secret: "HS256"
            }
        }
    }

    static let issuer = "https://issuer.test"
    static let audience = "chat"
    private static let secret = Data(repeating: 7, count: 32)

    let rsaKey: _RSA.Signing.PrivateKey
    private let ecKey = P256.Signing.PrivateKey()
    private let edKey = Curve25519.Signing.PrivateKey()

    init() throws {
        rsaKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }

    /// The public keys, and the secret if wanted, as a set.
    func keySet(_ keys: [Key] = [.rsa, .ec, .ed], idPrefix: String = "") throws -> Data {
        let items: [[String: String]] = try keys.map { key in
            let id = idPrefix + key.rawValue
            switch key {
            case .rsa:
                let parts = try rsaKey.publicKey.getKeyPrimitives()
                return [
                    "kty": "RSA", "kid": id, "use": "sig", "n": Self.base64(parts.modulus),
                    "e": Self.base64(parts.publicExponent),
                ]
            case .ec:
                let point = ecKey.publicKey.rawRepresentation
                return [
                    "kty": "EC", "crv": "P-256", "kid": id, "alg": "ES256", "x": Self.base64(point.prefix(32)),
                    "y": Self.base64(point.suffix(32)),
                ]
            case .ed:
                return [
                    "kty": "OKP", "crv": "Ed25519", "kid": id, "x": Self.base64(edKey.publicKey.rawRepresentation),
                ]
            case .secret: return ["kty": "oct", "kid": id, "k": Self.base64(Self.secret)]
            }
        }
        return try JSONSerialization.data(withJSONObject: ["keys": items])
    }

    /// Settings that take tokens of this forge.
    func settings(_ keys: [Key] = [.rsa, .ec, .ed, .secret]) throws -> AuthenticationSettings {
        AuthenticationSettings(
            tokens: TokenSettings(
                keys: .document(try keySet(keys)), issuer: Self.issuer, audience: Self.audience))
    }

    /// The claims of a token that is good now.
    static func claims(
        _ user: String, now: Timestamp = Sample.now, changing changes: [String: Any?] = [:]
    ) -> [String: Any] {
        let second = Int(now.milliseconds / 1_000)
        var claims: [String: Any] = [
            "iss": issuer, "aud": audience, "sub": user, "iat": second - 10, "exp": second + 600,
        ]
        for (name, value) in changes { claims[name] = value }
        return claims
    }

    /// Signs claims.
    func token(
        _ claims: [String: Any], by key: Key = .ec, header changes: [String: Any?] = [:]
    ) async throws -> String {
        var header: [String: Any] = ["alg": key.algorithm, "kid": key.rawValue, "typ": "JWT"]
        for (name, value) in changes { header[name] = value }
        return try await token(
            header: JSONSerialization.data(withJSONObject: header),
            claims: JSONSerialization.data(withJSONObject: claims), by: key)
    }

    /// Returns the headers of a request by a user.
    func bearer(_ user: String, now: Timestamp = Sample.now) async throws -> [(name: String, value: String)] {
        Self.bearer(try await token(Self.claims(user, now: now)))
    }

    static func bearer(_ token: String) -> [(name: String, value: String)] {
        [(name: "Authorization", value: "Bearer \(token)")]
    }

    /// Signs bytes that need not be JSON.
    func token(header: Data, claims: Data, by key: Key) async throws -> String {
        let text = Self.base64(header) + "." + Self.base64(claims)
        return text + "." + Self.base64(Data(try await signature(of: Data(text.utf8), by: key)))
    }

    /// Signs with a given secret.
    static func token(header: [String: Any], claims: [String: Any], secret: Data) throws -> String {
        let text =
            base64(try JSONSerialization.data(withJSONObject: header)) + "."
            + base64(try JSONSerialization.data(withJSONObject: claims))
        let code = HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: SymmetricKey(data: secret))
        return text + "." + base64(Data(code))
    }

    private func signature(of text: Data, by key: Key) async throws -> [UInt8] {
        let keys = JWTKeyCollection()
        switch key {
        case .rsa: await keys.add(rsa: try Insecure.RSA.PrivateKey(backing: rsaKey), digestAlgorithm: .sha256)
        case .ec: await keys.add(ecdsa: try ES256PrivateKey(backing: ecKey))
        case .ed: await keys.add(eddsa: EdDSA.PrivateKey(backing: edKey))
        case .secret: await keys.add(hmac: HMACKey(from: Self.secret), digestAlgorithm: .sha256)
        }
        return try await keys.getKey().sign(text)
    }

    static func base64(_ data: some Sequence<UInt8>) -> String {
        Data(data).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension ServerParts {
    /// A server that tells callers apart.
    init(_ authentication: AuthenticationSettings) {
        self.init(defaultUser: nil)
        settings.authentication = authentication
    }
}

extension RunningServer {
    /// Makes a key of a role and returns the headers of its requests.
    func key(_ role: APIKey.Role, expiresAt: Timestamp? = nil) async throws -> [(name: String, value: String)] {
        var generator = SystemRandomNumberGenerator()
        let secret = APIKeySecret(using: &generator)
        let keys: any APIKeyRepository = keys ?? store
        try await keys.addKey(
            StoredAPIKey(
                key: APIKey(id: secret.id, role: role, name: nil, createdAt: Sample.now, expiresAt: expiresAt),
                digest: secret.digest))
        return TokenForge.bearer(secret.text)
    }
}
