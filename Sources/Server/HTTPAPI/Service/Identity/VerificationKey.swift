import ChatCore
import Foundation
import JWTKit

/// A key that checks tokens; its kind decides its one algorithm.
struct VerificationKey: Sendable, MaskedDescription {
    /// The accepted size of an RSA modulus in bytes: secure, and not too slow.
    private static let modulusByteRange = 256...1_024
    /// The shortest secret of HS256, in bytes (RFC 7518, section 3.2).
    static let secretByteMinimum = 32

    let id: String?
    let algorithm: TokenAlgorithm
    private let verifier: any JWTAlgorithm

    /// Whether the key made a token's signature.
    func signed(_ token: SignedToken) -> Bool {
        algorithm == token.algorithm && (try? verifier.verify(token.signature, signs: token.signedBytes)) == true
    }

    /// Makes the key of HS256; nil for a secret that is too short.
    static func secret(_ bytes: [UInt8], id: String? = nil) async -> VerificationKey? {
        guard bytes.count >= secretByteMinimum else { return nil }
        let keys = JWTKeyCollection()
        await keys.add(hmac: HMACKey(from: bytes), digestAlgorithm: .sha256)
        return await VerificationKey(id: id, algorithm: .hs256, keys)
    }

    /// Reads one key of a set.
    ///
    /// - Parameters:
    ///   - fields: A JSON Web Key.
    ///   - takesSecrets: Whether it may be a secret.
    /// - Returns: The key; nil for one with another purpose, a weak one, or a damaged one.
    static func read(_ fields: JSONField, takesSecrets: Bool) async -> VerificationKey? {
        guard let text = fields.texts, text("use") ?? "sig" == "sig", fields.allowsVerifying else { return nil }
        let keys = JWTKeyCollection()
        let algorithm: TokenAlgorithm
        switch text("kty") {
        case "RSA":
            guard let modulus = text("n"), let exponent = text("e"), Base64URL.decode(exponent.utf8) != nil,
                let size = Base64URL.decode(modulus.utf8)?.drop(while: { $0 == 0 }).count,
                modulusByteRange.contains(size),
                let key = try? Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            else { return nil }
            algorithm = .rs256
            await keys.add(rsa: key, digestAlgorithm: .sha256)
        case "EC":
            guard text("crv") == "P-256", let x = text("x"), let y = text("y"),
                let key = try? ES256PublicKey(parameters: (x, y))
            else { return nil }
            algorithm = .es256
            await keys.add(ecdsa: key)
        case "OKP":
            guard text("crv") == "Ed25519", let x = text("x"),
                let key = try? EdDSA.PublicKey(x: x, curve: .ed25519)
            else { return nil }
            algorithm = .edDSA
            await keys.add(eddsa: key)
        case "oct":
            guard takesSecrets, let secret = text("k").flatMap({ Base64URL.decode($0.utf8) }),
                text("alg") ?? "HS256" == "HS256"
            else { return nil }
            return await Self.secret(secret, id: text("kid"))
        default: return nil
        }
        guard text("alg") ?? algorithm.rawValue == algorithm.rawValue else { return nil }
        return await VerificationKey(id: text("kid"), algorithm: algorithm, keys)
    }

    private init?(id: String?, algorithm: TokenAlgorithm, _ keys: JWTKeyCollection) async {
        guard let verifier = try? await keys.getKey() else { return nil }
        self.id = id
        self.algorithm = algorithm
        self.verifier = verifier
    }
}

extension JSONField {
    /// A reader of members as texts; nil if an important member is not a text.
    fileprivate var texts: ((String) -> String?)? {
        var found: [String: String] = [:]
        for name in ["kty", "kid", "use", "alg", "n", "e", "crv", "x", "y", "k"] where self[name].isPresent {
            guard case .string(let text) = self[name].value else { return nil }
            found[name] = text
        }
        return { found[$0] }
    }

    fileprivate var allowsVerifying: Bool {
        guard self["key_ops"].isPresent else { return true }
        guard case .array(let operations) = self["key_ops"].value else { return false }
        return operations.contains(.string("verify"))
    }
}

/// The keys of one JSON Web Key Set.
struct KeySet: Sendable {
    /// The most keys of a set that are read.
    private static let keyLimit = 100

    let keys: [VerificationKey]

    init(_ keys: [VerificationKey]) {
        self.keys = keys
    }

    /// Reads a set, and skips keys that cannot be used.
    ///
    /// - Parameters:
    ///   - document: The set in JSON.
    ///   - takesSecrets: Whether secrets are accepted.
    /// - Returns: The set; nil if it cannot be read or contains no usable key.
    static func read(_ document: Data, takesSecrets: Bool) async -> KeySet? {
        guard let value = try? JSONParser.parse(Array(document), takesRepeatedKeys: false),
            let items = try? JSONField(value)["keys"].optionalArray()
        else { return nil }
        var keys: [VerificationKey] = []
        for item in items.prefix(keyLimit) {
            if let key = await VerificationKey.read(item, takesSecrets: takesSecrets) { keys.append(key) }
        }
        return keys.isEmpty ? nil : KeySet(keys)
    }

    /// Returns the key that a token names; without a name the only key of its algorithm.
    func key(for token: SignedToken) -> VerificationKey? {
        if let id = token.keyID { return keys.first { $0.id == id } }
        let possible = keys.filter { $0.algorithm == token.algorithm }
        return possible.count == 1 ? possible.first : nil
    }
}
