import Accounts
import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// The person who is signed in, with sessions and password.
extension API {
    private static let latestReadingCount = 500

    var sessionRoutes: [Route] {
        [
            Route(.get, "v1/session", .user, id: "getSession", "Shows who the caller is.") { incoming, caller in
                let asker = try incoming.asker(caller)
                return try reply(
                    SessionState(
                        user: try await sessionUser(asker, caller),
                        passwordLink: try await services.accounts?.openReset(of: asker).map { PasswordLink($0) }))
            },
            Route(.get, "v1/sessions", .user, id: "listSessions", "Lists where the asker is signed in.") {
                incoming, caller in
                let asker = try incoming.asker(caller)
                let present = session(of: incoming)
                let sessions = try await present == nil ? [] : shownSessions(of: asker)
                return try reply(
                    SessionDetailsList(sessions: sessions.map { SessionDetails($0, isCurrent: $0.id == present) }))
            },
            Route(.delete, "v1/sessions/:session", .person, id: "endSession", "Ends a session of the asker.") {
                incoming, caller in
                let asker = try incoming.asker(caller)
                let id = AccountSession.ID(rawValue: try incoming.parameter("session"))
                guard session(of: incoming) != nil, let accounts = services.accounts,
                    try await accounts.end(id, of: asker)
                else { throw Failure.noSuchSession }
                return Response(status: .noContent)
            },
            Route(
                .put, "v1/account/password", .person, id: "changePassword",
                "Replaces the asker's password, and ends the asker's other sessions."
            ) { try await changePassword($0, $1) },
        ]
    }

    /// Returns the session that the caller's token belongs to; nil for other callers.
    func session(of incoming: IncomingRequest) -> AccountSession.ID? { incoming.validity.session }

    private func sessionUser(_ asker: UserID, _ caller: Caller) async throws -> SessionUser {
        if case .person(let person, let role) = caller {
            let account = try await services.accounts?.account(asker)
            return SessionUser(
                userId: asker.rawValue, name: person.name ?? asker.rawValue, role: .init(role),
                hasPassword: account?.hasPassword ?? false)
        }
        // Without authentication everybody administers the server.
        let role: AccountRole = caller.isAdmitted(by: .admin) ? .administrator : .member
        let known = try await services.knownPeople(asker, 1).first
        return SessionUser(
            userId: asker.rawValue, name: known?.name ?? asker.rawValue, role: .init(role), hasPassword: false)
    }

    /// The sessions of a person; one of an assistant was last used when it last read something.
    ///
    /// The session itself is written only when its token is renewed, hours later.
    private func shownSessions(of asker: UserID) async throws -> [AccountSession] {
        guard let accounts = services.accounts else { return [] }
        var sessions = try await accounts.sessions(of: asker)
        guard sessions.contains(where: { $0.assistant != nil }) else { return sessions }
        let readings = try await accounts.readings(of: asker, before: nil, limit: Self.latestReadingCount).readings
        for index in sessions.indices {
            let read = readings.first { $0.session == sessions[index].id }?.readAt
            sessions[index].lastUsedAt = max(sessions[index].lastUsedAt, read ?? sessions[index].lastUsedAt)
        }
        return sessions
    }

    private func changePassword(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        guard let session = session(of: incoming) else { throw Failure.signInNotConfigured }
        let accounts = try passwordAccounts
        let (current, new) = (try body["current"].string(), try body["new"].string())
        // Strangers who guess the password do not use up the attempts of a session.
        let place = SignInLimits.Place.device(session.rawValue)
        try await signInLimits.take(asker, at: place)
        do {
            try await accounts.changePassword(
                of: asker, from: current, to: new, keeping: session, address: incoming.address)
        } catch AccountError.signInFailed {
            throw Failure.wrongPassword
        }
        try await signInLimits.forget(asker, at: place)
        return Response(status: .noContent)
    }
}
