import Accounts
import ChatCore
import Crypto
import Foundation
import UseCases

/// The access tokens of sessions of accounts: JSON Web Tokens that this server signs for itself (HS256).
///
/// Those of people are for all of the API. Those of assistants are for `/mcp` only, which their audience names.
struct SessionTokens: Sendable {
    /// How long a token is valid, in seconds.
    static let lifetime: Int64 = 15 * 60
    /// How long a token of an assistant is valid, in seconds.
    ///
    /// Programs that start again with an old token make the person sign in again, so it is longer. Each request looks
    /// for the session too, so a token ends with it.
    static let assistantLifetime: Int64 = 8 * 3_600
    private static let issuer = "nexus"
    private static let keyID = "nexus-session"

    let accounts: AccountService
    let now: @Sendable () -> Timestamp

    /// The claims of a token.
    private struct Claims: Encodable {
        let iss = SessionTokens.issuer
        let aud: String
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
        /// The assistant whose session it is; nil for one of a person.
        let assistant: ConnectedAssistant?
    }

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - session: The session.
    ///   - audience: The address of `/mcp` for an assistant; nil for the person.
    /// - Returns: The token, and the moment from which it is refused.
    /// - Throws: Storage errors.
    func make(
        for account: Account, session: AccountSession, audience: String? = nil
    ) async throws -> (text: String, end: Timestamp) {
        let second = now().milliseconds / 1_000
        let claims = Claims(
            aud: audience ?? Self.issuer, sub: account.userID.rawValue, sid: session.id.rawValue,
            role: account.role, iat: second, exp: second + (audience == nil ? Self.lifetime : Self.assistantLifetime))
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
            case .string(let audience) = token.claims["aud"].value, case .string(let id) = token.claims["sid"].value,
            case .string(let user) = token.claims["sub"].value, case .integer(let end) = token.claims["exp"].value
        else { throw TokenFault.wrongSignature.failure }
        guard now() < Timestamp(milliseconds: end * 1_000) else { throw TokenFault.expired.failure }
        guard let (session, account) = try await accounts.session(AccountSession.ID(rawValue: id)),
            account.userID.rawValue == user, (session.assistant == nil) == (audience == Self.issuer)
        else { throw Failure.sessionEnded }
        let person = IdentifiedPerson(id: account.userID, name: account.name)
        guard let assistant = session.assistant else {
            return Session(id: session.id, caller: .person(person, role: account.role), assistant: nil)
        }
        let rights = AssistantRights(
            session: session.id, name: assistant.name, scopes: assistant.scopes, audience: audience)
        return Session(id: session.id, caller: .assistant(person, rights), assistant: assistant)
    }
}
