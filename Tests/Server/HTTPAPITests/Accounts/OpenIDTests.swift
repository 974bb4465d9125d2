import ChatCore
import Crypto
import Foundation
import HTTPAPI
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import Transport
import UseCases

/// Signing in with another service: a stub of one, over real HTTP.
@Suite(.hangGuard) struct OpenIDTests {
    /// A service with which people sign in.
    private final class Provider: Sendable {
        struct State {
            var token = ""
            var challenge = ""
            var callback = ""
            var usedCodes: Set<String> = []
            var forms: [[String: String]] = []
            var authorization: String?
        }

        let forge: TokenForge
        let state = Mutex(State())
        private let box = Mutex<StubServer?>(nil)

        init() throws {
            forge = try TokenForge()
            let keys = try forge.keySet()
            let server = try StubServer { [weak self] request in
                self?.answer(request, keys: keys) ?? StubResponse(status: 500)
            }
            box.withLock { $0 = server }
        }

        var address: String { box.withLock { $0?.baseURL ?? "" } }
        func refuse() { box.withLock { $0?.refuse() } }

        private func answer(_ request: StubRequest, keys: Data) -> StubResponse {
            let base = address
            switch request.target {
            case "/.well-known/openid-configuration":
                let text =
                    #"{"issuer":"\#(base)","authorization_endpoint":"\#(base)/authorize","#
                    + #""token_endpoint":"\#(base)/token","jwks_uri":"\#(base)/keys"}"#
                return StubResponse(body: Data(text.utf8))
            case "/keys": return StubResponse(body: keys)
            case "/token": return token(request)
            default: return StubResponse(status: 404)
            }
        }

        private func token(_ request: StubRequest) -> StubResponse {
            let form = Provider.form(String(decoding: request.body, as: UTF8.self))
            return state.withLock { state in
                state.forms.append(form)
                state.authorization = request.header("Authorization")
                let challenge = TokenForge.base64(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8)))
                guard challenge == state.challenge, form["redirect_uri"] == state.callback,
                    let code = form["code"], state.usedCodes.insert(code).inserted
                else { return StubResponse(status: 400, body: Data(#"{"error":"invalid_grant"}"#.utf8)) }
                return StubResponse(body: Data(#"{"id_token":"\#(state.token)"}"#.utf8))
            }
        }

        static func form(_ text: String) -> [String: String] {
            Dictionary(
                text.split(separator: "&").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    return (String(parts[0]), String(parts.last ?? "").removingPercentEncoding ?? "")
                }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// A browser that was sent to the service.
    private struct Visit {
        let fields: [String: String]
        let cookie: [(name: String, value: String)]
    }

    private let provider: Provider

    init() throws { provider = try Provider() }

    private func withServer(
        secret: String? = "s:cret", publicURL: String? = nil, links: PersonLinks? = nil,
        _ body: (RunningServer) async throws -> Void
    ) async throws {
        let transport = try CurlTransport()
        var parts = ServerParts(
            AuthenticationSettings(
                openID: OpenIDSettings(
                    issuer: provider.address, clientID: TokenForge.audience,
                    clientSecret: secret.flatMap { SecretText($0) }, name: "Example")))
        parts.settings.hosts = ["chat.test"]
        parts.settings.publicURL = publicURL
        parts.links = links
        parts.fetchKeys = { address in
            let reply = try await transport.send(HTTPExchangeRequest(url: address))
            guard reply.status == 200 else { throw CancellationError() }
            return KeyDocument(body: reply.body)
        }
        parts.postForm = { address, form, authorization in
            var headers: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]
            if let authorization { headers["Authorization"] = authorization }
            let reply = try await transport.send(
                HTTPExchangeRequest(method: "POST", url: address, headers: headers, body: Data(form.utf8)))
            return (reply.status, reply.body)
        }
        try await ServerTestSupport.withServer(parts, body: body)
        await transport.shutdown()
    }

    /// Begins, and lets the service make a token for this sign-in.
    private func begin(
        _ server: RunningServer, claims changes: [String: Any?] = [:], key: TokenForge.Key = .ec
    ) async throws -> Visit {
        let reply = try await server.send("GET", "/v1/session/oidc/start")
        let location = try #require(reply.headers["Location"])
        #expect(reply.status == 302 && location.hasPrefix(provider.address + "/authorize?"))
        let fields = Provider.form(String(location.drop { $0 != "?" }.dropFirst()))
        let cookie = try #require(reply.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("nexus-oidc=") && cookie.hasSuffix("HttpOnly; SameSite=Lax"))
        var claims = TokenForge.claims(
            "ada", changing: ["iss": provider.address, "nonce": fields["nonce"], "name": "Ada L"])
        for (name, value) in changes { claims[name] = value }
        let token = try await provider.forge.token(claims, by: key)
        provider.state.withLock { state in
            state.token = token
            state.challenge = fields["code_challenge"] ?? ""
            state.callback = fields["redirect_uri"] ?? ""
        }
        return Visit(fields: fields, cookie: [("Cookie", String(cookie.prefix { $0 != ";" }))])
    }

    private func finish(
        _ server: RunningServer, _ visit: Visit, code: String = "c1", state: String? = nil, cookie: Bool = true,
        more: String = ""
    ) async throws -> Reply {
        let state = state ?? visit.fields["state"] ?? ""
        return try await server.send(
            "GET", "/v1/session/oidc/callback?code=\(code)&state=\(state)\(more)", headers: cookie ? visit.cookie : [])
    }

    private func error(of reply: Reply) -> String? {
        reply.headers["Location"]?.components(separatedBy: "/#/sign-in?error=").last
    }

    @Test func aPersonComesBackSignedIn() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            #expect(visit.fields["response_type"] == "code" && visit.fields["code_challenge_method"] == "S256")
            #expect(visit.fields["redirect_uri"] == "http://127.0.0.1:\(server.port)/v1/session/oidc/callback")

            let reply = try await finish(server, visit)

            #expect(reply.status == 302 && reply.headers["Location"] == "/")
            let cookies = reply.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value)
            let session = try #require(cookies.first { $0.hasPrefix("nexus-session=") })
            #expect(cookies.contains { $0.hasPrefix("nexus-oidc=; ") })
            let renewed = try await server.send(
                "POST", "/v1/session/refresh", headers: [("Cookie", String(session.prefix { $0 != ";" }))])
            #expect(renewed.status == 200)
            #expect(
                renewed.text.contains(
                    #""user":{"hasPassword":false,"name":"Ada L","role":"member","userId":"ada"}"#))
            let pair = Data("chat:s%3Acret".utf8).base64EncodedString()
            #expect(provider.state.withLock { $0.authorization } == "Basic \(pair)")
            let methods = try await server.send("GET", "/v1/session/methods")
            #expect(methods.text.contains(#""oidc":{"name":"Example"}"#))
            // The account that this sign-in made has no password.
            #expect(methods.text.contains(#""password":false"#))
        }
    }

    /// Keeps the addresses that sign-ins set.
    private final class Emails: PersonLinkRepository {
        let set = Mutex<[String]>([])

        func links(of user: UserID?) async throws -> [PersonLink] { [] }
        func keepLinkCode(_ digest: [UInt8], of user: UserID, until expiry: Timestamp, at moment: Timestamp)
            async throws
            -> Bool
        { true }
        func endLink(of author: String?, in source: String, user: UserID?, at moment: Timestamp) async throws
            -> PersonLink?
        { nil }
        func setEmail(_ email: String?, from origin: EmailOrigin, of user: UserID, at moment: Timestamp) async throws
            -> Bool
        {
            set.withLock { $0.append("\(user) \(email ?? "none") \(origin.rawValue)") }
            return true
        }
    }

    /// Each sign-in says it again, so that an address that is no longer verified is forgotten.
    @Test func onlyAVerifiedAddressIsTakenFromTheService() async throws {
        let emails = Emails()
        try await withServer(links: PersonLinks(store: emails, sources: [], now: { Sample.now })) { server in
            let claims: [[String: any Sendable]] = [
                ["email": "Ada@Example.org", "email_verified": true],
                ["email": "ada@example.org", "email_verified": "true"],
                ["email": "ada@example.org", "email_verified": false], ["email": "ada@example.org"],
                ["email": "ada@example.org", "email_verified": 1], ["email_verified": true],
                ["email": "adа@example.org", "email_verified": true],
            ]
            for (number, claims) in claims.enumerated() {
                let visit = try await begin(server, claims: claims)
                #expect(try await finish(server, visit, code: "c\(number)").headers["Location"] == "/")
            }
        }
        #expect(
            emails.set.withLock { $0 } == [
                "ada ada@example.org service", "ada ada@example.org service", "ada none service", "ada none service",
                "ada none service", "ada none service", "ada none service",
            ])
    }

    @Test func anotherBrowserOrStateIsRefused() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            #expect(error(of: try await finish(server, visit, state: "x")) == "sign_in_state")
            #expect(error(of: try await finish(server, visit, cookie: false)) == "sign_in_state")
            // The attempt used it up.
            #expect(error(of: try await finish(server, visit)) == "sign_in_state")
            let other = try await begin(server)
            let mixed = Visit(fields: other.fields, cookie: visit.cookie)
            #expect(error(of: try await finish(server, mixed)) == "sign_in_state")
            #expect(provider.state.withLock { $0.forms }.isEmpty)
        }
    }

    @Test func aCodeIsUsedOnce() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            #expect(try await finish(server, visit).headers["Location"] == "/")
            #expect(error(of: try await finish(server, visit)) == "sign_in_state")
            let second = try await begin(server)
            #expect(error(of: try await finish(server, second)) == "sign_in_refused")
        }
    }

    @Test(
        arguments: [
            ["nonce": "other"], ["nonce": nil], ["aud": "other"], ["iss": "https://issuer.test"], ["exp": 1],
            ["sub": nil], ["azp": "other"], ["azp": 7], ["aud": [TokenForge.audience, "other"]],
            ["aud": [TokenForge.audience, "other"], "azp": "other"],
        ] as [[String: (any Sendable)?]]) func aTokenThatIsNotForThisSignInIsRefused(
            changes: [String: (any Sendable)?]
        ) async throws
    {
        try await withServer { server in
            nonisolated(unsafe) let claims = changes.mapValues { $0 as Any? }
            let visit = try await begin(server, claims: claims)
            let reply = try await finish(server, visit)
            #expect(error(of: reply) == "provider_reply_invalid")
            #expect(reply.headers["Set-Cookie"]?.contains("nexus-session") != true)
        }
    }

    @Test func severalAudiencesNeedTheAuthorizedParty() async throws {
        try await withServer { server in
            let visit = try await begin(
                server, claims: ["aud": [TokenForge.audience, "other"], "azp": TokenForge.audience])
            #expect(try await finish(server, visit).headers["Location"] == "/")
            let single = try await begin(server, claims: ["aud": [TokenForge.audience]])
            #expect(try await finish(server, single, code: "c2").headers["Location"] == "/")
        }
    }

    @Test(arguments: ["evil.example", "chat.test.evil.example", "evil.example:8080", "192.0.2.66"])
    func theServiceSendsNobodyToAnotherHost(host: String) async throws {
        try await withServer { server in
            let reply = try await server.send("GET", "/v1/session/oidc/start", headers: [("Host", host)])
            // Names that are not listed are refused; addresses are not, because they may be this server's.
            #expect(reply.status == 403 || error(of: reply) == "host_unknown")
            #expect(reply.headers["Location"]?.contains("evil") != true)
            let listed = try await server.send("GET", "/v1/session/oidc/start", headers: [("Host", "CHAT.test:8443")])
            let fields = Provider.form(String(listed.headers["Location"]?.drop { $0 != "?" }.dropFirst() ?? ""))
            #expect(fields["redirect_uri"] == "https://chat.test:8443/v1/session/oidc/callback")
        }
        try await withServer(publicURL: "https://chat.example.com") { server in
            let reply = try await server.send("GET", "/v1/session/oidc/start")
            let fields = Provider.form(String(reply.headers["Location"]?.drop { $0 != "?" }.dropFirst() ?? ""))
            #expect(fields["redirect_uri"] == "https://chat.example.com/v1/session/oidc/callback")
        }
    }

    @Test func aBadSignatureIsRefused() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            provider.state.withLock { state in
                let parts = state.token.split(separator: ".")
                state.token = parts[0] + "." + parts[1] + "." + String(repeating: "A", count: parts[2].count)
            }
            #expect(error(of: try await finish(server, visit)) == "provider_reply_invalid")
            let secret = try await begin(server, key: .secret)
            #expect(error(of: try await finish(server, secret, code: "c2")) == "provider_reply_invalid")
        }
    }

    @Test func theServiceMayRefuseThePerson() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            let reply = try await finish(server, visit, more: "&error=access_denied")
            #expect(error(of: reply) == "sign_in_refused")
            let other = try await begin(server)
            #expect(error(of: try await finish(server, other, more: "&iss=https://x.test")) == "provider_reply_invalid")
        }
    }

    @Test func aServiceThatIsDownIsSaidToBe() async throws {
        try await withServer { server in
            let visit = try await begin(server)
            provider.refuse()
            #expect(error(of: try await finish(server, visit)) == "provider_unavailable")
        }
        try await withServer { server in
            let reply = try await server.send("GET", "/v1/session/oidc/start")
            #expect(reply.status == 302 && error(of: reply) == "provider_unavailable")
        }
    }

    @Test func aDisabledAccountStaysOut() async throws {
        try await withServer { server in
            #expect(try await finish(server, try await begin(server)).headers["Location"] == "/")
            _ = try await server.send(
                "PATCH", "/v1/accounts/ada", #"{"isDisabled":true}"#, headers: try await server.key(.admin))
            #expect(error(of: try await finish(server, try await begin(server), code: "c2")) == "account_disabled")
        }
    }
}
