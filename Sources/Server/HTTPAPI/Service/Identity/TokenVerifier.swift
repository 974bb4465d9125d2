import Assistant
import ChatCore
import Foundation
import Logging
import UseCases

/// Checks tokens and reads their users.
struct TokenVerifier: Sendable {
    private let settings: TokenSettings
    private let fixedKeys: KeySet
    private let remoteKeys: RemoteKeys?
    private let now: @Sendable () -> Timestamp

    /// Reads the keys that need not be fetched.
    ///
    /// - Parameters:
    ///   - settings: How tokens are checked.
    ///   - fetch: Fetches a set of keys.
    ///   - now: The present time.
    ///   - logger: Reports failures to fetch.
    /// - Throws: ``HTTPAPIError/unusableKeys(_:)``.
    init(
        _ settings: TokenSettings, fetch: @escaping KeyFetch, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) async throws(HTTPAPIError) {
        self.settings = settings
        self.now = now
        var fixed: [VerificationKey] = []
        if let secret = settings.secret {
            guard let key = await VerificationKey.secret(Array(secret.reveal())) else {
                throw .unusableKeys("the secret has fewer than \(VerificationKey.secretByteMinimum) bytes")
            }
            fixed.append(key)
        }
        switch settings.keys {
        case .document(let document):
            guard let set = await KeySet.read(document, takesSecrets: true) else {
                throw .unusableKeys("the file is not a JSON Web Key Set with a usable key")
            }
            fixed += set.keys
            remoteKeys = nil
        case .address(let address):
            remoteKeys = RemoteKeys(address: address, fetch: fetch, now: now, logger: logger)
        case nil: remoteKeys = nil
        }
        fixedKeys = KeySet(fixed)
    }

    /// The user of a token.
    struct Bearer: Equatable {
        var user: IdentifiedPerson
        /// The kind of user in the token; nil if it has none.
        var kind: UserKind?
        /// The moment from which the token is refused.
        var end: Timestamp
        /// The claim `nonce`, of tokens about a sign-in.
        var nonce: String?
        /// The claim `azp`: the client that the token was made for.
        var authorizedParty: String?
        /// The number of audiences in `aud`.
        var audienceCount = 0
        /// The claim `email`, if `email_verified` says that it is the person's.
        var verifiedEmail: String?
    }

    /// Returns the user of a valid token.
    ///
    /// - Parameter text: The token.
    /// - Returns: The user, with the name and the kind of user that the token gives.
    /// - Throws: ``TokenFault``, ``Failure/keysUnavailable``.
    func bearer(of text: some StringProtocol) async throws -> Bearer {
        let token = try SignedToken(text)
        guard settings.profile != .firebase || (token.algorithm == .rs256 && token.keyID != nil) else {
            throw TokenFault.wrongAlgorithm
        }
        guard let key = try await key(for: token) else { throw TokenFault.unknownKey }
        guard key.algorithm == token.algorithm else { throw TokenFault.wrongAlgorithm }
        guard key.signed(token) else { throw TokenFault.wrongSignature }
        let claims = TokenClaims(token.claims, settings: settings)
        return Bearer(
            user: try claims.user(at: now()), kind: try claims.kind(), end: try claims.end(),
            nonce: try? token.claims["nonce"].optionalString(),
            authorizedParty: try claims.authorizedParty(), audienceCount: claims.audienceCount,
            verifiedEmail: claims.verifiedEmail)
    }

    private func key(for token: SignedToken) async throws(Failure) -> VerificationKey? {
        if let key = fixedKeys.key(for: token) { return key }
        // Secrets are never fetched, so their algorithm needs no request.
        guard let remoteKeys, token.algorithm != .hs256 else { return nil }
        return try await remoteKeys.key(for: token)
    }
}

/// The claims of a token with a valid signature.
private struct TokenClaims {
    /// The longest `sub` of Firebase, in characters.
    private static let firebaseUserLimit = 128

    private let claims: JSONField
    private let settings: TokenSettings

    init(_ claims: JSONField, settings: TokenSettings) {
        self.claims = claims
        self.settings = settings
    }

    func user(at moment: Timestamp) throws(TokenFault) -> IdentifiedPerson {
        try checkTimes(at: moment)
        if let issuer = settings.issuer, claims["iss"].value != .string(issuer) { throw .wrongIssuer }
        if let audience = settings.audience, !names(audience: audience) { throw .wrongAudience }
        guard case .string(let text) = claims[settings.userClaim].value, let user = UserID(validating: text) else {
            throw .noUser
        }
        if settings.profile == .firebase, text.unicodeScalars.count > Self.firebaseUserLimit { throw .noUser }
        guard user != MentionSettings.assistantID else { throw .reservedUser }
        guard case .string(let name) = claims[settings.nameClaim].value else { return IdentifiedPerson(id: user) }
        return IdentifiedPerson(id: user, name: name)
    }

    func kind() throws(TokenFault) -> UserKind? {
        guard let claim = settings.kindClaim else { return nil }
        switch claims[claim].value {
        case nil: return nil
        case .string(let word):
            guard let kind = UserKind(rawValue: word) else { throw .unknownKind }
            return kind
        default: throw .unknownKind
        }
    }

    /// The moment from which the token is refused.
    func end() throws(TokenFault) -> Timestamp {
        guard let expiry = try time("exp") else { throw .malformed }
        return expiry + settings.leeway
    }

    private func checkTimes(at moment: Timestamp) throws(TokenFault) {
        guard moment < (try end()) else { throw .expired }
        let latest = moment + settings.leeway
        var starts = ["nbf", "iat"]
        if settings.profile == .firebase {
            starts.append("auth_time")
            guard claims["iat"].isPresent, claims["auth_time"].isPresent else { throw .malformed }
        }
        for name in starts {
            if let start = try time(name), start > latest { throw .notYetValid }
        }
    }

    /// Reads seconds since 1970, whole or not.
    private func time(_ name: String) throws(TokenFault) -> Timestamp? {
        let seconds: Double
        switch claims[name].value {
        case nil: return nil
        case .integer(let value): seconds = Double(value)
        case .double(let value): seconds = value
        default: throw .malformed
        }
        guard seconds > -1e12, seconds < 1e12 else { throw .malformed }
        return Timestamp(microseconds: Int64(seconds * 1_000_000))
    }

    /// An `azp` that is not a text is not the same as none.
    func authorizedParty() throws(TokenFault) -> String? {
        switch claims["azp"].value {
        case nil: return nil
        case .string(let text): return text
        default: throw .malformed
        }
    }

    /// Some services write `email_verified` as a text.
    var verifiedEmail: String? {
        guard case .string(let email) = claims["email"].value,
            [.bool(true), .string("true")].contains(claims["email_verified"].value)
        else { return nil }
        return email
    }

    var audienceCount: Int {
        switch claims["aud"].value {
        case .string: 1
        case .array(let texts): texts.count
        default: 0
        }
    }

    private func names(audience: String) -> Bool {
        switch claims["aud"].value {
        case .string(let text): text == audience
        case .array(let texts): texts.contains(.string(audience))
        default: false
        }
    }
}
