import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

@Suite("OpenAIEmbedder, replies that cannot be right", .timeLimit(.minutes(1)))
struct OpenAIEmbedderReplyTests {
    private static func text(_ vectors: String) -> StubResponse {
        .text(#"{"data":[\#(vectors)]}"#, headers: [("Content-Type", "application/json")])
    }

    @Test(arguments: [
        (StubResponse.embeddings([[1, 0]]), "1 vectors for 2 texts"),
        (.embeddings([[1, 0], [0, 1], [1, 1]]), "3 vectors for 2 texts"),
        (.embeddings([[1, 0], [0, 1]], indexes: [0, 0]), "the indexes are not those of the texts"),
        (.embeddings([[1, 0], [0, 1]], indexes: [1, 2]), "the indexes are not those of the texts"),
        (.embeddings([[1, 0], [0, 1]], indexes: [-1, 0]), "the indexes are not those of the texts"),
        (.embeddings([[1, 0], [0, 1, 0]]), "a vector of 3 dimensions instead of 2"),
        (.embeddings([[], []]), "a vector of 0 dimensions instead of 0"),
        (.embeddings([[1, 0], [0, 0]]), "a vector of zeros"),
        (.embeddings([[1, 0], [.nan, 0]], isBase64: true), "a vector with a component that is not finite"),
        (.embeddings([[1, 0], [.infinity, 0]], isBase64: true), "a vector with a component that is not finite"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[NaN,0]}"#), "not JSON"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[null,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1e300,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"embedding":[1,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"?"},{"index":1,"embedding":"?"}"#), "JSON without vectors"),
        (.text(#"{"data":null}"#), "JSON without vectors"),
        (.text("[]"), "JSON without vectors"),
        (.text("<html>ok</html>"), "not JSON"),
        (.text(""), "not JSON"),
    ])
    func rejectsTheWholeReply(response: StubResponse, reason: String) async throws {
        let server = try StubServer(response)
        let embedder = try makeEmbedder(server)

        let error = await serviceError { try await embedder.embed(["a", "b"], as: .passage) }

        #expect(error == .invalidReply(reason: reason))
        #expect(server.requests.count == 1)
    }

    @Test func rejectsOtherDimensionsThanConfigured() async throws {
        let server = try StubServer { .embeddings(for: $0, dimensions: 4) }
        let embedder = try makeEmbedder(server, dimensions: 3)

        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .invalidReply(reason: "a vector of 4 dimensions instead of 3"))
    }

    @Test func rejectsOtherDimensionsThanBefore() async throws {
        let server = try StubServer(.embeddings([[1, 0]]), .embeddings([[1, 0, 0]]))
        let embedder = try makeEmbedder(server)

        _ = try await embedder.embed(["a"], as: .passage)
        let error = await serviceError { try await embedder.embed(["a"], as: .passage) }

        #expect(error == .invalidReply(reason: "a vector of 3 dimensions instead of 2"))
    }

    @Test func normalisesVeryShortAndVeryLongVectors() async throws {
        let server = try StubServer(.embeddings([[0x1.8p-99, 0x1p-98], [0x1.8p101, 0x1p102]], isBase64: true))

        let reply = try await makeEmbedder(server).embed(["a", "b"], as: .passage)

        #expect(reply.vectors == [[0.6, 0.8], [0.6, 0.8]])
    }

    @Test(arguments: [#"{"prompt_tokens":-1}"#, #"{"prompt_tokens":"many"}"#, "null", "[]", #""x""#])
    func doesWithoutASensibleUsage(usage: String) async throws {
        let server = try StubServer(.text(#"{"data":[{"index":0,"embedding":[2]}],"usage":\#(usage),"new":1}"#))

        let reply = try await makeEmbedder(server).embed(["a"], as: .passage)

        #expect(reply == EmbeddingReply(outcomes: [.vector([1])], tokenCount: nil))
    }

    @Test(arguments: [
        (#"{"error":{"message":"x","code":429}}"#, ModelServiceError.busy(retryAfter: nil)),
        (#"{"error":{"message":"x","code":"bad_model","type":"t"}}"#, .failed(status: 500)),
        (
            #"{"object":"error","message":"x","code":404,"type":"NotFoundError"}"#,
            .rejected(status: 404, code: "NotFoundError")
        ),
        (#"{"error":"x"}"#, .failed(status: 500)),
    ])
    func recognisesAnErrorUnderAGoodStatus(body: String, expected: ModelServiceError) async throws {
        let server = try StubServer(.text(body))
        let embedder = try makeEmbedder(server)

        #expect(await serviceError { try await embedder.embed(["a"], as: .passage) } == expected)
    }
}
