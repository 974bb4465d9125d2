import Accounts
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import Transport
import UseCases

/// Signing in with a password, cookies, sessions and accounts, over HTTP.
@Suite(.hangGuard) struct SignInTests {
    typealias Headers = [(name: String, value: String)]
    static let password = "correct horse"
    private let clock = ManualNow(Sample.now)

    /// A server that requires authentication and has only accounts.
    func parts() -> ServerParts {
        var parts = ServerParts(AuthenticationSettings())
        parts.now = clock.now
        parts.live = LiveSettings(heartbeat: .seconds(900))
        return parts
    }

    func withServer(_ body: (RunningServer, ServerParts) async throws -> Void) async throws {
        let parts = parts()
        try await ServerTestSupport.withServer(parts) { try await body($0, parts) }
    }

    /// Invites a person by a key of an administrator and accepts the link.
    func join(
        _ server: RunningServer, _ user: String = "ada", role: String = "member"
    ) async throws -> (reply: Reply, cookie: Headers, bearer: Headers) {
        let admin = try await server.key(.admin)
        let invited = try await server.send(
            "POST", "/v1/accounts", #"{"userId":"\#(user)","name":"Ada","role":"\#(role)"}"#, headers: admin)
        let code = try #require(invited.field("link")?.split(separator: "/").last)
        let reply = try await server.send(
            "POST", "/v1/invitations/\(code)", #"{"password":"\#(Self.password)"}"#)
        return (reply, Self.cookie(of: reply), Self.bearer(of: reply))
    }

    private static func cookie(of reply: Reply) -> Headers {
        let value = reply.headers["Set-Cookie"]?.prefix { $0 != ";" } ?? ""
        return [("Cookie", String(value))]
    }

    private static func bearer(of reply: Reply) -> Headers {
        [("Authorization", "Bearer \(reply.field("accessToken") ?? "")")]
    }

    func signIn(
        _ server: RunningServer, _ user: String = "ada", password: String = SignInTests.password, headers: Headers = []
    ) async throws -> Reply {
        try await server.send(
            "POST", "/v1/session", #"{"userId":"\#(user)","password":"\#(password)"}"#, headers: headers)
    }

    private func refresh(_ server: RunningServer, _ cookie: Headers, _ more: Headers = []) async throws -> Reply {
        try await server.send("POST", "/v1/session/refresh", headers: cookie + more)
    }

    @Test func aLinkLeadsToASession() async throws {
        try await withServer { server, _ in
            let admin = try await server.key(.admin)
            let invited = try await server.send("POST", "/v1/accounts", #"{"userId":"ada"}"#, headers: admin)
            let link = try #require(invited.field("link"))
            #expect(invited.status == 201 && link.hasPrefix("/#/invitation/"))
            let path = "/v1/invitations/" + (link.split(separator: "/").last ?? "")
            #expect(try await server.send("GET", path).text == #"{"purpose":"invitation","userId":"ada"}"#)
            let short = try await server.send("POST", path, #"{"password":"short"}"#)
            #expect(short.status == 400 && short.field("code") == "password_too_short")

            let reply = try await server.send("POST", path, #"{"password":"\#(Self.password)","name":"Ada L"}"#)

            #expect(reply.status == 200)
            let cookie = try #require(reply.headers["Set-Cookie"])
            #expect(cookie.hasPrefix("nexus-session=") && !cookie.contains("Secure"))
            #expect(cookie.hasSuffix("; Path=/v1/session; Max-Age=2592000; HttpOnly; SameSite=Strict"))
            let session = try await server.send("GET", "/v1/session", headers: Self.bearer(of: reply))
            #expect(session.text == #"{"user":{"hasPassword":true,"name":"Ada L","role":"member","userId":"ada"}}"#)
            for method in ["GET", "POST"] {
                let again = try await server.send(
                    method, path, method == "GET" ? nil : #"{"password":"\#(Self.password)"}"#)
                #expect(again.status == 404 && again.field("code") == "invitation_unknown")
            }
        }
    }

    @Test func cookiesAreForTLSExceptOnThisMachine() async throws {
        try await withServer { server, _ in
            _ = try await join(server)
            let reply = try await signIn(server, headers: [("Host", "chat.example.com")])
            #expect(reply.status == 200)
            #expect(reply.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
        }
    }

    @Test func aWrongPasswordAndAnUnknownUserGetTheSameAnswer() async throws {
        try await withServer { server, _ in
            _ = try await join(server)
            let wrong = try await signIn(server, password: "wrong horse")
            let unknown = try await signIn(server, "eve")
            #expect(statuses(wrong, unknown) == [401, 401])
            #expect(wrong.text == unknown.text && wrong.field("code") == "sign_in_failed")
            #expect(wrong.headers["Set-Cookie"] == nil)
        }
    }

    @Test func theConnectionOfADisabledPersonWithATokenOfTheIssuerIsClosed() async throws {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings())
        parts.live = LiveSettings(heartbeat: .seconds(900))
        try await ServerTestSupport.withServer(parts) { server in
            let bearer: Headers = [
                ("Authorization", "Bearer " + (try await forge.token(TokenForge.claims("ada"), by: .ec)))
            ]
            let admin = try await server.key(.admin)
            _ = try await server.send("POST", "/v1/accounts", #"{"userId":"ada"}"#, headers: admin)
            let open = try await socket(server, bearer)

            let change = try await server.send("PATCH", "/v1/accounts/ada", #"{"isDisabled":true}"#, headers: admin)
            #expect(change.status == 200)

            let close = await closing(of: open)
            #expect(close?.code == 3000 && close?.reason == "session_ended")
        }
    }

    @Test func aPersonSeesALinkThatResetsThePassword() async throws {
        try await withServer { server, _ in
            let ada = try await join(server, "ada", role: "administrator")
            let ben = try await join(server, "ben")
            let made = try await server.send("POST", "/v1/accounts/ben/reset", headers: ada.bearer)
            let path = "/v1/invitations/" + (made.field("link")?.split(separator: "/").last ?? "")
            #expect(try await server.send("GET", path).status == 200)

            let seen = try await server.send("GET", "/v1/session", headers: ben.bearer).text

            #expect(seen.contains(#""passwordLink":{"expiresAt":""#) && seen.contains(#""madeBy":"ada""#))
            let own = try await server.send("GET", "/v1/session", headers: ada.bearer).text
            #expect(!own.contains("passwordLink"))
            let admin = try await server.key(.admin)
            _ = try await server.send("PATCH", "/v1/accounts/ada", #"{"role":"member"}"#, headers: admin)
            #expect(try await server.send("GET", path).field("code") == "invitation_unknown")
            #expect(try await !server.send("GET", "/v1/session", headers: ben.bearer).text.contains("passwordLink"))
        }
    }

    @Test func aSessionGoesOnWithNewTokensAndAnOldCookieEndsIt() async throws {
        try await withServer { server, _ in
            let joined = try await join(server)
            clock.advance(by: .seconds(900))
            let late = try await server.send("GET", "/v1/session", headers: joined.bearer)
            #expect(late.status == 401 && late.field("code") == "token_expired")
            let renewed = try await refresh(server, joined.cookie)
            #expect(renewed.status == 200)
            #expect(try await server.send("GET", "/v1/session", headers: Self.bearer(of: renewed)).status == 200)
            #expect(try await refresh(server, joined.cookie).status == 200)
            clock.advance(by: .seconds(31))

            let reused = try await refresh(server, joined.cookie)

            #expect(reused.status == 401 && reused.field("code") == "session_ended")
            #expect(reused.headers["Set-Cookie"]?.contains("nexus-session=; ") == true)
            #expect(try await refresh(server, Self.cookie(of: renewed)).status == 401)
            let ended = try await server.send("GET", "/v1/session", headers: Self.bearer(of: renewed))
            #expect(ended.status == 401 && ended.field("code") == "session_ended")
        }
    }

    @Test(
        arguments: [
            [("Origin", "https://evil.example")], [("Origin", "http://localhost:1")], [("Origin", "null")],
            [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
        ] as [[(String, String)]]) func otherPagesUseNoCookie(headers: [(String, String)]) async throws
    {
        try await withServer { server, _ in
            let joined = try await join(server)
            let more = headers.map { (name: $0.0, value: $0.1) }
            let replies = [
                try await refresh(server, joined.cookie, more), try await signIn(server, headers: more),
                try await server.send("DELETE", "/v1/session", headers: joined.cookie + more),
                try await server.send(
                    "POST", "/v1/accounts", #"{"userId":"zoe"}"#, headers: try await server.key(.admin) + more),
            ]
            #expect(replies.map(\.status) == [403, 403, 403, 403])
            #expect(replies.allSatisfy { $0.field("code") == "origin_forbidden" })
            let own: Headers = [("Origin", "http://127.0.0.1:\(server.port)"), ("Sec-Fetch-Site", "same-origin")]
            #expect(try await refresh(server, joined.cookie, own).status == 200)
        }
    }

    @Test func signingOutEndsTheSession() async throws {
        try await withServer { server, _ in
            let joined = try await join(server)
            let out = try await server.send("DELETE", "/v1/session", headers: joined.cookie)
            #expect(out.status == 204 && out.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await refresh(server, joined.cookie).status == 401)
            #expect(try await server.send("GET", "/v1/session", headers: joined.bearer).status == 401)
        }
    }

    @Test func aPersonListsAndEndsOwnSessions() async throws {
        try await withServer { server, _ in
            let joined = try await join(server)
            let other = try await signIn(server, headers: [("User-Agent", "phone")])
            let list = try await server.send("GET", "/v1/sessions", headers: joined.bearer)
            struct List: Decodable {
                struct Session: Decodable {
                    let id: String
                    let userAgent: String?
                    let isCurrent: Bool
                }
                let sessions: [Session]
            }
            let sessions = try JSONDecoder().decode(List.self, from: Data(list.text.utf8)).sessions
            #expect(sessions.count == 2 && sessions.count { $0.isCurrent } == 1)
            let phone = try #require(sessions.first { $0.userAgent == "phone" })
            #expect(!phone.isCurrent)
            let eve = try await join(server, "eve")
            #expect(try await server.send("DELETE", "/v1/sessions/\(phone.id)", headers: eve.bearer).status == 404)

            #expect(try await server.send("DELETE", "/v1/sessions/\(phone.id)", headers: joined.bearer).status == 204)

            #expect(try await server.send("GET", "/v1/session", headers: Self.bearer(of: other)).status == 401)
            #expect(try await server.send("GET", "/v1/session", headers: joined.bearer).status == 200)
        }
    }

    @Test func theConnectionsOfAnEndedSessionAreClosed() async throws {
        try await withServer { server, _ in
            let joined = try await join(server)
            let other = Self.bearer(of: try await signIn(server))
            let kept = try await socket(server, joined.bearer)
            let ended = try await socket(server, other)
            let list = try await server.send("GET", "/v1/sessions", headers: other).text
            let id = try #require(
                list.split(separator: "{").first { $0.contains(#""isCurrent":true"#) }?
                    .firstMatch(of: /"id":"([^"]+)"/)?.output.1)

            #expect(try await server.send("DELETE", "/v1/sessions/\(id)", headers: joined.bearer).status == 204)

            let close = await closing(of: ended)
            #expect(close?.code == 3000 && close?.reason == "session_ended")
            // The other one still hears the server.
            await kept.send(text: #"{"type":"bad"}"#)
            #expect(await hasText(#""type":"error""#, on: kept))
        }
    }

    private func socket(_ server: RunningServer, _ bearer: Headers) async throws -> SocketClient {
        let ticket = try await server.send("POST", "/v1/feed/ticket", "{}", headers: bearer).field("ticket") ?? ""
        let socket = try await SocketClient(port: server.port)
        await socket.ask("GET /v1/socket?ticket=\(ticket) HTTP/1.1")
        #expect(await socket.reply()?.status == 101)
        return socket
    }

    private func closing(of socket: SocketClient) async -> SocketClient.Frame? {
        while let frame = await socket.frame() {
            if frame.opcode == SocketClient.close { return frame }
        }
        return nil
    }

    /// Whether a text comes that contains `part`; others, such as signs of life, may come before.
    private func hasText(_ part: String, on socket: SocketClient) async -> Bool {
        while let frame = await socket.frame(), frame.opcode != SocketClient.close {
            if frame.opcode == SocketClient.text, frame.text.contains(part) { return true }
        }
        return false
    }

    @Test func signInsAreCounted() async throws {
        let registry = MetricRegistry()
        var parts = parts()
        parts.metrics = registry
        try await ServerTestSupport.withServer(parts) { server in
            _ = try await join(server)
            _ = try await signIn(server)
            _ = try await signIn(server, password: "wrong horse")
            _ = try await signIn(server, "eve")
        }
        let samples = try PrometheusText(registry.text()).samples
        #expect(samples[#"nexus_sign_ins_total{method="link",outcome="succeeded"}"#] == 1)
        #expect(samples[#"nexus_sign_ins_total{method="password",outcome="succeeded"}"#] == 1)
        #expect(samples[#"nexus_sign_ins_total{method="password",outcome="failed"}"#] == 2)
        #expect(!registry.text().contains(#"="ada""#) && !registry.text().contains(#"="eve""#))
    }

    @Test func aPersonChangesThePassword() async throws {
        try await withServer { server, _ in
            let joined = try await join(server)
            let other = try await signIn(server)
            func change(_ current: String, _ new: String) async throws -> Reply {
                try await server.send(
                    "PUT", "/v1/account/password", #"{"current":"\#(current)","new":"\#(new)"}"#,
                    headers: joined.bearer)
            }
            let wrong = try await change("wrong horse", "battery staple")
            #expect(wrong.status == 403 && wrong.field("code") == "password_wrong")
            #expect(try await change(Self.password, "short").field("code") == "password_too_short")

            #expect(try await change(Self.password, "battery staple").status == 204)

            #expect(try await server.send("GET", "/v1/session", headers: Self.bearer(of: other)).status == 401)
            #expect(try await server.send("GET", "/v1/session", headers: joined.bearer).status == 200)
            #expect(try await signIn(server).status == 401)
            #expect(try await signIn(server, password: "battery staple").status == 200)
        }
    }

    @Test func administratorsUseTheirRoutesAndOthersDoNot() async throws {
        try await withServer { server, _ in
            let ada = try await join(server, "ada", role: "administrator")
            let ben = try await join(server, "ben")
            for path in ["/v1/status", "/metrics", "/v1/accounts"] {
                #expect(try await server.send("GET", path, headers: ada.bearer).status == 200, "\(path)")
                let refused = try await server.send("GET", path, headers: ben.bearer)
                #expect(refused.status == 403 && refused.field("code") == "role_required", "\(path)")
            }
            for body in [#"{"isDisabled":true}"#, #"{"role":"member"}"#] {
                let own = try await server.send("PATCH", "/v1/accounts/ada", body, headers: ada.bearer)
                #expect(own.status == 409 && own.field("code") == "own_account")
            }
            let raised = try await server.send(
                "PATCH", "/v1/accounts/ben", #"{"role":"administrator"}"#, headers: ada.bearer)
            #expect(raised.status == 200 && raised.field("role") == "administrator")
            #expect(try await server.send("GET", "/v1/status", headers: ben.bearer).status == 200)

            let disabled = try await server.send(
                "PATCH", "/v1/accounts/ben", #"{"isDisabled":true}"#, headers: ada.bearer)

            #expect(disabled.status == 200)
            #expect(try await server.send("GET", "/v1/status", headers: ben.bearer).status == 401)
            #expect(try await refresh(server, ben.cookie).status == 401)
            #expect(try await signIn(server, "ben").field("code") == "account_disabled")
            #expect(try await server.send("POST", "/v1/accounts/eve/reset", "{}", headers: ada.bearer).status == 404)
            let taken = try await server.send("POST", "/v1/accounts", #"{"userId":"ben"}"#, headers: ada.bearer)
            #expect(taken.status == 409 && taken.field("code") == "account_exists")
        }
    }

    @Test func forgedTokensOpenNothing() async throws {
        try await withServer { server, parts in
            let joined = try await join(server)
            let token = try #require(joined.reply.field("accessToken"))
            let pieces = token.split(separator: ".").map(String.init)
            let second = Int(Sample.now.milliseconds / 1_000)
            let header: [String: Any] = ["alg": "HS256", "kid": "nexus-session", "typ": "at+jwt"]
            let claims: [String: Any] = [
                "iss": "nexus", "aud": "nexus", "sub": "ada", "sid": "id-1", "role": "administrator", "iat": second,
                "exp": second + 900,
            ]
            let none = try TokenForge.token(
                header: ["alg": "none", "kid": "nexus-session"], claims: claims, secret: Data())
            let forged = [
                try TokenForge.token(header: header, claims: claims, secret: Data(repeating: 0, count: 32)), none,
                pieces[0] + "." + pieces[1] + ".", pieces[0] + "." + pieces[1] + ".AAAA",
            ]
            for text in forged {
                let reply = try await server.send("GET", "/v1/session", headers: TokenForge.bearer(text))
                #expect(reply.status == 401 && reply.field("code") == "token_invalid")
            }
        }
    }

    @Test func methodsSayWhatThereIs() async throws {
        try await withServer { server, _ in
            let first = try await server.send("GET", "/v1/session/methods")
            #expect(first.field("isFirstStart") == "1" && first.field("password") == "0")
            _ = try await join(server, "ben")
            let unled = try await server.send("GET", "/v1/session/methods")
            #expect(unled.field("isFirstStart") == "1" && unled.field("password") == "1")
            _ = try await join(server, role: "administrator")
            let later = try await server.send("GET", "/v1/session/methods")
            #expect(
                later.text == #"{"authentication":"required","defaultUser":null,"hasLanguageModel":true,"#
                    + #""isFirstStart":false,"oidc":null,"password":true,"users":[]}"#)
        }
    }

    @Test func withoutAuthenticationPeopleArePicked() async throws {
        var parts = ServerParts()
        parts.people = [IdentifiedPerson(id: "ada", name: "Ada"), IdentifiedPerson(id: "ben")]
        try await ServerTestSupport.withServer(parts) { server in
            let methods = try await server.send("GET", "/v1/session/methods")
            #expect(
                methods.text == #"{"authentication":"none","defaultUser":"ada","hasLanguageModel":true,"#
                    + #""isFirstStart":false,"oidc":null,"password":false,"users":[{"name":"Ada","userId":"ada"},{"name":"ben","userId":"ben"}]}"#
            )
            let own = try await server.send("GET", "/v1/session", headers: [("X-Nexus-User", "ada")])
            #expect(own.text == #"{"user":{"hasPassword":false,"name":"Ada","role":"administrator","userId":"ada"}}"#)
            #expect(try await signIn(server).field("code") == "sign_in_not_configured")
            #expect(try await server.send("GET", "/v1/sessions").text == #"{"sessions":[]}"#)
            #expect(try await server.send("GET", "/v1/accounts").text == #"{"accounts":[]}"#)
        }
    }

    @Test func nothingSecretIsLogged() async throws {
        var parts = parts()
        let lines = KeptLines()
        parts.logger = lines.logger
        try await ServerTestSupport.withServer(parts) { server in
            let joined = try await join(server)
            _ = try await signIn(server, password: "wrong horse")
            let renewed = try await refresh(server, joined.cookie)
            clock.advance(by: .seconds(60))
            _ = try await refresh(server, joined.cookie)
            let secrets = [
                Self.password, "wrong horse", joined.cookie[0].value, Self.cookie(of: renewed)[0].value,
                joined.bearer[0].value, Self.bearer(of: renewed)[0].value,
            ]
            let values = secrets.map { $0.replacing("nexus-session=", with: "").replacing("Bearer ", with: "") }
            #expect(!lines.all.isEmpty)
            for line in lines.all + lines.allJSON {
                for value in values { #expect(!line.contains(value)) }
            }
        }
    }
}
