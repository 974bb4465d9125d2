import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// Signing in, staying signed in, and signing out.
@Suite(.hangGuard) struct SignInTests {
    /// A server with the account of `ada`, whose cookie is another one after each refresh.
    private final class AccountServer: ClientTransport {
        private struct State {
            var cookie: Int?
            var tokenCount = 0
            var validToken: String?
            var requests: [String] = []
            var isUp = true
            var isDisabled = false
            var loses = 0
        }

        private let state = Mutex(State())

        var requests: [String] { state.withLock { $0.requests } }
        /// Whether a session is open.
        var isOpen: Bool { state.withLock { $0.cookie != nil } }

        func expireToken() { state.withLock { $0.validToken = nil } }
        func endSession() { state.withLock { ($0.cookie, $0.validToken) = (nil, nil) } }
        func disable() { state.withLock { ($0.isDisabled, $0.validToken) = (true, nil) } }
        func set(isUp: Bool) { state.withLock { $0.isUp = isUp } }

        func send(_ request: ClientRequest) async throws -> ClientResponse {
            try state.withLock { state in
                guard state.isUp else { throw ClientTransportError.unreachable }
                state.requests.append("\(request.method) \(request.path)")
                return Self.answer(request, &state)
            }
        }

        func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
            let response = try await send(request)
            guard response.status == 200 else { throw ClientTransportError.refused(response) }
            return FakeSocket()
        }

        private static func answer(_ request: ClientRequest, _ state: inout State) -> ClientResponse {
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            switch "\(request.method) \(request.path)" {
            case "POST /v1/session":
                guard body.contains("right") else {
                    return ChatFixture.json(#"{"code":"sign_in_failed","detail":"x"}"#, status: 401)
                }
                return signedIn(&state)
            case "POST /v1/invitations/CODE": return signedIn(&state)
            case "POST /v1/session/refresh":
                guard !state.isDisabled else {
                    return ChatFixture.json(#"{"code":"account_disabled"}"#, status: 403)
                }
                guard let cookie = state.cookie, request.headers["Cookie"]?.contains("nexus-session=c\(cookie)") == true
                else { return ChatFixture.json(#"{"code":"session_ended"}"#, status: 401) }
                return signedIn(&state)
            case "DELETE /v1/session":
                if let cookie = state.cookie, request.headers["Cookie"]?.contains("nexus-session=c\(cookie)") == true {
                    (state.cookie, state.validToken) = (nil, nil)
                }
                return ClientResponse(status: 204)
            case "GET /v1/session/oidc/start":
                return ClientResponse(
                    status: 302,
                    headers: ["location": "https://id.example.com/?x=1", "set-cookie": "nexus-oidc=b; Path=/v1/x"])
            case "GET /v1/session/oidc/callback?code=1&state=2":
                guard request.headers["Cookie"] == "nexus-oidc=b" else {
                    return ClientResponse(status: 302, headers: ["location": "/#/sign-in?error=sign_in_state"])
                }
                state.cookie = 7
                let cookies = "nexus-oidc=; Max-Age=0, nexus-session=c7; Path=/"
                return ClientResponse(status: 302, headers: ["location": "/", "set-cookie": cookies])
            default:
                guard let token = state.validToken, request.headers["Authorization"] == "Bearer \(token)" else {
                    return ChatFixture.json(#"{"code":"token_expired"}"#, status: 401)
                }
                if request.path == "/v1/sync" { return ChatFixture.json(#"{"cursor":"2f-1","conversations":[]}"#) }
                if request.path == "/v1/session" { return ChatFixture.json(#"{"user":\#(user)}"#) }
                return ChatFixture.json(#"{"results":[]}"#)
            }
        }

        private static let user = #"{"userId":"ada","name":"Ada","role":"member","hasPassword":true}"#

        private static func signedIn(_ state: inout State) -> ClientResponse {
            state.cookie = (state.cookie ?? 0) + 1
            state.tokenCount += 1
            state.validToken = "t\(state.tokenCount)"
            var response = ChatFixture.json(
                #"{"accessToken":"t\#(state.tokenCount)","expiresAt":"2026-10-07T10:00:00Z","user":\#(user)}"#)
            response.headers["set-cookie"] =
                "nexus-session=c\(state.cookie ?? 0); Path=/v1/session; HttpOnly, nexus-device=d; Max-Age=5"
            return response
        }
    }

    private let accounts = AccountServer()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(_ credentials: (any CredentialStore)? = nil) -> NexusServer {
        NexusServer(
            "https://chat.example.com/", over: accounts, device: "d", folder: folder.url,
            credentials: credentials ?? FileCredentials(in: folder.url), timing: VirtualClock().timing)
    }

    @Test func staysSignedInWhileTheCookieChanges() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        for _ in 0..<3 {
            accounts.expireToken()
            _ = try await session.search("plan")
        }
        await session.store.close()
        let file = folder.url.appending(path: "credentials.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains("right"))

        let resumed = try #require(try NexusSession.resume(on: server()))
        _ = try await resumed.search("plan")
        #expect(accounts.requests.count { $0 == "POST /v1/session/refresh" } == 4)
        #expect(accounts.requests.count { $0 == "POST /v1/session" } == 1)
    }

    @Test func manyRequestsRenewTheSessionOnce() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        accounts.expireToken()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await session.search("plan") } }
            try await group.waitForAll()
        }

        #expect(accounts.requests.count { $0 == "POST /v1/session/refresh" } == 1)
    }

    @Test func aCancelledRequestDoesNotLoseTheCookie() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        accounts.expireToken()
        let asking = Task { try await session.search("plan") }
        asking.cancel()
        _ = try? await asking.value
        _ = try await session.search("plan")

        #expect(accounts.isOpen)
    }

    @Test func aWrongPasswordHasItsSentence() async throws {
        let error = await #expect(throws: SessionError.self) {
            try await NexusSession.signIn(user: "ada", password: "wrong", on: server())
        }
        #expect(error?.sentence.key == "nexus.error.sign_in_failed" && error?.sentence.remedy == .change)
        #expect(try NexusSession.resume(on: server()) == nil)
    }

    @Test(arguments: [true, false]) func anEndedSessionIsSignedOut(isDisabled: Bool) async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        isDisabled ? accounts.disable() : accounts.endSession()
        await session.run()

        #expect(await session.connection == .signedOut(isDisabled ? .accountDisabled : .sessionEnded))
        await session.store.close()
        #expect(try NexusSession.resume(on: server()) == nil)
    }

    @Test func aSessionIsRenewedLaterWithoutANetwork() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        accounts.expireToken()
        accounts.set(isUp: false)
        await #expect(throws: SessionError.unavailable) { try await session.search("plan") }
        accounts.set(isUp: true)
        _ = try await session.search("plan")
    }

    @Test func signingOutEndsTheSessionOnTheServerAndLeavesNoFile() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        try await session.restore()
        #expect(try await session.signOut())

        #expect(!accounts.isOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        #expect(try NexusSession.resume(on: server()) == nil)
    }

    @Test func signingOutWithoutANetworkSaysSo() async throws {
        let session = try await NexusSession.signIn(user: "ada", password: "right", on: server())
        accounts.set(isUp: false)
        #expect(try await !session.signOut())

        #expect(accounts.isOpen)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test(arguments: ["CODE", "https://chat.example.com/#/invitation/CODE"])
    func anInvitationSignsIn(link: String) async throws {
        let session = try await NexusSession.accept(
            invitation: link, password: "right", name: "Ada", on: server(InMemoryCredentials()))
        _ = try await session.search("plan")
        #expect(accounts.requests.first == "POST /v1/invitations/CODE")
    }

    @Test func anotherServiceSignsIn() async throws {
        let server = server()
        let begun = try await NexusSession.beginOpenID(on: server)
        #expect(begun.url.absoluteString == "https://id.example.com/?x=1")
        let redirect = try #require(
            URL(string: "https://chat.example.com/v1/session/oidc/callback?code=1&state=2"))
        let session = try await NexusSession.signIn(openID: begun, redirectedTo: redirect, on: server)
        _ = try await session.search("plan")
        #expect(try NexusSession.resume(on: server) != nil)
    }

    @Test func tokensOfTheAppSignIn() async throws {
        _ = try await NexusSession.signIn(user: "ada", password: "right", on: server(InMemoryCredentials()))
        let tokens = AppTokens { _ in "t1" }
        let session = try await NexusSession.signIn(token: tokens, on: server())
        #expect(await session.state.userID == "ada")
        await session.store.close()
        accounts.set(isUp: false)
        #expect(try NexusSession.resume(on: server()) == nil)
        let resumed = try #require(try NexusSession.resume(on: server(), tokens: tokens))
        #expect(await resumed.state.userID == "ada")
        try await resumed.signOut()
        #expect(try NexusSession.resume(on: server(), tokens: tokens) == nil)
    }
}
