public import Foundation
public import NexusModel

/// Signing in. The returned session is not connected yet: ``run()`` it, or a ``SessionHub`` with it.
extension NexusSession {
    /// Signs in with the password of an account.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - password: The password; it is not kept.
    ///   - server: The server.
    /// - Returns: The session.
    /// - Throws: ``SessionError``; `sign_in_failed` if the user or the password is wrong.
    public static func signIn(
        user: String, password: String, on server: NexusServer
    ) async throws(SessionError) -> NexusSession {
        let known = try server.keptCredentials().flatMap { $0.userID == user ? $0.deviceCookie : nil }
        let device = known.map { ["Cookie": "\(Credentials.deviceCookieName)=\($0)"] } ?? [:]
        return try session(
            try await server.call(
                "POST", "/v1/session", body: try data(["userId": user, "password": password]), headers: device),
            server)
    }

    /// Sets the password of an invitation's person, or of a link that resets a password, and signs in.
    ///
    /// - Parameters:
    ///   - invitation: The link, or the code at its end.
    ///   - password: The new password.
    ///   - name: The name to show; nil keeps that of the invitation.
    ///   - server: The server.
    /// - Returns: The session.
    /// - Throws: ``SessionError``; `invitation_unknown` for a link that was used or is too old.
    public static func accept(
        invitation: String, password: String, name: String? = nil, on server: NexusServer
    ) async throws(SessionError) -> NexusSession {
        var fields = ["password": password]
        fields["name"] = name
        return try session(
            try await server.call("POST", "/v1/invitations/\(code(of: invitation))", body: try data(fields)), server)
    }

    /// Asks for whom a link is.
    ///
    /// - Parameters:
    ///   - invitation: The link, or the code at its end.
    ///   - server: The server.
    /// - Returns: The person and the purpose of the link.
    /// - Throws: ``SessionError``.
    public static func details(
        ofInvitation invitation: String, on server: NexusServer
    ) async throws(SessionError) -> AccountInvitationDetails {
        try value(try await server.call("GET", "/v1/invitations/\(code(of: invitation))").body)
    }

    /// Signs in with tokens that the app gets elsewhere, such as ``AppTokens`` of Firebase; asks the server whose they are.
    ///
    /// - Parameters:
    ///   - tokens: Gives tokens.
    ///   - server: The server.
    /// - Returns: The session.
    /// - Throws: ``SessionError``.
    public static func signIn(
        token tokens: any TokenProvider, on server: NexusServer
    ) async throws(SessionError) -> NexusSession {
        let asking = NexusSession(
            transport: server.transport, user: nil, device: server.device, tokens: tokens, timing: server.timing)
        let known: SessionState = try await asking.fetch("GET", "/v1/session")
        try server.keep(Credentials(userID: known.user.userId, name: known.user.name))
        return server.session(user: known.user.userId, tokens: KeptTokens(tokens: tokens, server: server))
    }

    /// Begins to sign in with the server's OpenID Connect service.
    ///
    /// - Parameter server: The server.
    /// - Returns: The address to open in a browser, and what ties the sign-in to this device.
    /// - Throws: ``SessionError``; `sign_in_not_configured` if the server has no such service.
    public static func beginOpenID(on server: NexusServer) async throws(SessionError) -> OpenIDSignIn {
        let response = try await server.send("GET", "/v1/session/oidc/start")
        let address = try OpenIDSignIn.redirect(of: response)
        guard let url = URL(string: address), url.host != nil, let binding = response.cookie(OpenIDSignIn.cookieName)
        else { throw .unreadable }
        return OpenIDSignIn(url: url, binding: binding)
    }

    /// Signs in with what the service sent the browser back with.
    ///
    /// - Parameters:
    ///   - openID: What ``beginOpenID(on:)`` returned, at most 10 minutes ago.
    ///   - redirect: The address at which the browser came back: the server's `/v1/session/oidc/callback` with a query.
    ///     Take it before the browser opens it.
    ///   - server: The server.
    /// - Returns: The session.
    /// - Throws: ``SessionError``; `sign_in_refused` if the service or the person refused.
    public static func signIn(
        openID: OpenIDSignIn, redirectedTo redirect: URL, on server: NexusServer
    ) async throws(SessionError) -> NexusSession {
        let query = URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? ""
        let response = try await server.send(
            "GET", "/v1/session/oidc/callback?\(query)",
            headers: ["Cookie": "\(OpenIDSignIn.cookieName)=\(openID.binding)"])
        _ = try OpenIDSignIn.redirect(of: response)
        guard let cookie = response.cookie(Credentials.sessionCookieName) else { throw .unreadable }
        let begun = Credentials(userID: "", name: "", sessionCookie: cookie)
        return try session(
            try await server.call("POST", "/v1/session/refresh", headers: begun.headers), server, after: begun)
    }

    /// Returns the session of the person who signed in on this device before; needs no network.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - tokens: Gives tokens, for a person who signed in with tokens of the app.
    /// - Returns: The session; nil if nobody is signed in.
    /// - Throws: ``SessionError/storage(_:)`` if the credentials cannot be read.
    public static func resume(
        on server: NexusServer, tokens: (any TokenProvider)? = nil
    ) throws(SessionError) -> NexusSession? {
        guard let kept = try server.keptCredentials() else { return nil }
        if kept.sessionCookie != nil {
            return server.session(user: kept.userID, tokens: AccountTokens(server, kept))
        }
        return tokens.map { server.session(user: kept.userID, tokens: KeptTokens(tokens: $0, server: server)) }
    }

    /// Makes the session of a reply that signs a person in.
    private static func session(
        _ response: ClientResponse, _ server: NexusServer, after begun: Credentials? = nil
    ) throws(SessionError) -> NexusSession {
        let signedIn: SignedInSession = try value(response.body)
        var credentials = Credentials(
            userID: signedIn.user.userId, name: signedIn.user.name, sessionCookie: begun?.sessionCookie)
        credentials.renew(from: response)
        guard credentials.sessionCookie != nil else { throw .unreadable }
        try server.keep(credentials)
        return server.session(
            user: credentials.userID, tokens: AccountTokens(server, credentials, token: signedIn.accessToken))
    }

    private static func code(of invitation: String) -> String {
        encoded(String(invitation.split(separator: "/").last ?? ""))
    }
}

/// A sign-in with another service that has begun.
public struct OpenIDSignIn: Hashable, Sendable {
    static let cookieName = "nexus-oidc"

    /// The address to open in a browser.
    public let url: URL
    let binding: String

    /// Returns where a response leads; the server puts failures into the address, too.
    static func redirect(of response: ClientResponse) throws(SessionError) -> String {
        guard response.status == 302, let address = response.headers["location"] else {
            throw NexusSession.error(of: response)
        }
        if let code = address.components(separatedBy: "/#/sign-in?error=").dropFirst().first {
            throw .refused(status: 401, code: code, detail: "", retryAfter: nil)
        }
        return address
    }
}

/// The account of a person who signed in on this server.
extension NexusSession {
    /// Lists where the person is signed in.
    public func sessions() async throws(SessionError) -> [SessionDetails] {
        let list: SessionDetailsList = try await fetch("GET", "/v1/sessions")
        return list.sessions
    }

    /// Ends another session of the person.
    public func endSession(_ id: String) async throws(SessionError) {
        try await change("DELETE", "/v1/sessions/\(Self.encoded(id))")
    }

    /// Replaces the person's password, which ends all other sessions.
    public func changePassword(from current: String, to new: String) async throws(SessionError) {
        try await change("PUT", "/v1/account/password", ["current": current, "new": new])
    }
}
