import Foundation
import NexusModel

/// The session of an account of the server: an access token for some minutes, and a cookie that renews it.
actor AccountTokens: TokenProvider {
    /// How long signing out waits for the server.
    private static let endTimeout = Duration.seconds(10)

    private let server: NexusServer
    private var credentials: Credentials
    private var token: String?
    private var isEnded = false

    init(_ server: NexusServer, _ credentials: Credentials, token: String? = nil) {
        self.server = server
        self.credentials = credentials
        self.token = token
    }

    func token(replacing refused: String?) async throws(TokenError) -> String {
        if let token, token != refused { return token }
        guard !isEnded, credentials.sessionCookie != nil else { throw .signedOut(.sessionEnded) }
        // In a separate task, because a cancelled request may have replaced the cookie on the server.
        return try await Task { await self.renew() }.value.get()
    }

    private func renew() async -> Result<String, TokenError> {
        do throws(SessionError) {
            let response = try await server.call("POST", "/v1/session/refresh", headers: credentials.headers)
            let renewed: SignedInSession = try NexusSession.value(response.body)
            guard !isEnded else { return .failure(.signedOut(.person)) }
            credentials.renew(from: response)
            token = renewed.accessToken
            // The next refresh keeps the next cookie.
            try? server.keep(credentials)
            return .success(renewed.accessToken)
        } catch {
            guard case .signedOut(let reason) = error else { return .failure(.unavailable) }
            credentials.sessionCookie = nil
            if !isEnded { try? server.keep(credentials) }
            return .failure(.signedOut(reason))
        }
    }

    func endSession() async -> Bool {
        let last = credentials
        (credentials.sessionCookie, token, isEnded) = (nil, nil, true)
        try? server.keep(nil)
        guard last.sessionCookie != nil else { return true }
        let reply = try? await server.send(
            "DELETE", "/v1/session", headers: last.headers, timeout: Self.endTimeout)
        return reply.map { $0.status < 500 } ?? false
    }
}

/// Tokens of the app, and the person who is signed in with them.
struct KeptTokens: TokenProvider {
    let tokens: any TokenProvider
    let server: NexusServer

    func token(replacing refused: String?) async throws(TokenError) -> String {
        try await tokens.token(replacing: refused)
    }

    func endSession() async -> Bool {
        try? server.keep(nil)
        return await tokens.endSession()
    }
}
