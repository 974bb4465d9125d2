package import ChatCore
import Crypto
import Foundation

extension AccountService {
    /// The key that signs access tokens.
    package func accessKey() async throws -> [UInt8] {
        try await keys.key("access token").withUnsafeBytes { Array($0) }
    }

    /// Returns a session that is valid now, with its account; nil for any other.
    package func session(_ id: AccountSession.ID) async throws -> (session: AccountSession, account: Account)? {
        try await store.session(id, at: now())
    }

    /// Returns the valid sessions of a person, the last used first.
    package func sessions(of id: UserID) async throws -> [AccountSession] {
        try await store.sessions(of: id, at: now())
    }

    /// Ends a session of a person; returns false if the person has no such session.
    package func end(_ id: AccountSession.ID, of user: UserID) async throws -> Bool {
        guard try await store.endSession(id, of: user) else { return false }
        end([id])
        return true
    }

    /// Renews a session and replaces its refresh token.
    ///
    /// The token that was replaced last is accepted for a short while, and gets the same successor, because the reply
    /// may have been lost. An older token ends the session.
    ///
    /// - Throws: ``AccountError/sessionEnded``, ``AccountError/disabled``.
    package func renew(_ token: String) async throws -> SignedIn { try await renew(token, as: .person) }

    func renew(_ token: String, as purpose: SecretPurpose) async throws -> SignedIn {
        guard let token = try await read(token, as: purpose) else { throw AccountError.sessionEnded }
        let moment = now()
        let next = Array(
            HMAC<SHA256>.authenticationCode(for: token.secret, using: try await keys.key("next refresh token")))
        let renewal = try await store.renewSession(
            token.session, digest: OneTimeCode.digest(token.secret), next: OneTimeCode.digest(next),
            grace: Self.grace, until: moment + Self.sessionLifetime, at: moment)
        switch renewal {
        case .renewed(let session, let account):
            return SignedIn(
                account: account, session: session, refreshToken: try await write(next, of: session.id, as: purpose))
        case .unknown: throw AccountError.sessionEnded
        case .disabled: throw AccountError.disabled
        case .reused:
            end([token.session])
            throw AccountError.sessionEnded
        }
    }

    /// Ends the session of a refresh token, if there is one; an old token is enough.
    package func signOut(_ token: String) async throws {
        guard let token = try await read(token, as: .person), let (session, _) = try await session(token.session) else {
            return
        }
        _ = try await end(session.id, of: session.userID)
    }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - userAgent: What the client says of itself.
    ///   - password: The stored form of the password that was checked, lest a reset that came meanwhile is overtaken; nil
    ///     if none was.
    ///   - id: The session's id; nil for a new one.
    ///   - assistant: The assistant whose session it is; nil for one of the person.
    /// - Returns: The session.
    /// - Throws: ``AccountError/disabled``; ``AccountError/signInFailed`` if the password is another one meanwhile.
    func open(
        _ account: Account, userAgent: String?, password: String? = nil, as id: AccountSession.ID? = nil,
        assistant: ConnectedAssistant? = nil
    ) async throws -> SignedIn {
        let moment = now()
        let secret = OneTimeCode.random()
        let session = AccountSession(
            id: id ?? AccountSession.ID(rawValue: makeID()), userID: account.userID, createdAt: moment,
            lastUsedAt: moment, expiresAt: moment + Self.sessionLifetime, userAgent: userAgent, assistant: assistant)
        let digest = OneTimeCode.digest(secret)
        guard try await store.openSession(session, digest: digest, password: password) else {
            let isIn = try await store.account(account.userID)?.isDisabled == false
            throw isIn && password != nil ? AccountError.signInFailed : .disabled
        }
        let purpose = assistant.map { SecretPurpose.assistant(client: $0.client) } ?? .person
        return SignedIn(
            account: account, session: session, refreshToken: try await write(secret, of: session.id, as: purpose))
    }

    /// Writes a refresh token or a code: the session, the secret, and a proof that this server made it.
    func write(_ secret: [UInt8], of session: AccountSession.ID, as purpose: SecretPurpose) async throws -> String {
        "\(session).\(Base64URL.encode(secret)).\(Base64URL.encode(try await proof(secret, session, purpose)))"
    }

    /// Reads a refresh token or a code; nil for one that this server did not make, which must not end a session.
    func read(
        _ text: String, as purpose: SecretPurpose
    ) async throws -> (session: AccountSession.ID, secret: [UInt8])? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let id = AccountSession.ID(validating: String(parts[0])),
            let secret = Base64URL.decode(parts[1].utf8), let given = Base64URL.decode(parts[2].utf8),
            isSameSecret(given, try await proof(secret, id, purpose))
        else { return nil }
        return (id, secret)
    }

    private func proof(
        _ secret: [UInt8], _ session: AccountSession.ID, _ purpose: SecretPurpose
    ) async throws -> [UInt8] {
        let key = try await keys.key(purpose.key)
        let content = secret + Array(session.rawValue.utf8) + purpose.client
        return Array(HMAC<SHA256>.authenticationCode(for: content, using: key))
    }
}

/// The purpose of a secret that names a session; the proof of one is worth nothing for another.
enum SecretPurpose {
    /// Renews a session of a person.
    case person
    /// Renews a session of an assistant, for one program.
    case assistant(client: [UInt8])
    /// Opens a session of an assistant, for one program.
    case code(client: [UInt8])

    /// The name of the key for the proof.
    fileprivate var key: String {
        switch self {
        case .person: "refresh token"
        case .assistant: "refresh token of an assistant"
        case .code: "code of an assistant"
        }
    }

    /// The SHA-256 of the program's id; empty for a person.
    fileprivate var client: [UInt8] {
        switch self {
        case .person: []
        case .assistant(let client), .code(let client): client
        }
    }
}
