import ChatCore
import Extraction
import Foundation
import ModelClients
import Testing
import Transport

/// Replies of hostile services, with extremes in every value.
@Suite("Fuzz: replies of services") struct ModelFuzzTests {
    /// Answers each request with the same bytes.
    private struct OneReply: HTTPTransport {
        let status: Int
        let headers: HTTPHeaders
        let body: Data

        func send(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPExchangeResponse {
            HTTPExchangeResponse(status: status, headers: headers, body: body)
        }

        func stream(_ request: HTTPExchangeRequest) async throws(TransportError) -> HTTPStreamedResponse {
            let middle = body.count / 2
            return HTTPStreamedResponse(
                status: status, headers: headers, body: HTTPBody(pieces: [body.prefix(middle), body.dropFirst(middle)]))
        }
    }

    private static let retry = RetrySchedule(attemptLimit: 2, jitter: { 0 }, sleep: { _ in })
    private static let address = ServiceAddress(baseURL: "http://127.0.0.1:9/v1")

    private static let completion =
        #"{"id":"x","object":"chat.completion","created":1761210000,"choices":[{"index":0,"message":{"role":"assistant","content":"yes [1]"},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15}}"#
    private static let frame =
        #"{"id":"x","created":1761210000,"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"y"}]},"finish_reason":null}],"usage":{"prompt_tokens":12,"completion_tokens":3}}"#
    private static let lastFrame =
        #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":3}}"#
    private static let embeddings =
        #"{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5,1,-2]},{"index":1,"embedding":"AACAPwAAgD8AAIA/"}],"model":"m","usage":{"prompt_tokens":12,"total_tokens":12}}"#
    private static let scores = [
        (
            #"{"results":[{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":-3}],"meta":{"n":1}}"#,
            RerankShape.cohere
        ),
        (#"[{"index":0,"score":0.5},{"index":1,"score":-3}]"#, .tei),
    ]
    private static let failure =
        #"{"error":{"message":"the maximum context length is 5","type":"invalid_request_error","param":"temperature","code":400},"status":429,"detail":[{"loc":["body",1],"msg":"x","type":"too_long"}],"error_type":"x"}"#

    private static func transport(_ body: String, _ chance: inout FuzzChance, type: String = "application/json")
        -> OneReply
    {
        var headers: HTTPHeaders = ["content-type": type]
        let isError = chance.isTrue(15)
        if isError || chance.isTrue(5) {
            let wait = chance.isTrue(50) ? chance.one(of: Extremes.numbers) : chance.one(of: Extremes.texts)
            headers.append(name: chance.isTrue(50) ? "retry-after" : "retry-after-ms", value: wait)
        }
        FuzzRun.note("\(headers) \(body)")
        let statuses = [400, 401, 402, 408, 413, 422, 429, 500, 503, 599, 302, 0, -1, .max]
        return OneReply(status: isError ? chance.one(of: statuses) : 200, headers: headers, body: Data(body.utf8))
    }

    @Test func noReplyEndsACompletion() async throws {
        var chance = FuzzRun.chance(4)
        let whole = try [Self.completion, Self.failure].map { try JSONMutation($0) }
        let frames = try [Self.frame, Self.lastFrame].map { try JSONMutation($0) }
        let settings = ChatServiceSettings(address: Self.address, model: "m")
        let count = FuzzRun.count(3_000)
        var (answered, total) = (0, TokenUsage(promptTokens: 0, completionTokens: 0))
        for _ in 0..<count {
            let streams = chance.isTrue(50)
            let body =
                streams
                ? "data: \(frames[0].text(&chance))\n\ndata: \(chance.isTrue(50) ? frames[1].text(&chance) : Self.lastFrame)\n\n"
                    + "data: [DONE]\n\n" : chance.one(of: whole).text(&chance)
            let transport = Self.transport(body, &chance, type: streams ? "text/event-stream" : "application/json")
            let model = try OpenAIChatModel(settings: settings, transport: transport, retry: Self.retry)
            let request = GenerationRequest(
                messages: [PromptMessage(role: .user, content: "q")], maximumTokenCount: 9, streams: streams)
            do {
                try await model.generate(request) { event in
                    guard case .finished(_, let usage) = event else { return }
                    answered += 1
                    #expect((0...1_000_000_000).contains(usage?.promptTokens ?? 0))
                    #expect((0...1_000_000_000).contains(usage?.completionTokens ?? 0))
                    total = TokenUsage(
                        promptTokens: total.promptTokens.addingClamped(usage?.promptTokens ?? 0),
                        completionTokens: total.completionTokens.addingClamped(usage?.completionTokens ?? 0))
                }
            } catch {}
        }
        FuzzRun.finished("completions", count)
        #expect(answered > count / 20)
    }

    @Test func noReplyEndsAnEmbeddingOrAScore() async throws {
        var chance = FuzzRun.chance(5)
        let vectors = try JSONMutation(Self.embeddings)
        let scores = try Self.scores.map { (try JSONMutation($0.0), $0.1) }
        let count = FuzzRun.count(4_000)
        var answered = 0
        for _ in 0..<count {
            if chance.isTrue(60) {
                let transport = Self.transport(vectors.text(&chance), &chance)
                let settings = EmbeddingServiceSettings(
                    address: Self.address, providerKind: "compatible", model: "m", usesBase64: chance.isTrue(50))
                let embedder = try OpenAIEmbedder(settings: settings, transport: transport, retry: Self.retry)
                guard let reply = try? await embedder.embed(["a", "b"], as: .passage) else { continue }
                answered += 1
                #expect((0...1_000_000_000).contains(reply.tokenCount ?? 0))
                let space = try? await embedder.space()
                #expect(space?.isUsable != false)
                for case .vector(let vector) in reply.outcomes { #expect(vector.allSatisfy { $0.isFinite }) }
            } else {
                let (mutation, shape) = chance.one(of: scores)
                let transport = Self.transport(mutation.text(&chance), &chance)
                let settings = RerankServiceSettings(address: Self.address, model: "m", shape: shape)
                let client = try RerankClient(settings: settings, transport: transport, retry: Self.retry)
                guard let scores = try? await client.scores(of: ["a", "b"], for: "q") else { continue }
                answered += 1
                #expect(scores.count == 2 && scores.allSatisfy { $0.isFinite })
            }
        }
        FuzzRun.finished("embeddings and scores", count)
        #expect(answered > count / 20)
    }

    private static let items = """
        {"items": [{"message": 1, "task": "Send the drawings", "assignee": "Bert", "deadline": "by Friday 17:30", \
        "priority": "high", "quote": "I'll send the drawings by Friday", "score": 7, "supersedes": 2}, \
        {"message": "[2]", "task": ["Order"], "deadline": "2025-12-01", "quote": {"text": "please order"}}], "n": 1}
        """

    @Test func noReplyEndsAnExtraction() throws {
        var chance = FuzzRun.chance(6)
        let mutation = try JSONMutation(Self.items)
        let messages = ["I'll send the drawings by Friday", "please order 12 gears 京時間後"].enumerated().map {
            place, text in
            NumberedMessage(
                key: MessageKey(conversationID: "c", messageID: MessageID(rawValue: "m\(place)")), senderID: "bert",
                senderName: "Bert", timestamp: Timestamp(milliseconds: 1_761_215_400_000), text: text, isContext: false)
        }
        let context = ExtractionContext(
            messages: messages, participants: [], zone: "Europe/Berlin")
        let count = FuzzRun.count(3_000)
        var drafts = 0
        for _ in 0..<count {
            let reply = mutation.text(&chance)
            FuzzRun.note(reply)
            for schema in [ExtractionSchema.actionItems, .decisions, .deadlines, .priorities] {
                drafts += DraftReader(schema: schema, context: context).read(reply).drafts.count
            }
        }
        FuzzRun.finished("extractions", count)
        #expect(drafts > count / 20)
    }
}
