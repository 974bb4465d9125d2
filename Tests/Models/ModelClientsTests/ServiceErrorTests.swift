import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

@Suite("Errors of services", .hangGuard)
struct ServiceErrorTests {
    @Test(arguments: [
        // OpenAI
        (
            400, #"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":"bad_thing"}}"#,
            "bad_thing"
        ),
        (
            404, #"{"error":{"message":"no","type":"invalid_request_error","param":null,"code":null}}"#,
            "invalid_request_error"
        ),
        // Ollama
        (
            404, #"{"error":{"message":"model \"m\" not found","type":"api_error","param":null,"code":null}}"#,
            "api_error"
        ),
        (400, #"{"error":"model is required"}"#, "unspecified"),
        // vLLM, before and after 0.10.1
        (
            400, #"{"object":"error","message":"no","type":"BadRequestError","param":null,"code":400}"#,
            "BadRequestError"
        ),
        (400, #"{"error":{"message":"no","type":"BadRequestError","param":null,"code":400}}"#, "BadRequestError"),
        // llama.cpp
        (400, #"{"error":{"code":400,"message":"no","type":"invalid_request_error"}}"#, "invalid_request_error"),
        // TEI
        (422, #"{"message":"no","code":422,"type":"Validation"}"#, "Validation"),
        (422, #"{"error":"no","error_type":"Tokenizer"}"#, "Tokenizer"),
        // FastAPI
        (422, #"{"detail":[{"type":"missing","loc":["body","input"],"msg":"Field required","input":{}}]}"#, "missing"),
        (404, #"{"detail":"Not Found"}"#, "unspecified"),
        // Anything else
        (400, "<html>bad gateway</html>", "unspecified"),
        (400, "", "unspecified"),
        (400, #"{"error":{"code":"a code with spaces","type":"short"}}"#, "short"),
        (400, #"{"error":{"code":{"a":1},"message":["x"]}}"#, "unspecified"),
        (400, #"{"error":null}"#, "unspecified"),
        (400, #""just text""#, "unspecified"),
    ])
    func givesTheShortCode(status: Int, body: String, code: String) async throws {
        let server = try StubServer(.text(body, status: status))
        let embedder = try makeEmbedder(server)

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .rejected(status: status, code: code))
    }

    static let tooLarge: [(Int, String)] = [
        (
            400,
            #"{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000","type":"invalid_request_error","param":null,"code":null}}"#
        ),
        (
            400,
            #"{"error":{"message":"Requested 300001 tokens, max 300000 tokens per request","type":"max_tokens_per_request","param":null,"code":"max_tokens_per_request"}}"#
        ),
        (400, #"{"error":{"message":"the input length exceeds the context length","type":"api_error"}}"#),
        (
            400,
            #"{"object":"error","message":"This model's maximum context length is 512 tokens.","type":"BadRequestError","code":400}"#
        ),
        (
            500,
            #"{"error":{"code":500,"message":"input (900 tokens) is too large to process. increase the physical batch size","type":"server_error"}}"#
        ),
        (
            400,
            #"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":9,"n_ctx":8}}"#
        ),
        (413, #"{"message":"`inputs` must have less than 512 tokens. Given: 600","code":413,"type":"Validation"}"#),
        (422, #"{"message":"batch size 33 > maximum allowed batch size 32","code":422,"type":"Validation"}"#),
        (422, #"{"detail":[{"type":"too_long","loc":["body","input"],"msg":"List should have at most 2048 items"}]}"#),
        (413, "<html>413 Request Entity Too Large</html>"),
        (400, "input is too long for this model"),
        (429, #"{"error":{"message":"Request too large for m on tokens per min: Limit 9, Requested 12"}}"#),
        (503, #"{"error":{"message":"the prompt exceeds the model's maximum context length"}}"#),
    ]

    @Test(arguments: [
        (500, "the upstream took too long"), (503, "The request queue is too long"),
        (500, "loading the model is taking too long"), (429, "rate limit of 9 tokens per min"),
        (400, "the model has no context"),
    ])
    func otherErrorsSayNothingOfTheSize(status: Int, message: String) async throws {
        let server = try StubServer(.openAIError(status, message: message))
        let embedder = try makeEmbedder(server) { $0.passageAttemptLimit = 1 }

        let error = await serviceError { try await embedder.embed(["a", "b"], as: .passage) }

        #expect(error != nil && error != .tooLong)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: tooLarge)
    func isolatesTheTextThatIsTooLarge(status: Int, body: String) async throws {
        let server = try StubServer { request in
            request.input.contains("poison") ? .text(body, status: status) : .embeddings(for: request)
        }
        let embedder = try makeEmbedder(server)
        let texts = ["a", "b", "c", "d", "e", "poison", "g", "h"]

        let reply = try await embedder.embed(texts, as: .passage)

        let expected = texts.map { text -> EmbeddingOutcome in
            text == "poison" ? .refused(.tooLong) : .vector(unit(StubVectors.vector(for: text, dimensions: 4)))
        }
        #expect(reply.outcomes == expected)
        #expect(server.requests.map(\.input.count) == [8, 4, 4, 2, 1, 1, 2])
    }

    @Test func halvesWhatIsTooLargeTogether() async throws {
        let server = try StubServer { request in
            request.input.count > 2 ? .text("", status: 413) : .embeddings(for: request)
        }
        let embedder = try makeEmbedder(server)

        let reply = try await embedder.embed((0..<5).map(String.init), as: .passage)

        #expect(reply.vectors == (0..<5).map { unit(StubVectors.vector(for: String($0), dimensions: 4)) })
        #expect(server.requests.map(\.input.count) == [5, 2, 3, 1, 2])
    }

    @Test func failsAsAWholeWhenAHalfFails() async throws {
        let server = try StubServer { request in
            switch request.input.count {
            case 2: .text("", status: 413)
            default: request.input == ["b"] ? .openAIError(401) : .embeddings(for: request)
            }
        }
        let embedder = try makeEmbedder(server)

        #expect(
            await serviceError { try await embedder.embed(["a", "b"], as: .passage) } == .unauthorized(status: 401))
    }

    @Test func repeatsNeitherTextNorKey() async throws {
        let body =
            #"{"error":{"message":"sk-secret private words","code":"sk-secret","type":"sk-secret","param":"private"}}"#
        for status in [400, 401, 404, 422, 429, 500] {
            let server = try StubServer(.text(body, status: status))
            let embedder = try makeEmbedder(server)

            let error = await serviceError { try await embedder.embed(["private words"], as: .passage) }

            let shown = "\(String(describing: error)) \(String(reflecting: error))"
            #expect(!shown.contains("secret") && !shown.contains("private"))
        }
    }

    @Test func reportsAKeyThatNoHeaderCanCarry() async throws {
        let server = try StubServer(.neverAnswers)
        let embedder = try makeEmbedder(server) { $0.address.key = SecretText("sk-a\nX-Evil: 1") }

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .misconfigured(reason: "invalid request header Authorization"))
        #expect(server.requests.isEmpty)
    }
}
