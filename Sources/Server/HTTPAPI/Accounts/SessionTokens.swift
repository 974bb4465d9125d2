import Accounts
import ChatCore
import Crypto
import Foundation
import UseCases

/// The access tokens of sessions of accounts: JSON Web Tokens that this server signs for itself (HS256).
struct SessionTokens: Sendable {
    /// How long a token is valid, in seconds.
    static let lifetime: Int64 = 15 * 60
    private static let issuer = "nexus"
    private static let keyID = "nexus-session"

    let accounts: AccountService
    let now: @Sendable () -> Timestamp

    /// The claims of a token.
    private struct Claims: Encodable {
        let iss = SessionTokens.issuer
        let aud = SessionTokens.issuer
        let sub: String
        let sid: String
        let role: AccountRole
        let iat: Int64
        let exp: Int64
    }

    /// The header of a token.
    private struct Header: Encodable {
        let alg = TokenAlgorithm.hs256.rawValue
        let kid = SessionTokens.keyID
        let typ = "at+jwt"
    }

    /// A valid session with its caller.
    struct Session {
        let id: AccountSession.ID
        let caller: Caller
    }

    /// Makes a token.
    func make(for account: Account, session: AccountSession) async throws -> (text: String, end: Timestamp) {
        let second = now().milliseconds / 1_000
        let claims = Claims(
            sub: account.userID.rawValue, sid: session.id.rawValue, role: account.role, iat: second,
            exp: second + Self.lifetime)
        let signed = [try WireEncoding.data(Header()), try WireEncoding.data(claims)].map { Base64URL.encode($0) }
            .joined(separator: ".")
        let key = SymmetricKey(data: try await accounts.accessKey())
        let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key)
        return (signed + "." + Base64URL.encode(Data(code)), Timestamp(milliseconds: claims.exp * 1_000))
    }

    /// Returns the session of a token.
    ///
    /// The role is the present one of the account, so that a change applies at once.
    ///
    /// - Parameter text: A token.
    /// - Returns: The session; nil for a token of another issuer.
    /// - Throws: ``Failure`` for a token that is not valid, and for a session that has ended.
    func session(of text: some StringProtocol) async throws -> Session? {
        guard let token = try? SignedToken(text), token.keyID == Self.keyID,
            token.claims["iss"].value == .string(Self.issuer)
        else { return nil }
        let key = SymmetricKey(data: try await accounts.accessKey())
        guard token.algorithm == .hs256,
            HMAC<SHA256>.isValidAuthenticationCode(token.signature, authenticating: token.signedBytes, using: key),
            token.claims["aud"].value == .string(Self.issuer), case .string(let id) = token.claims["sid"].value,
            case .string(let user) = token.claims["sub"].value, case .integer(let end) = token.claims["exp"].value
        else { throw TokenFault.wrongSignature.failure }
        guard now() < Timestamp(milliseconds: end * 1_000) else { throw TokenFault.expired.failure }
        guard let (session, account) = try await accounts.session(AccountSession.ID(rawValue: id)),
            account.userID.rawValue == user
        else { throw Failure.sessionEnded }
        let person = IdentifiedPerson(id: account.userID, name: account.name)
        return Session(id: session.id, caller: .person(person, role: account.role))
    }
}
