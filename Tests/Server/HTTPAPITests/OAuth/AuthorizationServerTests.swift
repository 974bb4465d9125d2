import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import Synchronization
import TestSupport
import Testing
import Transport
import WebServer

/// Programs that know only the address get tokens for `/mcp`, and what goes wrong.
@Suite(.hangGuard) struct AuthorizationServerTests {
    private let clock = ManualNow(Sample.now)

    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        try await ServerTestSupport.withServer(TestProgram.parts(clock)) { try await body($0) }
    }

    private func error(_ reply: Reply) -> String { "\(reply.status) \(reply.field("error") ?? reply.text)" }

    @Test func aProgramThatKnowsOnlyTheAddressGetsTokens() async throws {
        try await withServer { server in
            let refused = try await server.send("POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
            let challenge = try #require(refused.headers["WWW-Authenticate"])
            let origin = "http://127.0.0.1:\(server.port)"
            #expect(refused.status == 401)
            let address = "\(origin)/.well-known/oauth-protected-resource/mcp"
            #expect(challenge.contains(#"resource_metadata="\#(address)""#) && challenge.contains(#"scope="read ask""#))
            for path in ["/mcp", ""] {
                let resource = try await server.send("GET", "/.well-known/oauth-protected-resource\(path)")
                #expect(resource.field("resource") == origin + "/mcp")
                #expect(resource.text.contains(#""authorization_servers":["\#(origin)"]"#))
            }
            for name in ["oauth-authorization-server", "openid-configuration"] {
                let metadata = try await server.send("GET", "/.well-known/\(name)")
                #expect(metadata.field("issuer") == origin && metadata.field("token_endpoint") == origin + "/token")
                #expect(metadata.text.contains(#""code_challenge_methods_supported":["S256"]"#))
            }
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)
            let page = try await server.send("GET", "/authorize?\(program.query())")
            #expect(page.status == 302 && page.headers["Location"]?.hasPrefix("/#/connect?") == true)

            let asked = try await program.decide(nil, by: ada)
            #expect(
                asked.text
                    == #"{"isLocal":true,"name":"Helper","returnsTo":"localhost:7777","scopes":["read","ask"]}"#)
            let allowed = try await program.decide("allow", by: ada)
            let returned = try TestProgram.returned(allowed)
            #expect(returned["state"] == "s t&=" && returned["iss"] == origin)
            let tokens = try TestProgram.tokens(try await program.exchange(try #require(returned["code"])))

            #expect(tokens.scope == "read ask" && tokens.tokenType == "Bearer" && tokens.expiresIn > 600)
            #expect(try await program.call(tokens).status == 200)
        }
    }

    @Test func thereIsNoAuthorizationServerWhereNobodySignsIn() async throws {
        for page in [true, false] {
            var parts = page ? ServerParts() : ServerParts(AuthenticationSettings())
            if page { parts.page = TestProgram.parts(clock).page }
            try await ServerTestSupport.withServer(parts) { server in
                let paths = ["oauth-protected-resource/mcp", "oauth-authorization-server"]
                for path in paths.map({ "/.well-known/\($0)" }) + ["/authorize"] {
                    #expect(try await server.send("GET", path).status == 404, "\(path)")
                }
                #expect(
                    try await server.send("POST", "/register", #"{"redirect_uris":["https://a.example/b"]}"#).status
                        == 404)
                let call = try await server.send("POST", "/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#)
                #expect(call.status == (page ? 200 : 401))
                #expect(call.headers["WWW-Authenticate"]?.contains("resource_metadata") != true)
            }
        }
    }

    @Test func aTokenOfAnAssistantWorksForMCPOnly() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let tokens = try await TestProgram.registered(server).connect(ada)
            let elsewhere = [
                try await server.send("GET", "/v1/conversations", headers: tokens.bearer),
                try await server.send("GET", "/v1/session", headers: tokens.bearer),
                try await server.send("POST", "/v1/search", #"{"query":"x"}"#, headers: tokens.bearer),
                try await server.send("POST", "/v1/feed/ticket", "{}", headers: tokens.bearer),
                try await server.send("POST", "/v1/chat/completions", "{}", headers: tokens.bearer),
            ]
            #expect(elsewhere.map(\.status) == [403, 403, 403, 403, 403])
            let cookie = [(name: "Cookie", value: "nexus-session=\(tokens.refreshToken)")]
            #expect(try await server.send("POST", "/v1/session/refresh", headers: cookie).status == 401)
            #expect(try await TestProgram.registered(server).decide("allow", by: tokens.bearer).status == 403)
        }
    }

    @Test func aTokenForAnotherAddressIsRefused() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let tokens = try await program.connect(try await TestProgram.join(server))

            let reply = try await program.call(tokens, headers: [("Host", "localhost:\(server.port)")])

            #expect(reply.status == 401 && reply.field("code") == "token_invalid")
        }
    }

    @Test(
        arguments: [
            ("response_type", "token"), ("code_challenge_method", "plain"), ("code_challenge_method", nil),
            ("code_challenge", "short"), ("code_challenge", nil), ("client_id", "e30.AAAA"), ("client_id", nil),
            ("redirect_uri", nil), ("resource", "https://other.example/mcp"), ("resource", "http://127.0.0.1:1/mcp"),
        ] as [(String, String?)]) func aWrongRequestGoesNowhere(field: String, value: String?) async throws
    {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)

            let page = try await server.send("GET", "/authorize?\(program.query([field: value]))")
            let decision = try await program.decide("allow", by: ada, [field: value])

            #expect(page.status == 400 && page.headers["Location"] == nil)
            #expect(decision.status == 400 && decision.field("redirectTo") == nil)
        }
    }

    @Test func onlyThePersonAtTheOwnPageDecides() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)
            for headers in [[("Origin", "https://evil.example")], [("Sec-Fetch-Site", "cross-site")]] {
                let named = headers.map { (name: $0.0, value: $0.1) }
                let reply = try await program.decide("allow", by: ada, headers: named)
                #expect(reply.status == 403 && reply.field("code") == "origin_forbidden")
            }
            #expect(try await program.decide("allow", by: []).status == 401)
            let key = try await server.key(.readAsUser) + [(name: "X-Nexus-User", value: "ada")]
            #expect(try await program.decide("allow", by: key).status == 403)
            #expect(try await program.decide("allow", by: server.key(.admin)).status == 403)
            let asOther = try await program.decide("allow", by: ada, headers: [("X-Nexus-User", "ben")])
            #expect(asOther.status == 403)
            let seen = try await server.send("GET", "/authorize?\(program.query())", headers: ada)
            #expect(seen.status == 302 && seen.headers["Location"]?.contains("code=") == false)
        }
    }

    @Test func aPersonWhoDeclinesGivesNoCode() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let reply = try await program.decide("deny", by: try await TestProgram.join(server))

            let returned = try TestProgram.returned(reply)
            #expect(returned["error"] == "access_denied" && returned["code"] == nil)
            #expect(returned["iss"] == program.origin && returned["state"] == "s t&=")
        }
    }

    @Test func theSecondUseOfACodeEndsTheSessionOfTheFirst() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let code = try await program.code(from: try await TestProgram.join(server))
            let tokens = try TestProgram.tokens(try await program.exchange(code))
            #expect(try await program.call(tokens).status == 200)

            #expect(error(try await program.exchange(code)) == "400 invalid_grant")

            #expect(try await program.call(tokens).status == 401)
            #expect(error(try await program.refresh(tokens.refreshToken)) == "400 invalid_grant")
        }
    }

    /// The second use comes when the first has taken the code, but has opened no session yet.
    @Test func twoUsesOfACodeAtOnceLeaveNoSession() async throws {
        let values = InterruptedValues()
        var parts = TestProgram.parts(clock)
        parts.oneTimeValues = values
        try await ServerTestSupport.withServer(parts) { server in
            let program = try await TestProgram.registered(server)
            let ada = try await TestProgram.join(server)
            let code = try await program.code(from: ada)
            values.interruptNextTake {
                for _ in 1...2 {
                    let reply = try await program.exchange(code)
                    #expect(reply.field("error") == "invalid_grant")
                }
            }

            #expect(error(try await program.exchange(code)) == "400 invalid_grant")

            #expect(try await server.send("GET", "/v1/sessions", headers: ada).text.contains("Helper") == false)
            #expect(try await program.exchange(program.code(from: ada)).status == 200)
        }
    }

    @Test(
        arguments: [
            ("code_verifier", String(repeating: "w", count: 64)), ("code_verifier", nil), ("code_verifier", "short"),
            ("redirect_uri", "http://localhost:7778/callback"), ("redirect_uri", nil),
        ] as [(String, String?)]) func aCodeIsUsedUpByAWrongExchange(field: String, value: String?) async throws
    {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let code = try await program.code(from: try await TestProgram.join(server))

            #expect(error(try await program.exchange(code, [field: value])) == "400 invalid_grant")
            #expect(error(try await program.exchange(code)) == "400 invalid_grant")
        }
    }

    @Test func aCodeOfAnotherProgramIsWorthNothingAndStaysGood() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let other = try await TestProgram.registered(server, name: "Other")
            let code = try await program.code(from: try await TestProgram.join(server))

            #expect(error(try await other.exchange(code)) == "400 invalid_grant")
            #expect(error(try await program.exchange(code, ["client_id": "e30.AAAA"])) == "401 invalid_client")
            #expect(
                error(try await program.exchange(code, ["resource": "https://a.example/mcp"])) == "400 invalid_target")

            #expect(try await program.exchange(code).status == 200)
        }
    }

    @Test func aCodeLastsAMinute() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let code = try await program.code(from: try await TestProgram.join(server))
            clock.advance(by: .seconds(60))

            #expect(error(try await program.exchange(code)) == "400 invalid_grant")
        }
    }

    @Test func refreshTokensRotateAndAnOldOneEndsTheSession() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let first = try await program.connect(try await TestProgram.join(server))
            let second = try TestProgram.tokens(try await program.refresh(first.refreshToken))
            #expect(second.refreshToken != first.refreshToken)
            clock.advance(by: .seconds(29))
            let again = try TestProgram.tokens(try await program.refresh(first.refreshToken))
            #expect(again.refreshToken == second.refreshToken)
            #expect(try await program.call(again).status == 200)
            let other = try await TestProgram.registered(server, name: "Other")
            #expect(error(try await other.refresh(second.refreshToken)) == "400 invalid_grant")
            #expect(try await program.call(second).status == 200)
            clock.advance(by: .seconds(2))

            #expect(error(try await program.refresh(first.refreshToken)) == "400 invalid_grant")

            #expect(try await program.call(second).status == 401)
            #expect(error(try await program.refresh(second.refreshToken)) == "400 invalid_grant")
        }
    }

    @Test func aPersonSeesAndEndsAnAssistant() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)
            let tokens = try await program.connect(ada)
            let list = try await server.send("GET", "/v1/sessions", headers: ada).text
            #expect(list.contains(#""assistant":{"name":"Helper","scopes":["read","ask"]}"#))
            let assistant = try #require(list.split(separator: "},{").first { $0.contains("Helper") })
            let id = try #require(assistant.firstMatch(of: /"id":"([^"]+)"/)?.output.1)
            let eve = try await TestProgram.join(server, "eve")
            #expect(try await server.send("DELETE", "/v1/sessions/\(id)", headers: eve).status == 404)

            #expect(try await server.send("DELETE", "/v1/sessions/\(id)", headers: ada).status == 204)

            let call = try await program.call(tokens)
            #expect(call.status == 401 && call.headers["WWW-Authenticate"]?.contains("resource_metadata") == true)
            #expect(error(try await program.refresh(tokens.refreshToken)) == "400 invalid_grant")
        }
    }

    @Test func aPersonSeesWhenAnAssistantWasUsedLast() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let team = #"{"id":"team","members":[{"userId":"ada"}]}"#
            _ = try await server.send("POST", "/v1/conversations", team, headers: server.key(.ingest))
            let path = "/v1/conversations/team/messages"
            let post = try await server.send("POST", path, #"{"text":"one"}"#, headers: ada)
            #expect(post.status == 201, "\(post.text)")
            let program = try await TestProgram.registered(server)
            let tokens = try await program.connect(ada)
            func lastUse() async throws -> String {
                let list = try await server.send("GET", "/v1/sessions", headers: ada).text
                let assistant = try #require(list.split(separator: "},{").first { $0.contains("Helper") })
                return String(try #require(assistant.firstMatch(of: /"lastUsedAt":"([^"]+)"/)?.output.1))
            }
            let start = clock.now()
            #expect(try await lastUse() == start.iso8601)
            clock.advance(by: .seconds(60))
            let read = #"{"name":"get_conversation","arguments":{"conversationId":"team"}}"#

            #expect(try await program.call(tokens, "tools/call", read).text.contains("one"))

            #expect(try await lastUse() == clock.now().iso8601)
        }
    }

    @Test func aDisabledAccountEndsItsAssistants() async throws {
        try await withServer { server in
            let program = try await TestProgram.registered(server)
            let ada = try await TestProgram.join(server)
            let tokens = try await program.connect(ada)
            let code = try await program.code(from: ada)
            let admin = try await server.key(.admin)
            _ = try await server.send("PATCH", "/v1/accounts/ada", #"{"isDisabled":true}"#, headers: admin)

            #expect(try await program.call(tokens).status == 401)
            #expect(error(try await program.refresh(tokens.refreshToken)) == "400 invalid_grant")
            #expect(error(try await program.exchange(code)) == "400 invalid_grant")
        }
    }

    @Test func anAssistantNeedsTheScopeOfATool() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)
            let tokens = try await program.connect(ada, ["scope": "read"])
            #expect(tokens.scope == "read")
            let ask = #"{"name":"ask","arguments":{"question":"When?"}}"#
            let find = #"{"name":"search_messages","arguments":{"query":"x"}}"#
            #expect(try await program.call(tokens, "tools/call", find).status == 200)

            let refused = try await program.call(tokens, "tools/call", ask)

            #expect(refused.status == 403 && refused.field("code") == "scope_required")
            let challenge = try #require(refused.headers["WWW-Authenticate"])
            #expect(challenge.contains(#"error="insufficient_scope", scope="ask""#))
            // A program that asks for the new scope alone keeps what it had.
            let more = try await program.connect(ada, ["scope": "ask"])
            #expect(more.scope == "read ask")
            #expect(try await program.call(more, "tools/call", ask).status == 200)
            // Another program gets nothing of that.
            let other = try await TestProgram.registered(server, name: "Other").connect(ada, ["scope": "ask"])
            #expect(other.scope == "ask")
        }
    }

    @Test func aProgramEndsItsOwnSession() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server)
            let other = try await TestProgram.registered(server, name: "Other")
            for pick in [\TestProgram.Tokens.accessToken, \.refreshToken] {
                let tokens = try await program.connect(ada)
                let token = tokens[keyPath: pick]
                #expect(try await other.post("/revoke", ["token": token, "client_id": other.id]).status == 200)
                #expect(try await program.call(tokens).status == 200)

                #expect(try await program.post("/revoke", ["token": token, "client_id": program.id]).status == 200)

                #expect(try await program.call(tokens).status == 401)
            }
        }
    }
}

/// One-time values with something that happens right after one was taken.
private final class InterruptedValues: OneTimeValues {
    private let values = LocalOneTimeValues()
    private struct Interruption {
        let run: @Sendable () async throws -> Void
    }

    private let interruption = Mutex<Interruption?>(nil)

    func interruptNextTake(_ run: @escaping @Sendable () async throws -> Void) {
        interruption.withLock { $0 = Interruption(run: run) }
    }

    func keep(
        _ value: String, as key: String, of user: UserID?, until end: Timestamp, at moment: Timestamp
    ) async throws -> Bool {
        await values.keep(value, as: key, of: user, until: end, at: moment)
    }

    func take(_ key: String, at moment: Timestamp) async throws -> String? {
        let value = await values.take(key, at: moment)
        try await interruption.withLock { $0.take() }?.run()
        return value
    }

    func forget(_ user: UserID) async throws { await values.forget(user) }
}
