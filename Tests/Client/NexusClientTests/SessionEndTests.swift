import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// How a session ends, pauses and begins again.
@Suite(.hangGuard) @MainActor struct SessionEndTests {
    /// Tokens that a test gives out.
    private final class ScriptedTokens: TokenProvider {
        private let state: Mutex<(results: [Result<String, TokenError>], refused: [String?], isEnded: Bool)>

        init(_ results: Result<String, TokenError>...) {
            state = Mutex((results, [], false))
        }

        /// The tokens that were to be replaced.
        var refused: [String?] { state.withLock { $0.refused } }
        var isEnded: Bool { state.withLock { $0.isEnded } }

        func token(replacing refused: String?) async throws(TokenError) -> String {
            // Others ask meanwhile.
            for _ in 0..<3 { await shortPause() }
            return try state.withLock { state in
                state.refused.append(refused)
                return state.results.count > 1 ? state.results.removeFirst() : state.results[0]
            }.get()
        }

        func endSession() async -> Bool {
            state.withLock { $0.isEnded = true }
            return true
        }
    }

    private static func server(accepting token: String) -> FakeTransport {
        FakeTransport { request in
            guard request.headers["Authorization"] == "Bearer \(token)" else {
                return ChatFixture.json(#"{"code":"token_expired"}"#, status: 401)
            }
            if request.path == "/v1/sync" {
                return ChatFixture.json(#"{"cursor":"2f-1","conversations":[\#(Wire.conversation("pier"))]}"#)
            }
            return ChatFixture.json(#"{"members":[],"receipts":[],"messages":[],"results":[]}"#)
        }
    }

    private func hub(_ transport: any ClientTransport, _ tokens: (any TokenProvider)? = nil) -> SessionHub {
        SessionHub(
            NexusSession(
                transport: transport, user: "ada", device: "d", tokens: tokens, timing: VirtualClock().timing))
    }

    @Test(arguments: [SignOutReason.sessionEnded, .accountDisabled])
    func aRefusedRefreshIsSignedOutWithItsReason(reason: SignOutReason) async throws {
        let tokens = ScriptedTokens(.success("old"), .failure(.signedOut(reason)))
        let hub = hub(Self.server(accepting: "good"), tokens)
        let model = await ConnectionModel(hub)
        await hub.run()

        #expect(await hub.session.connection == .signedOut(reason))
        #expect(model.state == .signedOut(reason) && model.sentence?.key == "nexus.error.\(reason.rawValue)")
        #expect(tokens.refused == [nil, "old"])
    }

    @Test func aSourceOfTokensThatCannotBeReachedIsTriedAgain() async throws {
        let tokens = ScriptedTokens(.failure(.unavailable), .failure(.unavailable), .success("good"))
        let hub = hub(Self.server(accepting: "good"), tokens)
        let running = Task { await hub.run() }
        try await wait { await hub.session.connection == .live }
        running.cancel()
        await running.value

        #expect(tokens.refused == [nil, nil, nil])
    }

    @Test func requestsThatFailTogetherShareOneToken() async throws {
        let tokens = ScriptedTokens(.success("old"), .success("good"))
        let session = hub(Self.server(accepting: "good"), tokens).session
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try await session.search("plan") } }
            try await group.waitForAll()
        }

        #expect(tokens.refused == [nil, "old"])
    }

    @Test func aDisabledAccountAndAnEndedSessionAreSignedOut() async throws {
        for (status, code) in [(403, "account_disabled"), (401, "session_ended")] {
            let transport = FakeTransport { _ in ChatFixture.json(#"{"code":"\#(code)"}"#, status: status) }
            let hub = hub(transport)
            await hub.run()
            #expect(await hub.session.connection == .signedOut(SignOutReason(rawValue: code)))
        }
    }

    @Test func runsAgainAfterAPause() async throws {
        let chat = ChatFixture()
        let connection = await ConnectionModel(chat.hub)
        let model = await ConversationModel(chat.hub, id: "pier")
        for life in 0..<3 {
            let running = Task { await chat.hub.run() }
            try await wait { connection.state.isConnected && chat.transport.sockets.count == life + 1 }
            await model.open()
            chat.say(Wire.change(Wire.message(life + 1, "text \(life)")))
            try await wait {
                guard case .loaded(let entries) = model.state else { return false }
                return entries.count == life + 1
            }
            running.cancel()
            await running.value
            #expect(connection.state == .offline && connection.sentence?.key == "nexus.error.offline")
            #expect(await chat.session.connection == .offline)
        }
        #expect(chat.transport.requests.count { $0.path == "/v1/sync" } == 1)
    }

    @Test func ofTwoRunsOneWaits() async throws {
        let chat = ChatFixture()
        let first = Task { await chat.hub.run() }
        try await wait { chat.transport.sockets.count == 1 }
        let second = Task { await chat.hub.run() }
        let third = Task { await chat.session.run() }
        third.cancel()
        await third.value
        first.cancel()
        await first.value
        try await wait { chat.transport.sockets.count == 2 }
        second.cancel()
        await second.value
        #expect(chat.transport.sockets.count == 2)
    }

    @Test(arguments: [true, false]) func signingOutLeavesNothing(isRunning: Bool) async throws {
        let tokens = ScriptedTokens(.success("good"))
        let transport = Self.server(accepting: "good")
        let hub = hub(transport, tokens)
        let running = Task { await hub.run() }
        try await wait { await hub.session.connection == .live }
        let list = await ConversationListModel(hub)
        let model = await ConversationModel(hub, id: "pier")
        let assistant = AssistantModel(hub) { _ in }
        model.composer.draft = "half"
        assistant.draft = "When?"
        await hub.session.send("waits", to: "pier")
        if !isRunning {
            running.cancel()
            await running.value
        }
        #expect(try await hub.signOut())
        await running.value

        #expect(list.state == .signedOut && list.rows.isEmpty)
        #expect(model.state == .signedOut && model.composer == ConversationModel.Composer() && model.name.isEmpty)
        #expect(assistant.draft.isEmpty && tokens.isEnded)
        #expect(await hub.session.waiting().isEmpty)
        await #expect(throws: SessionError.signedOut(.person)) { try await hub.session.search("plan") }
    }

    /// The end meets whatever is on its way between the session, its store and the server.
    @Test(arguments: 0..<40) func whatIsOnItsWayWhenThePersonSignsOutStaysAway(pauses: Int) async throws {
        let session = hub(Self.server(accepting: "good"), ScriptedTokens(.success("good"))).session
        let running = Task { await session.run() }
        try await wait { await session.connection == .live }
        let sending = Task {
            for conversation in ["pier", "quay", "shed"] { await session.send("waits", to: conversation) }
            try await session.setDraft(Draft(text: "half"), in: "pier")
        }
        for _ in 0..<pauses { await Task.yield() }
        try await session.signOut()
        await running.value
        _ = await sending.result

        #expect(await session.waiting().isEmpty)
        #expect(await session.pendingCount == 0)
        #expect(await session.drafts.isEmpty)
        #expect(await session.state.conversations.isEmpty)
    }

    @Test func aMessageToAConversationThatIsNotSeenComesBack() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.contains("/nowhere") else { return nil }
            return ChatFixture.json(#"{"code":"conversation_forbidden","detail":"x"}"#, status: 403)
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "nowhere")
            await model.open()
            model.composer.draft = "hello"
            await model.send()
            try await chat.wait {
                guard case .gone(let unsent) = model.state, case .failed? = unsent.first?.state else { return false }
                return true
            }
            guard case .gone(let unsent) = model.state, case .failed(let error)? = unsent.first?.state else { return }
            #expect(unsent.map(\.text) == ["hello"])
            #expect(error.sentence.key == "nexus.error.conversation_forbidden")
            #expect(await chat.session.waiting() == unsent)
            await model.discard(unsent[0])
            #expect(model.state == .gone(unsent: []))
            #expect(await chat.session.waitingCount == 0)
        }
    }

    @Test func aDepartureGivesWaitingMessagesBack() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.method == "POST", request.path.hasSuffix("/messages") else { return nil }
            return ChatFixture.json(#"{"code":"conversation_forbidden","detail":"x"}"#, status: 403)
        })
        let sent = await chat.session.send("waits", to: "pier")
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            chat.say(#"{"type":"departure","conversationId":"pier"}"#)
            try await chat.wait {
                guard case .gone(let unsent) = model.state, case .failed? = unsent.first?.state else { return false }
                return unsent.map(\.localId) == [sent.localId]
            }
        }
    }
}
