import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing
import Transport

@Suite("OpenAIChatModel, failures", .hangGuard)
struct OpenAIChatModelFailureTests {
    private static let messages = [PromptMessage(role: .user, content: "private words")]

    private func request(streams: Bool = true) -> GenerationRequest {
        GenerationRequest(messages: Self.messages, maximumTokenCount: 100, streams: streams)
    }

    /// Returns the events before a failure, and the failure.
    private func outcome(
        _ model: OpenAIChatModel, streams: Bool = true
    ) async -> ([GenerationEvent], ModelServiceError?) {
        var events: [GenerationEvent] = []
        let error = await serviceError {
            try await model.generate(request(streams: streams)) { events.append($0) }
        }
        return (events, error)
    }

    @Test(arguments: [
        (StubResponse.chatStream(["a", "b"], finishReason: nil), ModelServiceError.incompleteReply),
        (.eventStream([.delta("a"), .delta("b")]), .incompleteReply),
        (.eventStream([.delta("a"), .delta("b"), .close]), .incompleteReply),
        (.eventStream([.delta("a"), .delta("b"), .bytes(Data("data: {\"choi".utf8))]), .incompleteReply),
        (.eventStream([.delta("a"), .delta("b"), .event("{\"choi")]), .invalidReply(reason: "not a chat completion")),
        (
            .eventStream([.delta("a"), .delta("b"), .event(#"{"error":{"message":"private","code":503}}"#)]),
            .busy(retryAfter: nil)
        ),
        (
            .eventStream([.delta("a"), .delta("b"), .event(#"{"error":{"message":"private","type":"server_error"}}"#)]),
            .failed(status: 500)
        ),
        (
            .eventStream([
                .delta("a"), .delta("b"), .event(#"{"object":"error","message":"x","code":400,"type":"Bad"}"#),
            ]),
            .rejected(status: 400, code: "Bad")
        ),
        (
            .eventStream([
                .delta("a"), .delta("b"), .bytes(Data("event: error\ndata: {\"message\":\"x\",\"code\":422}\n\n".utf8)),
            ]),
            .rejected(status: 422, code: "unspecified")
        ),
    ])
    func failsInTheMiddleAfterWhatCame(response: StubResponse, expected: ModelServiceError) async throws {
        let server = try StubServer(response)

        let (events, error) = await outcome(try makeChatModel(server))

        #expect(events == [.delta("a"), .delta("b")])
        #expect(error == expected)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        (StubResponse.chat("a", finishReason: nil), ModelServiceError.incompleteReply),
        (.json(["choices": [Any]()]), .invalidReply(reason: "a completion without a choice")),
        (.text("<html>"), .invalidReply(reason: "not a chat completion")),
        (.text(#"{"error":{"message":"private","code":"context_length_exceeded"}}"#), .tooLong),
    ])
    func failsOnRepliesThatCannotBeRight(response: StubResponse, expected: ModelServiceError) async throws {
        let server = try StubServer(response)

        let (_, error) = await outcome(try makeChatModel(server), streams: false)

        #expect(error == expected)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        #"{"error":{"message":"private","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
        #"{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}}"#,
        #"{"error":{"code":400,"message":"private","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}"#,
    ])
    func recognisesAPromptThatIsTooLong(body: String) async throws {
        let server = try StubServer(.text(body, status: 400))

        #expect(await outcome(try makeChatModel(server)).1 == .tooLong)
    }

    @Test func doesNotTakeALimitThatIsTooHighForALongPrompt() async throws {
        let server = try StubServer(
            .openAIError(
                400, code: "invalid_value", param: "max_tokens",
                message: "max_tokens is too large: 100. This model supports at most 50 completion tokens."))

        #expect(await outcome(try makeChatModel(server)).1 == .rejected(status: 400, code: "invalid_value"))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [true, false])
    func retriesBeforeTheFirstByteOnly(streams: Bool) async throws {
        let answer = streams ? StubResponse.chatStream(["a"]) : .chat("a")
        let head = StubResponse.head(200, [("Content-Type", "text/event-stream"), ("Transfer-Encoding", "chunked")])
        let server = try StubServer(
            .openAIError(503), StubResponse(steps: [.bytes(head), .reset]), .openAIError(429), answer)
        let waits = RecordedWaits()

        let model = try makeChatModel(server, retry: waits.schedule())
        let events = try await model.events(of: request(streams: streams))

        #expect(events == [.delta("a"), .finished(.stop, nil)])
        #expect(waits.all == [.milliseconds(500), .seconds(1), .seconds(2)])
    }

    @Test func stopsRepeatingParametersThatAreRefusedStill() async throws {
        let server = try StubServer(.openAIError(400, code: "unsupported_parameter", param: "temperature"))

        let (_, error) = await outcome(try makeChatModel(server))

        #expect(error == .rejected(status: 400, code: "unsupported_parameter"))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [true, false])
    func reportsAWrongKey(streams: Bool) async throws {
        let server = try StubServer(
            .openAIError(401, code: "invalid_api_key", message: "Incorrect API key provided: sk-secret"))

        let (events, error) = await outcome(try makeChatModel(server), streams: streams)

        #expect(events.isEmpty)
        #expect(error == .unauthorized(status: 401))
    }

    @Test func reportsAStreamThatStalls() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .hang]))
        let model = try makeChatModel(server) { $0.limits.betweenTokens = .milliseconds(500) }

        let (events, error) = await outcome(model)

        #expect(events == [.delta("a")])
        #expect(error == .slow(.pausing))
        await server.waitForDisconnect()
    }

    /// Nothing at all, only a head, comments that keep the connection open, and the frame with the role: the model reads.
    @Test(
        arguments: [
            StubResponse.neverAnswers, .eventStream([.hang]), .eventStream([.bytes(Data(": wait\n\n".utf8)), .hang]),
            .eventStream([.event(#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}"#), .hang]),
        ], [true, false])
    func reportsAModelThatReads(response: StubResponse, streams: Bool) async throws {
        let server = try StubServer(response)
        let model = try makeChatModel(server) { $0.limits.firstToken = .milliseconds(500) }

        let (events, error) = await outcome(model, streams: streams)

        #expect(events.isEmpty)
        #expect(error == .slow(.reading))
        await server.waitForDisconnect()
        #expect(server.requests.count == 1)
    }

    @Test func theTimeForTheFirstWordEndsWithIt() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .hang]))
        let model = try makeChatModel(server) { settings in
            settings.limits.firstToken = .seconds(60)
            settings.limits.answer = .milliseconds(500)
        }

        let (events, error) = await outcome(model)

        #expect(events == [.delta("a")])
        #expect(error == .slow(.working))
        await server.waitForDisconnect()
    }

    @Test(arguments: ["reasoning_content", "reasoning"])
    func aModelThatThinksHasBegun(field: String) async throws {
        let thought = #"{"choices":[{"index":0,"delta":{"\#(field)":"hm"}}]}"#
        let server = try StubServer(.eventStream([.event(thought), .hang]))
        let model = try makeChatModel(server) { $0.limits.betweenTokens = .milliseconds(500) }

        #expect(await outcome(model).1 == .slow(.pausing))
        await server.waitForDisconnect()
    }

    /// A proxy gave up waiting: its service is slow, not dead.
    @Test(arguments: [504, 524])
    func aProxyThatGivesUpIsNotAskedAgain(status: Int) async throws {
        let server = try StubServer(.text("<html>", status: status))

        #expect(await outcome(try makeChatModel(server)).1 == .slow(.working))
        #expect(server.requests.count == 1)
    }

    @Test func abortsWhenTheConsumerStops() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .hang]))
        let model = try makeChatModel(server)

        let events = try await model.events(of: request()) { _ in true }

        #expect(events == [.delta("a")])
        await server.waitForDisconnect()
    }

    @Test func abortsWhenTheConsumerIsCancelled() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .hang]))
        let model = try makeChatModel(server)
        let (seen, seeing) = AsyncStream.makeStream(of: GenerationEvent.self)

        let task = Task {
            try await model.generate(request()) { seeing.yield($0) }
        }
        for await event in seen {
            #expect(event == .delta("a"))
            break
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForDisconnect()
    }

    @Test(arguments: [true, false])
    func abortsWhenTheConsumerIsCancelledBeforeTheAnswer(streams: Bool) async throws {
        let server = try StubServer(.neverAnswers)
        let model = try makeChatModel(server)

        let task = Task {
            try await model.generate(request(streams: streams)) { _ in }
        }
        await server.waitForRequests(1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForDisconnect()
        #expect(server.requests.count == 1)
    }
}
