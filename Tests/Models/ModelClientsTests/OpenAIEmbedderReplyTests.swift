import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing

@Suite("OpenAIEmbedder, replies that cannot be right", .hangGuard)
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
        (.embeddings([[], []]), "a vector of 0 dimensions; 1 to 16384 can be used"),
        (.embeddings([[1, 0], [0, 0]]), "a vector of zeros"),
        (.embeddings([[1, 0], [.nan, 0]], isBase64: true), "a vector with a component that is not finite"),
        (.embeddings([[1, 0], [.infinity, 0]], isBase64: true), "a vector with a component that is not finite"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[NaN,0]}"#), "not JSON"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[null,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1e300,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"embedding":[1,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"?"},{"index":1,"embedding":"?"}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1.5,"embedding":[1,0]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0]},7"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,"0"]}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"AAAAAA=="},{"index":1,"embedding":"AAAAA==="}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACA Pw="}"#), "JSON without vectors"),
        (text(#"{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACAPw"}"#), "JSON without vectors"),
        (.text(#"{"data":[]}"#), "0 vectors for 2 texts"),
        (.text(#"{"data":[{"index":0,"embedding":[1,0]}"#), "not JSON"),
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

    @Test(arguments: [16_385, 2_000_000])
    func rejectsAFirstReplyWithMoreDimensionsThanCanBeSearched(count: Int) async throws {
        let server = try StubServer { .embeddings(for: $0, dimensions: $0.number == 1 ? count : 16_384) }
        let embedder = try makeEmbedder(server)

        let error = await serviceError { try await embedder.space() }

        #expect(error == .invalidReply(reason: "a vector of \(count) dimensions; 1 to 16384 can be used"))
        #expect(try await embedder.space().dimensions == 16_384)
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

    @Test(arguments: [
        #"{"index":1,"embedding":"AACAPwAAAAA="},{"embedding":"AAAAAAAAgD8=","index":0}"#,
        #"{"index":1,"embedding":"AACAPwAAAAA\u003D"},{"embedding":"AAAAAAAAgD\u0038=","index":0,"x":["]",{}]}"#,
        #" { "index" : 1 , "embedding" : [ 1 , 0.0e0 ] , "object":"embedding" } , {"embedding":[-0,1E0],"index":0 } "#,
    ])
    func readsEveryFormAndOrder(vectors: String) async throws {
        let server = try StubServer(Self.text(vectors))

        let reply = try await makeEmbedder(server).embed(["a", "b"], as: .passage)

        #expect(reply.vectors == [[0, 1], [1, 0]])
    }

    @Test(arguments: 1...7) func readsBase64OfEveryLength(count: Int) async throws {
        let vector = (1...count).map { Float($0) * 0x1.5bf0a8p-3 }
        let server = try StubServer(.embeddings([vector], isBase64: true), .embeddings([vector]))

        let embedder = try makeEmbedder(server)
        let (base64, floats) = (
            try await embedder.embed(["a"], as: .passage), try await embedder.embed(["a"], as: .passage)
        )

        let length = vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        #expect(base64.vectors == [vector.map { Float(Double($0) / length) }])
        #expect(floats.vectors == base64.vectors)
    }

    @Test func normalisesVeryShortAndVeryLongVectors() async throws {
        let server = try StubServer(.embeddings([[0x1.8p-99, 0x1p-98], [0x1.8p101, 0x1p102]], isBase64: true))

        let reply = try await makeEmbedder(server).embed(["a", "b"], as: .passage)

        #expect(reply.vectors == [[0.6, 0.8], [0.6, 0.8]])
    }

    @Test(arguments: [
        #"{"prompt_tokens":-1}"#, #"{"prompt_tokens":"many"}"#, "null", "[]", #""x""#, #"{"prompt_tokens":1000000001}"#,
        #"{"prompt_tokens":9223372036854774784}"#, #"{"prompt_tokens":9.2e18}"#, #"{"prompt_tokens":-9.2e18}"#,
        #"{"prompt_tokens":1e300}"#,
    ])
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
