import Accounts
import ChatCore
import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

/// Signing in and out, and links that set a password.
extension API {
    private static let invitation = "v1/invitations/:code"
    /// The most people that can be picked without authentication.
    static let pickedUserLimit = 500

    var signInRoutes: [Route] {
        [
            Route(
                .get, "v1/session/methods", .everyone, id: "getSignInMethods", "Shows how people sign in here."
            ) { incoming, _ in try await methods(incoming) },
            Route(.post, "v1/session", .everyone, id: "signIn", "Signs a person in with a password.") {
                incoming, _ in try await signIn(incoming)
            },
            Route(
                .post, "v1/session/refresh", .everyone, id: "refreshSession",
                "Renews the session of the cookie and returns an access token."
            ) { incoming, _ in try await refresh(incoming) },
            Route(.delete, "v1/session", .everyone, id: "signOut", "Ends the session of the cookie.") {
                incoming, _ in try await signOut(incoming)
            },
            Route(.get, Self.invitation, .everyone, id: "getInvitation", "Shows whom a link is for.") {
                incoming, _ in
                let accounts = try passwordAccounts
                try await signInLimits.take(from: incoming.address)
                let (account, purpose) = try await accounts.invitation(try incoming.parameter("code"))
                return try reply(
                    AccountInvitationDetails(
                        userId: account.userID.rawValue, name: account.name, purpose: .init(purpose)))
            },
            Route(
                .post, Self.invitation, .everyone, id: "acceptInvitation",
                "Sets the password of a link's person, and signs the person in."
            ) { incoming, _ in try await acceptInvitation(incoming) },
        ]
    }

    /// The accounts of a server that authenticates people.
    var passwordAccounts: AccountService {
        get throws(Failure) {
            guard identification != nil, let accounts = services.accounts else { throw .signInNotConfigured }
            return accounts
        }
    }

    /// How callers are identified now; nil if every caller is trusted.
    var identification: AuthenticationSettings? {
        settings.authentication ?? (services.signIn?.isOn == true ? AuthenticationSettings() : nil)
    }

    /// Whether nobody can sign in as an administrator yet.
    private func isFirstStart(_ accounts: [Account]) -> Bool {
        guard let identification else { return false }
        return identification.tokens == nil && identification.openID == nil && !accounts.hasAdministrator
    }

    private func methods(_ incoming: IncomingRequest) async throws -> Response {
        guard let authentication = identification else {
            let people = try await services.knownPeople(nil, Self.pickedUserLimit)
            return try reply(
                SignInMethods(
                    authentication: "none",
                    users: people.map { ChatPerson(userId: $0.id.rawValue, name: $0.name ?? $0.id.rawValue) },
                    defaultUser: settings.defaultUser, password: false, isFirstStart: false,
                    hasLanguageModel: services.hasLanguageModel))
        }
        let accounts = try await services.accounts?.accounts() ?? []
        return try reply(
            SignInMethods(
                authentication: "required", users: [], password: accounts.contains { $0.hasPassword },
                oidc: authentication.openID.map { SignInMethods.Service(name: $0.name) },
                isFirstStart: isFirstStart(accounts), hasLanguageModel: services.hasLanguageModel))
    }

    private func signIn(_ incoming: IncomingRequest) async throws -> Response {
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let accounts = try passwordAccounts
        let user: UserID = try body["userId"].identifier()
        let password = try body["password"].string()
        let device = try await accounts.device(of: SessionCookie.device.value(in: incoming.request), for: user)
        let place = device.map { SignInLimits.Place.device($0.id) } ?? .address(incoming.address)
        let signedIn = try await counting(.password) {
            if device == nil { try await signInLimits.take(from: incoming.address) }
            try await signInLimits.take(user, at: place)
            return try await incoming.whileClientListens {
                try await accounts.signIn(
                    user, password: password, userAgent: incoming.userAgent, address: incoming.address,
                    isKnown: device != nil)
            }
        }
        try await signInLimits.forget(user, at: place)
        return try await reply(signedIn, incoming)
    }

    private func acceptInvitation(_ incoming: IncomingRequest) async throws -> Response {
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let accounts = try passwordAccounts
        let name = try body["name"].optionalString()
        if let name, let fault = TextLimit.name.fault(of: name, mayBeEmpty: false) { throw body["name"].error(fault) }
        let (code, password) = (try incoming.parameter("code"), try body["password"].string())
        let signedIn = try await counting(.link) {
            try await signInLimits.take(from: incoming.address)
            return try await accounts.accept(
                code, password: password, name: name, userAgent: incoming.userAgent, address: incoming.address)
        }
        return try await reply(signedIn, incoming)
    }

    private func refresh(_ incoming: IncomingRequest) async throws -> Response {
        try refuseOtherPages(incoming)
        _ = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
        guard let accounts = try? passwordAccounts, let token = SessionCookie.session.value(in: incoming.request) else {
            throw Failure.sessionEnded
        }
        do {
            return try await reply(try await accounts.renew(token), incoming)
        } catch let error as AccountError {
            var response = Self.reply(Failure(error), as: .problem)
            response.headers.add(sessionCookie("", incoming))
            record(Failure(error), of: error, logger: services.logger)
            return response
        }
    }

    private func signOut(_ incoming: IncomingRequest) async throws -> Response {
        try refuseOtherPages(incoming)
        if let token = SessionCookie.session.value(in: incoming.request) {
            try await services.accounts?.signOut(token)
        }
        var response = Response(status: .noContent)
        response.headers.add(sessionCookie("", incoming))
        return response
    }

    func reply(_ signedIn: AccountService.SignedIn, _ incoming: IncomingRequest) async throws -> Response {
        let accounts = try passwordAccounts
        let token = try await SessionTokens(accounts: accounts, now: services.now).make(
            for: signedIn.account, session: signedIn.session)
        var response = try reply(
            SignedInSession(
                accessToken: token.text, expiresAt: token.end.wireDate, user: SessionUser(signedIn.account)))
        response.headers.add(sessionCookie(signedIn.refreshToken, incoming))
        response.headers.add(try await deviceCookie(of: signedIn.account.userID, accounts, incoming))
        return response
    }

    /// Returns the field that marks the device, with the mark that it has or a new one.
    private func deviceCookie(
        of user: UserID, _ accounts: AccountService, _ incoming: IncomingRequest
    ) async throws -> HTTPField {
        let known = try await accounts.device(of: SessionCookie.device.value(in: incoming.request), for: user)
        let device = if let known { known } else { try await accounts.markDevice(of: user) }
        return HTTPField(
            name: .setCookie,
            value: SessionCookie.device.field(
                device.mark, lifetime: SessionCookie.deviceLifetime, isSecure: cookiesAreSecure(incoming)))
    }

    /// Returns the field that sets the cookie of a session; an empty token removes it.
    func sessionCookie(_ token: String, _ incoming: IncomingRequest) -> HTTPField {
        HTTPField(
            name: .setCookie,
            value: SessionCookie.session.field(
                token, lifetime: AccountService.sessionLifetime, isSecure: cookiesAreSecure(incoming)))
    }
}

/// How a person signs in.
enum SignInMethod: String, CaseIterable {
    case password
    case link
    case openID = "openid"
}

extension API {
    /// Counts a sign-in, and whether it succeeds.
    func counting<Value, Fault: Error>(
        _ method: SignInMethod, _ signIn: () async throws(Fault) -> Value
    ) async throws(Fault) -> Value {
        func count(_ outcome: String) {
            Counter(
                label: "nexus_sign_ins_total", dimensions: [("method", method.rawValue), ("outcome", outcome)],
                factory: services.metrics
            ).increment()
        }
        do {
            let value = try await signIn()
            count("succeeded")
            return value
        } catch {
            count("failed")
            throw error
        }
    }
}

extension HTTPFields {
    /// Adds a field beside others with its name.
    mutating func add(_ field: HTTPField) { append(field) }
}

extension IncomingRequest {
    /// What the client says of itself; nil if it says nothing.
    var userAgent: String? { request.headers[.userAgent] }
}
