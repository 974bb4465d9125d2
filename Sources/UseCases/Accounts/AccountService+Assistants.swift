package import ChatCore
import Crypto
import Foundation

/// Sessions of assistants: programs that a person connected, which get only the scopes that the person granted.
///
/// Their codes and refresh tokens name the session, hold a secret, and prove that this server made them for one
/// program. So a token of an assistant is never accepted as a token of a person, nor from another program.
extension AccountService {
    /// A code that a program exchanges for a session, which it opens with the code's first use.
    package struct AssistantCode: Hashable, Sendable {
        /// The session that the code opens.
        package let session: AccountSession.ID
        /// The key under which the grant is kept; not secret.
        package let key: String
    }

    /// Returns the id of a program that registers: what the program says of itself, and a proof that this server took it.
    package func clientID(of content: [UInt8]) async throws -> String {
        "\(Base64URL.encode(content)).\(Base64URL.encode(try await clientProof(content)))"
    }

    /// Returns what the program of an id said of itself; nil for an id that this server did not give.
    package func client(of id: String) async throws -> [UInt8]? {
        let parts = id.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let content = Base64URL.decode(parts[0].utf8),
            let given = Base64URL.decode(parts[1].utf8), isSameSecret(given, try await clientProof(content))
        else { return nil }
        return content
    }

    /// Makes the code of a session that a program may open.
    ///
    /// - Parameter client: The SHA-256 of the program's id.
    /// - Returns: The code's text, which is secret, and the code.
    /// - Throws: Storage errors.
    package func makeAssistantCode(for client: [UInt8]) async throws -> (text: String, code: AssistantCode) {
        let (secret, session) = (OneTimeCode.random(), AccountSession.ID(rawValue: makeID()))
        let text = try await write(secret, of: session, as: .code(client: client))
        return (text, AssistantCode(session: session, key: Self.key(of: secret)))
    }

    /// Reads a code; nil for one that this server did not make for the program.
    package func assistantCode(_ text: String, of client: [UInt8]) async throws -> AssistantCode? {
        guard let token = try await read(text, as: .code(client: client)) else { return nil }
        return AssistantCode(session: token.session, key: Self.key(of: token.secret))
    }

    /// Opens the session of an assistant.
    ///
    /// - Parameters:
    ///   - assistant: The program, with what the person allowed.
    ///   - code: The code that the program exchanged.
    ///   - user: The person.
    ///   - userAgent: What the client says of itself.
    /// - Returns: The session with its refresh token.
    /// - Throws: ``AccountError/disabled``, also for an account that is gone.
    package func connect(
        _ assistant: ConnectedAssistant, with code: AssistantCode, to user: UserID, userAgent: String?
    ) async throws -> SignedIn {
        guard let account = try await store.account(user) else { throw AccountError.disabled }
        return try await open(account, userAgent: userAgent, as: code.session, assistant: assistant)
    }

    /// Renews the session of an assistant; see ``renew(_:)``.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - client: The SHA-256 of the program's id.
    /// - Returns: The session with its next refresh token.
    /// - Throws: ``AccountError/sessionEnded``, ``AccountError/disabled``.
    package func renewAssistant(_ token: String, of client: [UInt8]) async throws -> SignedIn {
        try await renew(token, as: .assistant(client: client))
    }

    /// Ends the session of an assistant's refresh token, if there is one; an old token is enough.
    package func disconnect(_ token: String, of client: [UInt8]) async throws {
        guard let token = try await read(token, as: .assistant(client: client)) else { return }
        try await endAssistant(token.session)
    }

    /// Ends a session if it is one of an assistant.
    package func endAssistant(_ id: AccountSession.ID) async throws {
        guard let (session, _) = try await session(id), session.assistant != nil else { return }
        _ = try await end(id, of: session.userID)
    }

    /// Records what an assistant read for a person.
    package func record(_ readings: [AssistantReading], of user: UserID) async throws {
        try await store.recordReadings(readings, of: user)
    }

    /// Returns what assistants read for a person, the latest first.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - before: ``AssistantReadingPage/next`` of the page before; nil for the first page.
    ///   - limit: The most records.
    /// - Returns: The page.
    /// - Throws: Storage errors.
    package func readings(of user: UserID, before: Int64?, limit: Int) async throws -> AssistantReadingPage {
        try await store.readings(of: user, before: before, limit: limit)
    }

    /// Deletes the record of what assistants read for a person.
    package func deleteReadings(of user: UserID) async throws { try await store.deleteReadings(of: user) }

    private static func key(of secret: [UInt8]) -> String { Base64URL.encode(OneTimeCode.digest(secret)) }

    private func clientProof(_ content: [UInt8]) async throws -> [UInt8] {
        let key = try await keys.key("assistant")
        return Array(HMAC<SHA256>.authenticationCode(for: content, using: key))
    }
}
