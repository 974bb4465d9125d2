import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Turning sign-in on while a server runs that trusted its callers.
@Suite(.hangGuard) struct TurnSignInOnTests {
    private static let body = #"{"userId":"ada","name":"Ada","password":"correct horse"}"#
    private let trusted = [(name: "X-Nexus-User", value: "ada")]

    private func parts() -> ServerParts {
        var parts = ServerParts()
        parts.canTurnSignInOn = true
        parts.live = LiveSettings(heartbeat: .seconds(900))
        return parts
    }

    @Test func thePersonWhoTurnsItOnIsTheAdministratorAndNobodyIsTrustedAnyMore() async throws {
        try await withServer(parts()) { server in
            let reply = try await server.send("POST", "/v1/session/first", Self.body, headers: trusted)
            #expect(reply.status == 200 && reply.text.contains(#""role":"administrator""#))
            #expect(reply.headers["Set-Cookie"]?.contains("nexus-session=") == true)

            let own = [(name: "Authorization", value: "Bearer \(reply.field("accessToken") ?? "")")]
            #expect(try await server.send("GET", "/v1/accounts", headers: own).text.contains(#""isInvited":false"#))
            for headers in [trusted, []] {
                let refused = try await server.send("GET", "/v1/accounts", headers: headers)
                #expect(refused.field("code") == "token_required")
            }
            let methods = try await server.send("GET", "/v1/session/methods")
            #expect(methods.field("authentication") == "required" && methods.field("isFirstStart") == "0")
            let again = try await server.send("POST", "/v1/session/first", Self.body, headers: own)
            #expect(again.status == 409 && again.field("code") == "sign_in_on")
        }
    }

    @Test func invitedPeopleCanSignInWithoutARestart() async throws {
        try await withServer(parts()) { server in
            let early = try await server.send("POST", "/v1/accounts", #"{"userId":"ben"}"#, headers: trusted)
            let code = try #require(early.field("link")?.split(separator: "/").last)
            _ = try await server.send("POST", "/v1/session/first", Self.body, headers: trusted)

            let accepted = try await server.send("POST", "/v1/invitations/\(code)", #"{"password":"battery staple"}"#)
            #expect(accepted.status == 200 && accepted.text.contains(#""role":"member""#))
        }
    }

    @Test func aRefusedStepChangesNothing() async throws {
        try await withServer(parts()) { server in
            let short = #"{"userId":"ada","password":"short"}"#
            let refused = try await server.send("POST", "/v1/session/first", short, headers: trusted)
            #expect(refused.field("code") == "password_too_short")
            #expect(try await server.send("GET", "/v1/accounts", headers: trusted).text == #"{"accounts":[]}"#)
        }
    }

    @Test func aServerThatIsOpenByChoiceStaysOpen() async throws {
        try await withServer { server in
            let refused = try await server.send("POST", "/v1/session/first", Self.body, headers: trusted)
            #expect(refused.status == 409 && refused.field("code") == "sign_in_off")
            #expect(try await server.send("GET", "/v1/accounts", headers: trusted).text == #"{"accounts":[]}"#)
        }
    }

    @Test func connectionsOfTrustedCallersClose() async throws {
        let parts = parts()
        try await withServer(parts) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask("GET /v1/socket HTTP/1.1", changing: ["X-Nexus-User": "ada"])
            #expect(await client.reply()?.status == 101)
            _ = try await server.send("POST", "/v1/session/first", Self.body, headers: trusted)
            var last = await client.frame()
            while let frame = last, frame.opcode != SocketClient.close { last = await client.frame() }
            #expect(last?.code == 3000 && last?.reason == "session_ended")
        }
    }

    @Test func anotherNodeIsFollowedAfterSomeSeconds() async throws {
        let clock = ManualNow(Sample.now)
        let (elsewhere, closed) = (Counter(), Counter())
        let signIn = SignInSwitch(now: clock.now, isOnElsewhere: { elsewhere.value > 0 }) { closed.increment() }
        elsewhere.increment()
        #expect(await !signIn.isOnAnywhere())
        clock.advance(by: .seconds(5))
        #expect(await signIn.isOnAnywhere())
        #expect(await signIn.isOnAnywhere() && closed.value == 1)
    }
}
