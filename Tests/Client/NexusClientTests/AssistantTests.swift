import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// The assistant as a client asks it.
@Suite(.hangGuard) struct AssistantTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fixtures/Wire")

    private static func file(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    private static func session(
        _ transport: any ClientTransport, tokens: (any TokenProvider)? = nil
    ) -> NexusSession {
        NexusSession(
            transport: transport, user: tokens == nil ? "ada" : nil, device: "d", tokens: tokens,
            timing: VirtualTime().timing)
    }

    private static func body(_ request: ClientRequest?) throws -> NSDictionary? {
        try request?.body.map { try JSONSerialization.jsonObject(with: $0) } as? NSDictionary
    }

    @Test func eventsComeAsTheirBytesDo() async throws {
        let streams = FakeStreams()
        let bytes = try Self.file("answer-stream.txt")
        let end = try #require(bytes.range(of: Data("id: 3".utf8))).lowerBound
        streams.pieces.yield(bytes[..<end])
        let question = AssistantQuestion("When?", threadId: "h1", topK: 3, timeZone: "Europe/Berlin")
        var texts: [String] = []
        var answer: ChatAnswer?

        for try await event in Self.session(streams).assistant.ask(question) {
            switch event {
            case .text(let text):
                texts.append(text)
                // The rest is not written before the first text was read.
                if texts.count == 1 { streams.pieces.yield(bytes[end...]) }
            case .done(let whole): answer = whole
            default: break
            }
        }

        #expect(texts == ["Friday", " [1]"] && answer?.answer == "Friday [1]")
        let request = try #require(streams.requests.first)
        #expect(request.method == "POST" && request.path == "/v1/ask" && streams.requests.count == 1)
        #expect(request.headers["Accept"] == "text/event-stream" && request.headers["X-Nexus-User"] == "ada")
        #expect(
            try Self.body(request) == [
                "question": "When?", "threadId": "h1", "topK": 3, "timeZone": "Europe/Berlin",
            ])
    }

    @Test func aFailureIsThrownAndHasASentence() async throws {
        let streams = FakeStreams()
        streams.pieces.yield(try Self.file("answer-failure.txt"))
        var events: [AnswerEvent] = []
        var failure: SessionError?

        do {
            for try await event in Self.session(streams).assistant.ask(AssistantQuestion("When?")) {
                events.append(event)
            }
        } catch let error as SessionError { failure = error }

        #expect(events == [.text("Fri")])
        #expect(failure?.sentence.key == "nexus.error.model_unavailable")
    }

    @Test func anAnswerThatBreaksOffIsNoAnswer() async throws {
        let streams = FakeStreams()
        streams.pieces.yield(Data("event: delta\ndata: {\"text\":\"Fri\"}\n\n".utf8))
        streams.pieces.finish()
        var events: [AnswerEvent] = []

        await #expect(throws: SessionError.unavailable) {
            for try await event in Self.session(streams).assistant.ask(AssistantQuestion("When?")) {
                events.append(event)
            }
        }

        #expect(events == [.text("Fri")])
    }

    @Test func aRefusalBeforeTheFirstEventIsThrown() async throws {
        let streams = FakeStreams { _ in 503 }
        let error = SessionError.refused(status: 503, code: "model_misconfigured", detail: "secret", retryAfter: 7)

        await #expect(throws: error) {
            for try await _ in Self.session(streams).assistant.summarize(of: "pier") {}
        }
        #expect(error.sentence.key == "nexus.error.model_missing")
    }

    @Test func aRefusedTokenIsRefreshedOnce() async throws {
        let streams = FakeStreams { $0.headers["Authorization"] == "Bearer fresh" ? 200 : 401 }
        streams.pieces.yield(try Self.file("answer-stream.txt"))
        let session = Self.session(streams, tokens: AppTokens { refused in refused == nil ? "old" : "fresh" })
        var count = 0

        for try await _ in session.assistant.ask(AssistantQuestion("When?")) { count += 1 }

        #expect(count == 5)
        #expect(streams.requests.map { $0.headers["Authorization"] } == ["Bearer old", "Bearer fresh"])
        let refused = FakeStreams { _ in 401 }
        let signedOut = Self.session(refused, tokens: AppTokens { _ in "old" })
        let error = await #expect(throws: SessionError.self) {
            for try await _ in signedOut.assistant.ask(AssistantQuestion("When?")) {}
        }
        #expect(error?.isSignedOut == true)
    }

    @Test func aReaderThatStopsEndsTheRequest() async throws {
        let streams = FakeStreams()
        streams.pieces.yield(try Self.file("answer-stream.txt").prefix(while: { $0 != UInt8(ascii: "3") }))
        let asking = Task {
            for try await _ in Self.session(streams).assistant.ask(AssistantQuestion("When?")) {}
        }

        while streams.requests.isEmpty { await shortPause() }
        #expect(!streams.isOver)
        asking.cancel()
        _ = await asking.result
        #expect(streams.isOver)
    }

    @Test func aServerThatDoesNotStreamIsReadAtOnce() async throws {
        let answer = Data(#"{"answer":"Friday","sources":[]}"#.utf8)
        let transport = FakeTransport { _ in
            ClientResponse(status: 200, headers: ["content-type": "application/json"], body: answer)
        }
        var events: [AnswerEvent] = []

        for try await event in Self.session(transport).assistant.ask(ConversationQuestion("When?"), in: "p/1") {
            events.append(event)
        }

        #expect(events == [.done(ChatAnswer(answer: "Friday"))])
        #expect(transport.requests.first?.path == "/v1/conversations/p%2F1/assistant")
        #expect(try Self.body(transport.requests.first) == ["text": "When?"])
    }

    @Test func aTimelineIsReadAsOfADay() async throws {
        let reply = Data(
            """
            {"asOf":"2026-10-08","entries":[{"conversationId":"pier","conversationName":"Pier","end":28,
            "excerpt":"The launch is on 12 October.","messageId":"m1",
            "replacedBy":{"conversationId":"pier","messageId":"m2"},"senderId":"ada","senderName":"Ada","start":0,
            "verdict":{"newer":{"conversationId":"pier","messageId":"m2"},"saidAt":"2026-10-02T09:00:00.000Z",
            "userId":"ben","userName":"Ben","verdict":"replaced"},
            "states":[{"isReplaced":true,"kind":"date","text":"12 October","value":"2026-10-12"}],
            "timestamp":"2026-10-01T09:00:00.000Z"}],"noAnswerReason":"none"}
            """.utf8)
        let transport = FakeTransport { _ in
            ClientResponse(status: 200, headers: ["content-type": "application/json"], body: reply)
        }

        let timeline = try await Self.session(transport).assistant.timeline(
            TimelineRequest("launch", asOf: "2026-10-08", timeZone: "Europe/Berlin"))

        #expect(timeline.asOf == "2026-10-08" && timeline.noAnswerReason == .answered)
        let entry = try #require(timeline.entries.first)
        #expect(entry.replacedBy == MessagePlace(conversationId: "pier", messageId: "m2"))
        #expect(
            entry.states == [
                ChatTimeline.Value(kind: "date", text: "12 October", value: "2026-10-12", isReplaced: true)
            ])
        #expect(entry.verdict?.isReplaced == true && entry.verdict?.userName == "Ben")
        #expect(entry.place == MessagePlace(conversationId: "pier", messageId: "m1"))
        #expect(transport.requests.first?.path == "/v1/timeline")
        #expect(
            try Self.body(transport.requests.first) == [
                "subject": "launch", "asOf": "2026-10-08", "timeZone": "Europe/Berlin",
            ])
    }

    @Test func aPersonSaysWhatReplacedAMessage() async throws {
        let transport = FakeTransport { _ in ClientResponse(status: 204, headers: [:], body: Data()) }
        let older = MessagePlace(conversationId: "pier", messageId: "m1")
        let newer = MessagePlace(conversationId: "quay", messageId: "m2")

        try await Self.session(transport).assistant.setVerdict(
            NewVerdict(.replaced, message: older, replacedBy: newer, start: 0, end: 28))

        let request = try #require(transport.requests.first)
        #expect(request.method == "POST" && request.path == "/v1/timeline/verdicts")
        let body = try #require(request.body)
        #expect(
            try JSONDecoder().decode(SentVerdict.self, from: body)
                == SentVerdict(verdict: "replaced", message: older, replacedBy: newer, start: 0, end: 28))
    }

    /// What the server reads.
    private struct SentVerdict: Decodable, Equatable {
        let verdict: String
        let message: MessagePlace
        let replacedBy: MessagePlace
        let start: Int
        let end: Int
    }

    @Test(arguments: [
        (SummaryRequest(), "{}"),
        (
            SummaryRequest(from: .since(Date(timeIntervalSince1970: 0.25)), language: "de"),
            #"{"language":"de","since":"1970-01-01T00:00:00.250Z"}"#
        ),
        (SummaryRequest(from: .after(messageId: "m1"), senderId: "ben"), #"{"after":"m1","senderId":"ben"}"#),
        (
            SummaryRequest(from: .unread(after: "m1"), threadId: "m0", timeZone: "UTC"),
            #"{"after":"m1","threadId":"m0","timeZone":"UTC","unread":true}"#
        ),
    ])
    func aSummaryNamesItsMessages(request: SummaryRequest, body: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys

        #expect(String(decoding: try encoder.encode(request), as: UTF8.self) == body)
    }

    @Test func everyFunctionHasItsRequest() async throws {
        let replies: [String: Data] = [
            "POST /v1/search": Data(
                #"{"results":[\#(String(decoding: try Self.file("found.json"), as: UTF8.self))]}"#.utf8),
            "POST /v1/threads": try Self.file("thread.json"), "PATCH /v1/threads/h1": try Self.file("thread.json"),
            "GET /v1/threads": Data(#"{"threads":[],"next":"5.h1"}"#.utf8),
            "GET /v1/turns": Data(#"{"turns":[]}"#.utf8),
            "GET /v1/conversations/pier/assistant": Data(#"{"turns":[]}"#.utf8),
            "POST /v1/turns/t1/feedback": try Self.file("turn.json"),
            "GET /v1/action-items": Data(#"{"items":[]}"#.utf8),
            "GET /v1/conversations/pier/decisions": Data(#"{"items":[],"next":"i2"}"#.utf8),
            "POST /v1/conversations/pier/deadlines/extract": Data(
                #"{"items":[],"messageCount":2,"addedCount":0,"changedCount":0,"removedCount":0,"isComplete":true}"#
                    .utf8),
            "PATCH /v1/conversations/team/action-items/i1": try Self.file("action-item.json"),
            "POST /v1/conversations/pier/smart-replies": try Self.file("smart-replies.json"),
            "GET /v1/conversations/pier/assistant/suggestions": Data(
                #"{"suggestions":[{"id":"summary","title":"Sum up","text":"Sum up"}]}"#.utf8),
            "POST /v1/conversations/pier/priorities": Data(#"{"messages":[]}"#.utf8),
        ]
        let transport = FakeTransport { request in
            let path = request.path.split(separator: "?")[0]
            if request.method == "DELETE" { return ClientResponse(status: 204) }
            guard let body = replies["\(request.method) \(path)"] else { return ClientResponse(status: 404) }
            return ClientResponse(status: 200, body: body)
        }
        let assistant = Self.session(transport).assistant

        #expect(try await assistant.search(MessageSearch("pilot", topK: 2)).map(\.messageId) == ["m1"])
        #expect(try await assistant.createThread(title: "Pilot").id == "h1")
        #expect(try await assistant.renameThread("h1", to: "Pilot").title == "Pilot")
        #expect(try await assistant.threads(after: "7.h2").next == "5.h1")
        #expect(try await assistant.turns(of: "h1").turns.isEmpty)
        #expect(try await assistant.exchange(in: "pier", before: "t9").next == nil)
        let rated = try await assistant.rate("t1", .up, reason: "that was it")
        #expect(rated.feedback?.rating == .up)
        #expect(rated.outdated?.by.place == MessagePlace(conversationId: "team", messageId: "m2"))
        #expect(try await assistant.items(.actionItem, assignee: "me", status: "open").items.isEmpty)
        #expect(try await assistant.items(.decision, in: "pier").next == "i2")
        #expect(try await assistant.extract(.deadline, in: "pier").messageCount == 2)
        let item = try JSONDecoder().decode(ChatItem.self, from: Self.file("action-item.json"))
        #expect(try await assistant.change(item, of: .actionItem, ChatItemChange(status: "done")).id == "i1")
        #expect(try await assistant.smartReplies(in: "pier").replies.count == 2)
        #expect(try await assistant.suggestions(in: "pier").map(\.title) == ["Sum up"])
        #expect(try await assistant.priorities(in: "pier", after: "m1").isEmpty)
        try await assistant.dismiss(item, of: .actionItem)
        try await assistant.removeRating(of: "t1")
        try await assistant.clearExchange(in: "pier")
        try await assistant.deleteThread("h1")

        let requests = transport.requests
        #expect(requests.contains { $0.path == "/v1/threads?limit=50&after=7.h2" })
        #expect(requests.contains { $0.path == "/v1/action-items?limit=50&assignee=me&status=open" })
        let change = requests.first { $0.method == "PATCH" && $0.path.hasSuffix("/i1") }
        #expect(try Self.body(change) == ["status": "done"])
        #expect(
            requests.filter { $0.method == "DELETE" }.map(\.path) == [
                "/v1/conversations/team/action-items/i1", "/v1/turns/t1/feedback", "/v1/conversations/pier/assistant",
                "/v1/threads/h1",
            ])
    }
}
