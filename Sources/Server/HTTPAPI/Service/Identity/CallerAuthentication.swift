import Accounts
import ChatCore
import HTTPTypes
import Hummingbird
import UseCases

/// Identifies the caller of a request; every request passes through one.
protocol CallerAuthentication: Sendable {
    /// The caller of a route that is open to everyone, or that checks its own secret.
    var anonymous: Caller { get }

    /// Returns the caller of a request, and how long the caller may stay connected.
    ///
    /// - Parameter request: The request; its body is not read.
    /// - Returns: The caller; ``Caller/stranger`` when the request does not say.
    /// - Throws: ``Failure`` for a token or key that is not valid.
    func identify(_ request: Request) async throws -> (caller: Caller, validity: CallerValidity)
}

/// Trusts every caller: for a server that nobody else can reach, or that is behind a trusted server.
struct TrustingAuthentication: CallerAuthentication {
    /// The user of a request that names none.
    let defaultUser: UserID?

    var anonymous: Caller { .trusted(defaultUser: defaultUser) }

    func identify(_ request: Request) async throws -> (caller: Caller, validity: CallerValidity) {
        (anonymous, .unlimited)
    }
}

/// Trusts every caller of the local socket, which only the owner of the data folder can open.
struct OperatorAuthentication: CallerAuthentication {
    var anonymous: Caller { .operator }

    func identify(_ request: Request) async throws -> (caller: Caller, validity: CallerValidity) {
        (anonymous, .unlimited)
    }
}

/// Requires a bearer token (RFC 6750): a key of ours, a token of one of our sessions, or one of the configured issuer.
struct BearerAuthentication: CallerAuthentication {
    /// Nil if no issuer is configured.
    let tokens: TokenVerifier?
    /// The tokens of sessions of accounts; nil if there are none.
    let sessions: SessionTokens?
    let keys: any APIKeyRepository
    let users: any ConversationRepository
    let now: @Sendable () -> Timestamp

    var anonymous: Caller { .stranger }

    func identify(_ request: Request) async throws -> (caller: Caller, validity: CallerValidity) {
        guard let text = try bearer(of: request) else { return (.stranger, .unlimited) }
        if APIKeySecret.isKey(text) {
            let key = try await key(of: text)
            return (.key(key.id, key.role), .key(key.id))
        }
        if let session = try await sessions?.session(of: text) { return (session.caller, .session(session.id)) }
        do {
            guard let tokens else {
                _ = try SignedToken(text)
                throw TokenFault.unknownKey
            }
            let bearer = try await tokens.bearer(of: text)
            if try await sessions?.accounts.isDisabled(bearer.user.id) == true { throw Failure(AccountError.disabled) }
            if let kind = bearer.kind, try await users.kind(of: bearer.user.id) != kind {
                try await users.setKind(kind, of: bearer.user.id)
            }
            return (.person(bearer.user), .until(bearer.end))
        } catch let fault as TokenFault {
            throw fault.failure
        }
    }

    /// Returns the token or key of a request; nil if there is none.
    private func bearer(of request: Request) throws -> Substring? {
        guard let header = request.headers[.authorization] else { return nil }
        let parts = header.split(separator: " ")
        guard let scheme = parts.first, scheme.lowercased() == "bearer" else { throw TokenFault.noScheme.failure }
        guard parts.count == 2 else { throw TokenFault.noToken.failure }
        return parts[1]
    }

    /// An unknown key, a wrong secret and an invalid key get the same error at about the same cost.
    private func key(of text: Substring) async throws -> APIKey {
        guard let secret = APIKeySecret(text) else { throw TokenFault.malformed.failure }
        let stored = try await keys.key(secret.id)
        let isSame = secret.isSame(as: stored?.digest ?? Self.noDigest)
        let moment = now()
        guard let key = stored?.key, isSame, key.isValid(at: moment) else { throw Failure.invalidKey }
        if key.lastUsedAt.map({ $0 < moment.startOfHour }) ?? true {
            // A failure to record the use does not refuse the request.
            try? await keys.recordUse(of: key.id, at: moment)
        }
        return key
    }

    private static let noDigest = [UInt8](repeating: 0, count: 32)
}

extension Failure {
    fileprivate static let invalidKey = invalidToken("key_invalid", "the key is not valid")
}
