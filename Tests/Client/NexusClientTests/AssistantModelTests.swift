import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// The assistant on the screen.
@Suite(.hangGuard) @MainActor struct AssistantModelTests {
    private static let place = MessagePlace(conversationId: "team", messageId: "m1")

    private static func event(_ name: String, _ data: String) -> Data { Data("event: \(name)\ndata: \(data)\n\n".utf8) }

    private static let source = """
        {"conversationId":"team","conversationName":"Team","messageId":"m1","excerpt":"x","senderName":"Ben"}
        """

    private func model(
        _ streams: FakeStreams, scope: AssistantModel.Scope = .conversation("pier"),
        navigate: @escaping @MainActor (MessagePlace) -> Void = { _ in }
    ) -> AssistantModel {
        let session = NexusSession(transport: streams, user: "ada", device: "d", timing: VirtualTime().timing)
        return AssistantModel(SessionHub(session), scope: scope, navigate: navigate)
    }

    private func wait(until isTrue: () -> Bool) async throws {
        while !isTrue() {
            try Task.checkCancellation()
            await shortPause()
        }
    }

    @Test func anAnswerGoesThroughItsPhases() async throws {
        let streams = FakeStreams()
        var visited: [MessagePlace] = []
        let model = model(streams) { visited.append($0) }
        model.draft = " When?\n"
        let asking = Task { await model.ask() }

        try await wait { model.exchanges.last?.phase == .searching }
        #expect(model.draft.isEmpty && model.isAnswering && model.exchanges[0].question == "When?")
        model.draft = "Another?"
        await model.ask()
        #expect(model.exchanges.count == 1 && model.draft == "Another?")
        streams.pieces.yield(Self.event("progress", #"{"part":1,"parts":4}"#))
        try await wait { model.exchanges[0].phase == .reading(part: 1, parts: 4) }
        streams.pieces.yield(Self.event("retrieval", #"{"sources":[\#(Self.source)]}"#))
        streams.pieces.yield(Self.event("reading", #"{"share":0.75}"#))
        streams.pieces.yield(Self.event("delta", #"{"text":"Friday [1]."}"#))
        let citation = #"{"conversationId":"team","messageId":"m1","number":1,"start":7,"end":10}"#
        streams.pieces.yield(Self.event("citation", citation))
        try await wait {
            if case .answering(let draft) = model.exchanges[0].phase { draft.citations.count == 1 } else { false }
        }
        guard case .answering(let draft) = model.exchanges[0].phase,
            case .citations(let text, let cited) = draft.segments[1]
        else {
            Issue.record("no citation")
            return
        }
        #expect(draft.segments.count == 3 && text == "[1]" && draft.sources.map(\.place) == [Self.place])
        #expect(draft.readShare == 0.75)
        model.open(cited[0].place)
        #expect(visited == [Self.place])
        let answer = #"{"turnId":"t1","answer":"Friday [1].","sources":[\#(Self.source)],"citations":[\#(citation)]}"#
        streams.pieces.yield(Self.event("done", answer))
        await asking.value
        guard case .answered(let whole, nil) = model.exchanges[0].phase else {
            Issue.record("no answer")
            return
        }
        #expect(whole.segments == draft.segments && !model.isAnswering)
    }

    @Test func aFailureKeepsWhatCameAndMayBeRetried() async throws {
        let status = Mutex(200)
        let streams = FakeStreams { _ in status.withLock { $0 } }
        let model = model(streams)
        streams.pieces.yield(Self.event("delta", #"{"text":"Fri"}"#))
        streams.pieces.yield(Self.event("error", #"{"status":502,"code":"model_failed","detail":"secret"}"#))
        model.draft = "When?"

        await model.ask()

        guard case .failed(let sentence, let draft) = model.exchanges[0].phase else {
            Issue.record("not failed")
            return
        }
        #expect(sentence.key == "nexus.error.model_unavailable" && draft.text == "Fri")
        status.withLock { $0 = 429 }
        await model.retry(0)
        guard case .failed(let second, let nothing) = model.exchanges[0].phase else {
            Issue.record("not failed")
            return
        }
        #expect(second.key == "nexus.error.model_missing" && nothing.text.isEmpty && model.exchanges.count == 1)
    }

    @Test func aPersonStopsAnAnswer() async throws {
        let streams = FakeStreams()
        let model = model(streams)
        model.draft = "When?"
        let asking = Task { await model.ask() }

        streams.pieces.yield(Self.event("delta", #"{"text":"Fri"}"#))
        try await wait { if case .answering = model.exchanges.last?.phase { true } else { false } }
        asking.cancel()
        await asking.value

        guard case .stopped(let draft) = model.exchanges[0].phase else {
            Issue.record("not stopped")
            return
        }
        #expect(draft.text == "Fri" && streams.isOver)
    }

    @Test func questionsAcrossConversationsShareAThreadAndAnswersAreRated() async throws {
        let isRefusing = Mutex(false)
        let plain = FakeTransport { request in
            if isRefusing.withLock({ $0 }) { throw ClientTransportError.broken }
            let thread = #"{"id":"h1","title":"","turnCount":0,"createdAt":"x","updatedAt":"x"}"#
            let turn = """
                {"turnId":"t1","question":"","answer":"","isRedacted":false,"sources":[],"citations":[],"notices":[],
                 "askedAt":"x"}
                """
            return ChatFixture.json(request.path == "/v1/threads" ? thread : turn)
        }
        let streams = FakeStreams(plain: plain)
        let model = model(streams, scope: .everything)
        for _ in 0..<2 {
            streams.pieces.yield(Self.event("done", #"{"turnId":"t1","answer":"Friday","sources":[]}"#))
            model.draft = "When?"
            await model.ask()
        }

        #expect(plain.requests.map(\.path) == ["/v1/threads"])
        let bodies = streams.requests.compactMap(\.body).map { String(decoding: $0, as: UTF8.self) }
        #expect(bodies.count == 2 && bodies.allSatisfy { $0.contains(#""threadId":"h1""#) })
        let answer = ChatAnswer(turnId: "t1", answer: "Friday")
        await model.rate(1, .up)
        #expect(model.exchanges[1].phase == .answered(answer, .up))
        isRefusing.withLock { $0 = true }
        await model.rate(1, .down)
        #expect(model.exchanges[1].phase == .answered(answer, .up) && model.failure == .offline)
    }
}
