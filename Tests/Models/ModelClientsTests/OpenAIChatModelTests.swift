import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

@Suite("OpenAIChatModel", .hangGuard)
struct OpenAIChatModelTests {
    private static let prompt = [
        PromptMessage(role: .system, content: "Be brief."), PromptMessage(role: .user, content: "Why?"),
    ]

    private func request(streams: Bool) -> GenerationRequest {
        GenerationRequest(messages: Self.prompt, maximumTokenCount: 100, streams: streams)
    }

    private func events(_ model: OpenAIChatModel, streams: Bool) async throws -> [GenerationEvent] {
        try await model.events(of: request(streams: streams))
    }

    @Test func sendsTheRequest() async throws {
        let server = try StubServer(.chat("a"))
        _ = try await events(makeChatModel(server), streams: false)

        let sent = try #require(server.requests.first)
        #expect(sent.target == "/v1/chat/completions")
        #expect(sent.header("authorization") == "Bearer sk-secret")
        #expect(
            sent.json.keys.sorted() == ["max_tokens", "messages", "model", "stream", "stream_options", "temperature"])
        #expect(sent.json["model"] as? String == "stub-chat")
        #expect(sent.json["max_tokens"] as? Int == 100)
        #expect(sent.json["temperature"] as? Double == 0.7)
        #expect(sent.json["stream"] as? Bool == true)
        let messages = sent.json["messages"] as? [[String: String]]
        #expect(
            messages == [["role": "system", "content": "Be brief."], ["role": "user", "content": "Why?"]])
    }

    @Test func sendsTheStreamedRequest() async throws {
        let server = try StubServer(.chatStream(["a"]))
        _ = try await events(makeChatModel(server) { $0.temperature = nil }, streams: true)

        let sent = try #require(server.requests.first)
        #expect(
            sent.json.keys.sorted() == [
                "max_tokens", "messages", "model", "return_progress", "stream", "stream_options",
            ])
        #expect(sent.json["stream"] as? Bool == true)
        // Servers in the local network may be llama.cpp's.
        #expect(sent.json["return_progress"] as? Bool == true)
        #expect(sent.json["stream_options"] as? [String: Bool] == ["include_usage": true])
    }

    @Test func saysWhatIsConfigured() async throws {
        let server = try StubServer(.neverAnswers)
        let model = try makeChatModel(server) { $0.contextTokenCount = 4096 }

        #expect(model.name == "stub-chat")
        #expect(model.contextTokenCount == 4096)
        #expect(server.requests.isEmpty)
    }

    @Test func answersAtOnce() async throws {
        let server = try StubServer(.chat("Because.", usage: (prompt: 12, completion: 3)))

        let events = try await events(makeChatModel(server), streams: false)

        #expect(
            events == [
                .delta("Because."), .finished(.stop, TokenUsage(promptTokens: 12, completionTokens: 3)),
            ])
    }

    @Test func answersInOnePieceWhatCameInSeveral() async throws {
        let server = try StubServer(.chatStream(["Be", "cause", "."], usage: (prompt: 12, completion: 3)))

        let events = try await events(makeChatModel(server), streams: false)

        #expect(
            events == [
                .delta("Because."), .finished(.stop, TokenUsage(promptTokens: 12, completionTokens: 3)),
            ])
    }

    /// As OpenAI refuses streams of some models to organisations that are not verified, and as others say it.
    @Test(arguments: [
        StubResponse.openAIError(
            400, code: "unsupported_value", param: "stream", message: "Your organization must be verified to stream."),
        .openAIError(422, code: "invalid", message: "Streaming is not supported by this model."),
    ])
    func asksWithoutStreamsWhereTheyAreRefused(refusal: StubResponse) async throws {
        let server = try StubServer { request in
            request.json["stream"] as? Bool == true ? refusal : .chat("Because.")
        }
        let model = try makeChatModel(server)

        for streams in [true, false] {
            #expect(try await events(model, streams: streams) == [.delta("Because."), .finished(.stop, nil)])
        }

        // The refusal is remembered.
        #expect(server.requests.map { $0.json["stream"] as? Bool } == [true, false, false])
        #expect(server.requests.last?.json["stream_options"] == nil)
    }

    @Test func answersPieceByPiece() async throws {
        let server = try StubServer(.chatStream(["Be", "cause", "."], usage: (prompt: 12, completion: 3)))

        let events = try await events(makeChatModel(server), streams: true)

        #expect(
            events == [
                .delta("Be"), .delta("cause"), .delta("."),
                .finished(.stop, TokenUsage(promptTokens: 12, completionTokens: 3)),
            ])
    }

    /// The frames of llama.cpp's server in xllamacpp 2026.10.11549.
    @Test func reportsHowMuchOfThePromptIsRead() async throws {
        let head = #"{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]"#
        let progress = [(0, 0), (512, 3_114), (1_024, 6_250), (1_100, 6_900)].map { processed, milliseconds in
            StubResponse.Step.event(
                head + #","prompt_progress":{"total":1100,"cache":0,"processed":\#(processed),"#
                    + #""time_ms":\#(milliseconds)}}"#)
        }
        let wrong = [#"{"total":0,"processed":0}"#, #"{"total":5,"processed":9}"#, #"{"processed":9}"#, "7"].map {
            StubResponse.Step.event(head + #","prompt_progress":\#($0)}"#)
        }
        let rest: [StubResponse.Step] = [
            .event(head + "}"), .delta("Hallo"), .delta("!"), .finish("stop"), .event("[DONE]"),
        ]
        let server = try StubServer(.eventStream(progress + wrong + rest))

        #expect(
            try await events(makeChatModel(server), streams: true) == [
                .reading(0), .reading(512.0 / 1_100), .reading(1_024.0 / 1_100), .reading(1), .delta("Hallo"),
                .delta("!"), .finished(.stop, nil),
            ])
    }

    @Test(arguments: [
        StubResponse.openAIError(400, code: "unknown_parameter", param: "return_progress"),
        .openAIError(400, message: "Unrecognized request argument supplied: return_progress"),
        .json(
            [
                "detail": [
                    ["type": "extra_forbidden", "loc": ["body", "return_progress"], "msg": "no"] as [String: Any]
                ]
            ],
            status: 422),
    ])
    func leavesOutARefusedProgressAndRemembers(refusal: StubResponse) async throws {
        let server = try StubServer { request in
            request.json["return_progress"] == nil ? .chatStream(["a"]) : refusal
        }
        let model = try makeChatModel(server)

        for _ in 0..<2 { #expect(try await events(model, streams: true) == [.delta("a"), .finished(.stop, nil)]) }

        #expect(server.requests.map { $0.json["return_progress"] as? Bool } == [true, nil, nil])
    }

    @Test func deliversDeltasAsTheyCome() async throws {
        let gate = StubGate()
        let server = try StubServer(
            .eventStream([.delta("first"), .gate(gate), .delta("second"), .finish("stop"), .event("[DONE]")]))

        var events: [GenerationEvent] = []
        try await makeChatModel(server).generate(request(streams: true)) { event in
            events.append(event)
            // The server sends nothing more before it is told that the first delta was delivered.
            if event == .delta("first") { gate.open() }
        }

        #expect(events == [.delta("first"), .delta("second"), .finished(.stop, nil)])
    }

    @Test(arguments: [
        ("stop", FinishReason.stop), ("length", .length), ("content_filter", .contentFilter),
        ("tool_calls", .other("tool_calls")),
    ])
    func reportsTheReason(word: String, reason: FinishReason) async throws {
        for response in [StubResponse.chatStream(["a"], finishReason: word), .chat("a", finishReason: word)] {
            let server = try StubServer(response)
            let isStream = response.steps.count > 2

            #expect(
                try await events(makeChatModel(server), streams: isStream) == [.delta("a"), .finished(reason, nil)])
        }
    }

    @Test func understandsStreamsOfManyKinds() async throws {
        let frames = [
            ": ping\r\n\r\n",
            "data: {\"id\":\"1\",\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null},\"finish_reason\":null}],"
                + "\"usage\":null}\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"hm\"},\"finish_reason\":\"\"}],\"obfuscation\":\"x\"}\n\n",
            "data: {\"choices\":[{\"delta\":{\"content\":\"grüße 🙂\"}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"!\"}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":2,\"details\":{}}}\n\n",
            "data: [DONE]\n\n",
        ]
        let whole = Data(frames.joined().utf8)
        let bytes = whole.map { StubResponse.Step.bytes(Data([$0])) }
        for steps in [[.bytes(whole)], bytes] {
            let server = try StubServer(.eventStream(steps))

            #expect(
                try await events(makeChatModel(server), streams: true) == [
                    .delta("grüße 🙂"), .delta("!"),
                    .finished(.stop, TokenUsage(promptTokens: 5, completionTokens: 2)),
                ])
        }
    }

    @Test(arguments: [9_223_372_036_854_774_784, 9_200_000_000_000_000_000, 1_000_000_001, -1, Int.min])
    func takesNoCountThatNoCallCanHave(count: Int) async throws {
        for (usage, expected) in [
            ((prompt: count, completion: count), nil),
            ((prompt: 7, completion: count), TokenUsage(promptTokens: 7, completionTokens: 0)),
        ] {
            for response in [StubResponse.chatStream(["a"], usage: usage), .chat("a", usage: usage)] {
                let server = try StubServer(response)
                let isStream = response.steps.count > 2

                #expect(
                    try await events(makeChatModel(server), streams: isStream) == [
                        .delta("a"), .finished(.stop, expected),
                    ])
            }
        }
    }

    @Test func takesTheEndOfTheBodyForDone() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .finish("stop")]))

        #expect(try await events(makeChatModel(server), streams: true) == [.delta("a"), .finished(.stop, nil)])
    }

    @Test func takesAnAnswerWithReasonForCompleteThoughTheConnectionBreaks() async throws {
        let server = try StubServer(.eventStream([.delta("a"), .finish("stop"), .reset]))

        #expect(try await events(makeChatModel(server), streams: true).last == .finished(.stop, nil))
    }

    @Test func acceptsAWholeAnswerInPlaceOfAStream() async throws {
        let server = try StubServer(.chat("a", usage: (prompt: 1, completion: 1)))

        let events = try await events(makeChatModel(server), streams: true)

        #expect(events == [.delta("a"), .finished(.stop, TokenUsage(promptTokens: 1, completionTokens: 1))])
    }

    @Test func fallsBackToMaxCompletionTokensOnceAndRemembers() async throws {
        let server = try StubServer { request in
            guard request.json["max_tokens"] != nil else { return .chat("a") }
            return .openAIError(
                400, code: "unsupported_parameter", param: "max_tokens",
                message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        }
        let model = try makeChatModel(server)

        for _ in 0..<2 { _ = try await events(model, streams: false) }

        #expect(server.requests.map { $0.json["max_completion_tokens"] as? Int } == [nil, 100, 100])
        #expect(server.requests.map { $0.json["max_tokens"] as? Int } == [100, nil, nil])
    }

    @Test(arguments: [
        StubResponse.openAIError(400, code: "unsupported_value", param: "temperature", message: "Only the default (1)"),
        .json(
            ["detail": [["type": "extra_forbidden", "loc": ["body", "temperature"], "msg": "no"] as [String: Any]]],
            status: 422),
    ])
    func leavesOutARejectedTemperatureAndRemembers(refusal: StubResponse) async throws {
        let server = try StubServer { request in
            request.json["temperature"] == nil ? .chatStream(["a"]) : refusal
        }
        let model = try makeChatModel(server)

        for _ in 0..<2 { _ = try await events(model, streams: true) }

        #expect(server.requests.map { $0.json["temperature"] as? Double } == [0.7, nil, nil])
    }

    @Test func learnsSeveralThingsInOneCall() async throws {
        let server = try StubServer { request in
            for name in ["max_tokens", "temperature", "stream_options", "return_progress"]
            where request.json[name] != nil {
                return .openAIError(400, code: "unsupported_parameter", param: name)
            }
            return .chatStream(["a"])
        }

        #expect(try await events(makeChatModel(server), streams: true) == [.delta("a"), .finished(.stop, nil)])
        #expect(server.requests.count == 5)
    }

    @Test(arguments: [true, false])
    func worksWithTheWholeStubService(streams: Bool) async throws {
        let server = try StubServer.openAI(answer: { _ in "Two  words." })

        let events = try await events(makeChatModel(server), streams: streams)
        let vectors = try await makeEmbedder(server).embed(["same words", "Words, same!", "other"], as: .passage)
            .vectors

        #expect(
            events == (streams ? ["Two", " ", " words."] : ["Two  words."]).map { .delta($0) } + [.finished(.stop, nil)]
        )
        #expect(vectors[0] == vectors[1])
        #expect(vectors[0] != vectors[2])
    }
}
