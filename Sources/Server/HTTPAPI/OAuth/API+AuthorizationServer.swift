import Accounts
import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NexusModel
import UseCases
import WebServer

/// The authorization server for `/mcp`: OAuth 2.1 with PKCE, for programs that know only the address.
///
/// There is one only where people sign in, and where the page is there to ask them; else all of it answers 404.
extension API {
    private static let protectedResource = ".well-known/oauth-protected-resource"

    var authorizationRoutes: [Route] {
        [
            metadataRoute(Self.protectedResource + "/mcp", id: "describeMCP") { $0.resource },
            metadataRoute(Self.protectedResource, id: "describeResource") { $0.resource },
            metadataRoute(".well-known/oauth-authorization-server", id: "describeAuthorization") { $0.server },
            metadataRoute(".well-known/openid-configuration", id: "describeOpenID") { $0.server },
            Route(.post, "register", .everyone, id: "registerProgram", "Takes a program that wants to act for people.")
            {
                incoming, _ in try await programReply { try await register(incoming) }
            },
            Route(.get, "authorize", .everyone, id: "askForAuthorization", "Sends the browser to the page that asks.") {
                incoming, _ in try await askForAuthorization(incoming)
            },
            Route(
                .post, "authorize", .person, id: "authorize", "Shows what a program asks for, and takes the decision."
            ) { incoming, caller in try await authorize(incoming, caller) },
            Route(.post, "token", .everyone, id: "makeToken", "Exchanges a code or a refresh token for tokens.") {
                incoming, _ in try await programReply { try await makeToken(incoming) }
            },
            Route(.post, "revoke", .everyone, id: "revokeToken", "Ends the session of an assistant's token.") {
                incoming, _ in try await programReply { try await revoke(incoming) }
            },
        ]
    }

    private func metadataRoute(
        _ path: String, id: String, _ document: @escaping @Sendable (AuthorizationMetadata) -> JSONValue
    ) -> Route {
        Route(.get, path, .everyone, id: id, "Describes how programs get tokens for /mcp.") { incoming, _ in
            let (_, origin) = try authorizationServer(incoming)
            var response = try reply(document(AuthorizationMetadata(origin: origin)))
            response.headers[.cacheControl] = "public, max-age=3600"
            return response
        }
    }

    /// The accounts, and the origin by which the client calls this server.
    ///
    /// - Throws: ``Failure/signInNotConfigured`` if there is no authorization server here.
    private func authorizationServer(_ incoming: IncomingRequest) throws(Failure) -> (AccountService, origin: String) {
        guard services.page != nil, let accounts = try? passwordAccounts, let origin = origin(of: incoming) else {
            throw .signInNotConfigured
        }
        return (accounts, origin)
    }

    /// Returns the origin of this server as clients reach it: `http.public-url`, else a name of this server.
    ///
    /// A name that only the request gives is never used, because codes and browsers are sent there.
    func origin(of incoming: IncomingRequest) -> String? {
        if let address = settings.publicURL { return address }
        guard let host = BrowserGuard.authority(of: incoming.request, isStream: incoming.isStream),
            host.isLoopback || host.host == incoming.channel.localAddress?.ipAddress
                || (settings.hosts + [settings.host]).contains(where: { $0.lowercased() == host.host })
        else { return nil }
        return (cookiesAreSecure(incoming) ? "https://" : "http://") + host.text
    }

    /// Returns a failure that says where a program gets a token, if it is for a route that assistants may use.
    func challenging(_ failure: Failure, _ incoming: IncomingRequest, at route: Route) -> Failure {
        guard route.access == .tools, let challenge = failure.challenge,
            let (_, origin) = try? authorizationServer(incoming)
        else { return failure }
        var failure = failure
        failure.challenge = challenge + #", resource_metadata="\#(origin)/\#(Self.protectedResource)/mcp""#
        if failure.status == 401 {
            failure.challenge? += #", scope="\#(AuthorizationRequest.standardScopes.words)""#
        }
        return failure
    }

    /// Refuses a token that was made for another address.
    func checkAudience(of assistant: AssistantRights, _ incoming: IncomingRequest) throws(Failure) {
        let (_, origin) = try authorizationServer(incoming)
        guard assistant.audience == ProtectedResource(origin: origin).address else {
            throw TokenFault.wrongAudience.failure
        }
    }

    /// Answers a program in the form of OAuth.
    private func programReply(_ work: () async throws -> Response) async throws -> Response {
        do {
            return try await work()
        } catch let fault as OAuthFault {
            return try fault.response()
        }
    }

    // MARK: - Registration

    private func register(_ incoming: IncomingRequest) async throws -> Response {
        let (accounts, _) = try authorizationServer(incoming)
        try await signInLimits.takeRegistration(from: incoming.address)
        let fields = try await incoming.json(limit: settings.bodyByteLimit).object()
        let program = try RegisteredProgram(fields, at: incoming.receivedAt)
        let id = try await accounts.clientID(of: program)
        var response = try reply(
            JSONValue.object([
                "client_id": .string(id), "client_id_issued_at": .integer(program.registeredAt),
                "client_name": .string(program.name), "redirect_uris": .array(program.redirects.map { .string($0) }),
                "grant_types": .array(["authorization_code", "refresh_token"].map { .string($0) }),
                "response_types": .array([.string("code")]), "token_endpoint_auth_method": .string("none"),
            ]), status: .created)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    // MARK: - The person's decision

    private func askForAuthorization(_ incoming: IncomingRequest) async throws -> Response {
        let (accounts, origin) = try authorizationServer(incoming)
        let query = incoming.request.uri.query ?? ""
        do {
            _ = try await AuthorizationRequest(query: query, origin: origin, accounts: accounts)
        } catch let fault as OAuthFault {
            return Self.page(of: fault)
        }
        var response = Response(
            status: .found, headers: [.location: "/#/connect?" + query, .cacheControl: "no-store"])
        response.headers.set("Referrer-Policy", to: "no-referrer")
        return response
    }

    /// Takes the decision of a person, who is known by the token of a session: no page of another site has one.
    private func authorize(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let (accounts, origin) = try authorizationServer(incoming)
        try refuseOtherPages(incoming)
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        guard session(of: incoming) != nil else { throw Failure.signInNotConfigured }
        let decision: ProgramDecision? = try body["consent"].optionalWord()
        let request: AuthorizationRequest
        do {
            request = try await AuthorizationRequest(
                query: try body["request"].string(), origin: origin, accounts: accounts)
        } catch let fault as OAuthFault {
            throw body["request"].error(fault.detail)
        }
        let scopes = try await accounts.sessions(of: asker).compactMap(\.assistant)
            .filter { $0.client == request.client }.reduce(request.scopes) { $0.union($1.scopes) }
        var answer = ProgramRequest(
            name: request.program.name, returnsTo: request.redirect.host, isLocal: request.redirect.isLocal,
            scopes: scopes.inOrder.map(\.rawValue))
        switch decision {
        case nil: break
        case .deny:
            answer.redirectTo = request.answer([("error", OAuthFault.Code.accessDenied.rawValue)], issuer: origin)
        case .allow:
            let code = try await code(for: request, scopes, of: asker, origin: origin, accounts)
            answer.redirectTo = request.answer([("code", code)], issuer: origin)
        }
        var response = try reply(answer)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// What a person sees whom a program sent here with a wrong request.
    private static func page(of fault: OAuthFault) -> Response {
        let text = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>Nexus</title>
            <h1>This program cannot be connected</h1>
            <p>Its request is not valid: \(fault.detail). Start again in the program.</p>
            <div lang="de"><h1>Dieses Programm kann nicht verbunden werden</h1>
            <p>Seine Anfrage ist nicht gültig. Beginne im Programm noch einmal.</p></div>
            """
        return Response(
            status: .badRequest,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: "default-src 'none'",
                .xContentTypeOptions: "nosniff", .cacheControl: "no-store",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private func code(
        for request: AuthorizationRequest, _ scopes: Set<AssistantScope>, of user: UserID, origin: String,
        _ accounts: AccountService
    ) async throws -> String {
        let (text, code) = try await accounts.makeAssistantCode(for: request.client)
        let grant = AssistantGrant(
            user: user.rawValue, name: request.program.name, scopes: scopes.words, redirect: request.redirect.text,
            challenge: request.challenge, origin: origin)
        let isKept = try await services.oneTimeValues.keep(
            String(decoding: try JSONEncoder().encode(grant), as: UTF8.self), as: code.key, of: user,
            until: services.now() + .seconds(AssistantGrant.lifetime), at: services.now())
        guard isKept else { throw Failure.overloaded }
        return text
    }

    // MARK: - Tokens

    private func form(_ incoming: IncomingRequest) async throws -> (fields: [String: [String]], client: [UInt8]) {
        let type = incoming.request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        guard type.lowercased() == "application/x-www-form-urlencoded",
            let fields = Form.decode(Array(buffer: try await incoming.body(limit: settings.bodyByteLimit)))
        else { throw OAuthFault(.invalidRequest, "the body is a form, in which no field is repeated") }
        guard let id = fields.only("client_id"), try await services.accounts?.program(id) != nil else {
            throw OAuthFault(.invalidClient, "this program is not registered here")
        }
        return (fields, RegisteredProgram.digest(of: id))
    }

    private func makeToken(_ incoming: IncomingRequest) async throws -> Response {
        let (accounts, origin) = try authorizationServer(incoming)
        let (fields, client) = try await form(incoming)
        guard ProtectedResource(origin: origin).isNamed(by: fields["resource"] ?? []) else {
            throw OAuthFault(.invalidTarget, "resource is not an address of this server")
        }
        let signedIn: AccountService.SignedIn
        do {
            signedIn =
                switch fields.only("grant_type") {
                case "authorization_code": try await exchange(fields, client, origin, incoming, accounts)
                case "refresh_token": try await refresh(fields, client, accounts)
                default: throw OAuthFault(.unsupportedGrantType, "grant_type is authorization_code or refresh_token")
                }
        } catch is AccountError {
            throw OAuthFault(.invalidGrant, "the session has ended: let the person sign in again")
        }
        guard let assistant = signedIn.session.assistant else { throw Failure.sessionEnded }
        let token = try await SessionTokens(accounts: accounts, now: services.now).make(
            for: signedIn.account, session: signedIn.session,
            audience: ProtectedResource(origin: origin).address)
        var response = try reply(
            JSONValue.object([
                "access_token": .string(token.text), "token_type": .string("Bearer"),
                "expires_in": .integer(SessionTokens.assistantLifetime), "scope": .string(assistant.scopes.words),
                "refresh_token": .string(signedIn.refreshToken),
            ]))
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// Opens the session of a code, which is used up even if something else is wrong.
    private func exchange(
        _ fields: [String: [String]], _ client: [UInt8], _ origin: String, _ incoming: IncomingRequest,
        _ accounts: AccountService
    ) async throws -> AccountService.SignedIn {
        let wrong = OAuthFault(.invalidGrant, "the code is unknown, used, too old, or of another program")
        guard let text = fields.only("code"), let code = try await accounts.assistantCode(text, of: client) else {
            throw wrong
        }
        guard let value = try await services.oneTimeValues.take(code.key, at: services.now()) else {
            // Somebody else has the code too, so nobody keeps what it opened, or is about to open.
            let (values, moment) = (services.oneTimeValues, services.now())
            _ = try await values.keep(
                "", as: code.secondUseKey, of: nil, until: moment + .seconds(AssistantGrant.lifetime), at: moment)
            try await accounts.endAssistant(code.session)
            throw wrong
        }
        let grant = try JSONDecoder().decode(AssistantGrant.self, from: Data(value.utf8))
        guard grant.redirect == fields.only("redirect_uri"), grant.origin == origin,
            grant.isVerified(by: fields.only("code_verifier") ?? "")
        else { throw OAuthFault(.invalidGrant, "redirect_uri or code_verifier is not the one of the request") }
        let assistant = ConnectedAssistant(name: grant.name, client: client, scopes: Set(words: grant.scopes))
        let signedIn = try await accounts.connect(
            assistant, with: code, to: UserID(rawValue: grant.user), userAgent: incoming.userAgent)
        guard try await services.oneTimeValues.take(code.secondUseKey, at: services.now()) == nil else {
            try await accounts.endAssistant(code.session)
            throw wrong
        }
        return signedIn
    }

    private func refresh(
        _ fields: [String: [String]], _ client: [UInt8], _ accounts: AccountService
    ) async throws -> AccountService.SignedIn {
        guard let token = fields.only("refresh_token") else {
            throw OAuthFault(.invalidRequest, "refresh_token is missing")
        }
        return try await accounts.renewAssistant(token, of: client)
    }

    /// Ends the session of a token (RFC 7009); a token that means nothing is fine too.
    private func revoke(_ incoming: IncomingRequest) async throws -> Response {
        let (accounts, _) = try authorizationServer(incoming)
        let (fields, client) = try await form(incoming)
        guard let token = fields.only("token") else { throw OAuthFault(.invalidRequest, "token is missing") }
        try await accounts.disconnect(token, of: client)
        if let session = try? await SessionTokens(accounts: accounts, now: services.now).session(of: token),
            session.assistant?.client == client
        {
            try await accounts.endAssistant(session.id)
        }
        return Response(status: .ok, headers: [.cacheControl: "no-store"])
    }
}

extension AccountService.AssistantCode {
    /// The key under which a second use is noted, which may come before the first has opened the session.
    fileprivate var secondUseKey: String { "again \(key)" }
}

/// What a person decided about a program.
enum ProgramDecision: String, CaseIterable {
    case allow
    case deny
}

/// What programs read about this server, before they have a token.
struct AuthorizationMetadata {
    let origin: String

    /// The protected resource (RFC 9728).
    var resource: JSONValue {
        .object([
            "resource": .string(ProtectedResource(origin: origin).address), "resource_name": .string("Nexus"),
            "authorization_servers": .array([.string(origin)]), "scopes_supported": scopes,
            "bearer_methods_supported": .array([.string("header")]),
        ])
    }

    /// The authorization server (RFC 8414).
    var server: JSONValue {
        .object([
            "issuer": .string(origin), "authorization_endpoint": .string(origin + "/authorize"),
            "token_endpoint": .string(origin + "/token"), "registration_endpoint": .string(origin + "/register"),
            "revocation_endpoint": .string(origin + "/revoke"), "scopes_supported": scopes,
            "response_types_supported": .array([.string("code")]),
            "response_modes_supported": .array([.string("query")]),
            "grant_types_supported": .array(["authorization_code", "refresh_token"].map { .string($0) }),
            "token_endpoint_auth_methods_supported": .array([.string("none")]),
            "revocation_endpoint_auth_methods_supported": .array([.string("none")]),
            "code_challenge_methods_supported": .array([.string("S256")]),
            "authorization_response_iss_parameter_supported": .bool(true),
        ])
    }

    private var scopes: JSONValue { .array(AssistantScope.allCases.map { .string($0.rawValue) }) }
}
