import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing
import Transport

/// Returns a client of the stub server; waits are not waited for unless `retry` says so.
private func makeClient(
    _ server: StubServer, _ shape: RerankShape, batchItemLimit: Int? = nil, timeLimit: Duration = .seconds(60),
    retry: RetrySchedule = RecordedWaits().schedule()
) throws -> RerankClient {
    let settings = RerankServiceSettings(
        address: ServiceAddress(baseURL: server.baseURL + "/v1", key: SecretText("sk-secret")), model: "stub-rerank",
        shape: shape, batchItemLimit: batchItemLimit, timeLimit: timeLimit)
    return try RerankClient(settings: settings, transport: makeTransport(), retry: retry)
}

/// Answers a request of either shape: the n-th text scores n, worst first.
private func counting(_ request: StubRequest) -> StubResponse {
    if let texts = request.json["texts"] as? [String] {
        return .json(texts.indices.map { ["index": $0, "score": Double($0)] })
    }
    let documents = request.json["documents"] as? [String] ?? []
    return .json(["results": documents.indices.map { ["index": $0, "relevance_score": Double($0)] }])
}

@Suite("RerankClient", .hangGuard)
struct RerankClientTests {
    @Test(arguments: ServiceContract<any Reranker>.all)
    func bothShapesKeepThePromisesOfAReranker(promise: ServiceContract<any Reranker>) async throws {
        for shape in [RerankShape.cohere, .tei] {
            let server = try StubServer(handler: counting)
            try await promise.check(try makeClient(server, shape, batchItemLimit: 40))
        }
    }

    @Test func speaksCoheresShape() async throws {
        let server = try StubServer(
            .text(
                #"{"id":"x","model":"m","usage":{"total_tokens":9},"meta":{},"results":["#
                    + #"{"index":2,"relevance_score":0.9,"document":{"text":"c"}},"#
                    + #"{"index":0,"relevance_score":0},{"index":1,"relevance_score":-7.5}]}"#))
        let client = try makeClient(server, .cohere)

        let scores = try await client.scores(of: ["a", "b", "c"], for: "Which?")

        #expect(scores == [0, -7.5, 0.9])
        #expect(client.name == "stub-rerank")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST" && request.target == "/v1/rerank")
        #expect(request.header("Authorization") == "Bearer sk-secret")
        #expect(
            request.json as NSDictionary == [
                "model": "stub-rerank", "query": "Which?", "documents": ["a", "b", "c"], "top_n": 3,
            ])
    }

    @Test func speaksTEIsShape() async throws {
        let server = try StubServer(
            .text(#"[{"index":1,"score":0.75,"text":"b"},{"index":0,"score":1e-9,"text":null}]"#))
        let client = try makeClient(server, .tei)

        let scores = try await client.scores(of: ["a", "b"], for: "Which?")

        #expect(scores == [1e-9, 0.75])
        let request = try #require(server.requests.first)
        #expect(request.target == "/v1/rerank")
        #expect(
            request.json as NSDictionary == [
                "query": "Which?", "texts": ["a", "b"], "raw_scores": false, "truncate": true,
            ])
    }

    @Test(arguments: RerankShape.allCases)
    func asksForNoMoreThanTheServiceTakes(shape: RerankShape) async throws {
        let server = try StubServer(handler: counting)
        let client = try makeClient(server, shape, batchItemLimit: shape == .tei ? nil : 32)

        let scores = try await client.scores(of: (0..<65).map { "text \($0)" }, for: "Which?")

        let expected: [Double] = (0..<65).map { Double($0 % 32) }
        #expect(scores == expected)
        let sent = server.requests.map { ($0.json["texts"] ?? $0.json["documents"]) as? [String] ?? [] }
        #expect(sent.map(\.count) == [32, 32, 1])
        #expect(sent.map(\.first) == ["text 0", "text 32", "text 64"])
    }

    @Test func sendsAllAtOnceInCoheresShape() async throws {
        let server = try StubServer(handler: counting)

        let scores = try await makeClient(server, .cohere).scores(of: (0..<200).map { "\($0)" }, for: "Which?")

        let expected = (0..<200).map { Double($0) }
        #expect(scores == expected)
        #expect(server.requests.count == 1)
    }

    @Test func asksNothingAboutNoTexts() async throws {
        let server = try StubServer(handler: counting)

        #expect(try await makeClient(server, .cohere).scores(of: [], for: "Which?") == [])
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (#"[{"index":0,"S":1}]"#, "1 scores for 2 texts"),
        (#"[]"#, "0 scores for 2 texts"),
        (#"[{"index":0,"S":1},{"index":1,"S":1},{"index":2,"S":1}]"#, "3 scores for 2 texts"),
        (#"[{"index":0,"S":1},{"index":0,"S":2}]"#, "the indexes are not those of the texts"),
        (#"[{"index":0,"S":1},{"index":2,"S":2}]"#, "the indexes are not those of the texts"),
        (#"[{"index":-1,"S":1},{"index":0,"S":2}]"#, "the indexes are not those of the texts"),
        (#"[{"index":0,"S":1},{"index":1}]"#, "JSON without scores"),
        (#"[{"index":0,"S":1},{"S":1}]"#, "JSON without scores"),
        (#"[{"index":0,"S":1},{"index":1,"S":null}]"#, "JSON without scores"),
        (#"[{"index":0,"S":1},{"index":1,"S":"NaN"}]"#, "JSON without scores"),
        (#"[{"index":0,"S":1},{"index":1.5,"S":1}]"#, "JSON without scores"),
        (#"[{"index":0,"S":1},{"index":1,"S":NaN}]"#, "not JSON"),
        (#"[{"index":0,"S":1},{"index":1,"S":1e999}]"#, "not JSON"),
        ("null", "JSON without scores"), (#"{"data":[]}"#, "JSON without scores"),
        ("<!doctype html><title>Sign in</title>", "not JSON"), ("", "not JSON"),
    ])
    func rejectsTheWholeReply(list: String, reason: String) async throws {
        for (shape, key) in [(RerankShape.cohere, "relevance_score"), (.tei, "score")] {
            let items = list.replacing("\"S\"", with: "\"\(key)\"")
            let isList = items.hasPrefix("[")
            let server = try StubServer(.text(isList && shape == .cohere ? #"{"results":\#(items)}"# : items))
            let client = try makeClient(server, shape)

            let error = await serviceError { try await client.scores(of: ["a", "b"], for: "Which?") }

            #expect(error == .invalidReply(reason: reason), "\(shape)")
            #expect(server.requests.count == 1)
        }
    }

    @Test func theShapesAreNotTakenForEachOther() async throws {
        let bare = try StubServer(.text(#"[{"index":0,"score":1}]"#))
        let wrapped = try StubServer(.text(#"{"results":[{"index":0,"relevance_score":1}]}"#))

        for (server, shape) in [(bare, RerankShape.cohere), (wrapped, .tei)] {
            let client = try makeClient(server, shape)
            let error = await serviceError { try await client.scores(of: ["a"], for: "Which?") }
            #expect(error == .invalidReply(reason: "JSON without scores"))
        }
    }

    @Test func oneBadBatchFailsTheCall() async throws {
        let server = try StubServer { $0.number == 1 ? counting($0) : .text("[]") }
        let client = try makeClient(server, .tei, batchItemLimit: 1)

        let error = await serviceError { try await client.scores(of: ["a", "b", "c"], for: "Which?") }

        #expect(error == .invalidReply(reason: "0 scores for 1 texts"))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        (
            StubResponse.text(#"{"error":"overloaded","error_type":"Overloaded"}"#),
            ModelServiceError.failed(status: 500)
        ),
        (.text(#"{"error":{"message":"x","code":429}}"#), .busy(retryAfter: nil)),
        (.json(["message": "invalid api token"], status: 401), .unauthorized(status: 401)),
        (.json(["error": "batch size 50 > maximum allowed batch size 32"], status: 422), .tooLong),
        (.json(["error": ["message": "x", "type": "not_supported_error"]], status: 501), .failed(status: 501)),
        (.garbage, .invalidReply(reason: "malformed response")),
    ])
    func tellsFailuresApart(response: StubResponse, expected: ModelServiceError) async throws {
        let server = try StubServer(response)
        let client = try makeClient(server, .tei)

        #expect(await serviceError { try await client.scores(of: ["a"], for: "Which?") } == expected)
    }

    @Test func triesOnceMore() async throws {
        let recovering = try StubServer { $0.number == 1 ? .openAIError(503) : counting($0) }
        #expect(try await makeClient(recovering, .cohere).scores(of: ["a", "b"], for: "Which?") == [0, 1])

        let broken = try StubServer(.openAIError(503))
        let waits = RecordedWaits()
        let client = try makeClient(broken, .cohere, retry: waits.schedule())
        #expect(await serviceError { try await client.scores(of: ["a"], for: "?") } == .busy(retryAfter: nil))
        #expect(broken.requests.count == 2)
        #expect(waits.all == [.milliseconds(500)])
    }

    @Test func doesNotWaitBeyondItsTime() async throws {
        let server = try StubServer(.openAIError(429, headers: [("Retry-After", "6")]))
        let waits = RecordedWaits()
        let client = try makeClient(server, .cohere, timeLimit: .seconds(5), retry: waits.schedule())

        #expect(await serviceError { try await client.scores(of: ["a"], for: "?") } == .busy(retryAfter: .seconds(6)))
        #expect(waits.all.isEmpty)
    }

    @Test func theTimeLimitHoldsForAllOfACall() async throws {
        let server = try StubServer(.neverAnswers)
        let client = try makeClient(server, .cohere, timeLimit: .milliseconds(80))
        let error = await serviceError { try await client.scores(of: ["a"], for: "?") }
        #expect(error == .slow(.working))
        await server.waitForDisconnect()

        let failing = try StubServer(.openAIError(500))
        let endless = RetrySchedule(sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
        let waiting = try makeClient(failing, .cohere, timeLimit: .milliseconds(300), retry: endless)
        #expect(await serviceError { try await waiting.scores(of: ["a"], for: "?") } == .slow(.working))
    }

    @Test func cancellingAbortsTheRequest() async throws {
        let server = try StubServer(.neverAnswers)
        let client = try makeClient(server, .tei)

        let task = Task { try await client.scores(of: ["a"], for: "?") }
        await server.waitForRequests(1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
        await server.waitForDisconnect()
    }

    @Test(arguments: [
        ("", "http://h", 1, Duration.seconds(1), "a model service needs the name of a model"),
        ("m", "h/v1", 1, .seconds(1), "the base URL of a model service starts with http:// or https://"),
        ("m", "http://h", 0, .seconds(1), "the batch limit must be at least 1"),
        ("m", "http://h", 1, .zero, "the time limit must be above 0"),
    ])
    func refusesWhatCannotWork(
        model: String, base: String, items: Int, limit: Duration, reason: String
    ) throws {
        let settings = RerankServiceSettings(
            address: ServiceAddress(baseURL: base), model: model, shape: .tei, batchItemLimit: items,
            timeLimit: limit)

        #expect(throws: ModelServiceError.misconfigured(reason: reason)) {
            try RerankClient(settings: settings, transport: RecordingTransport(body: ""))
        }
    }
}
