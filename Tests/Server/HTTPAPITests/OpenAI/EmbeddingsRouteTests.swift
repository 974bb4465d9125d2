import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct EmbeddingsRouteTests {
    private func embed(_ fields: String, _ parts: ServerParts = ServerParts()) async throws -> Reply {
        try await withServer(parts) {
            try await $0.send("POST", "/v1/embeddings", #"{"model":"fake",\#(fields)}"#)
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            let index: Int
            let embedding: [Float]
        }

        let data: [Item]
    }

    @Test func embedsEachText() async throws {
        let parts = ServerParts()

        let reply = try await embed(#""input":["a cat","the pilot"]"#, parts)

        let answer = try JSONDecoder().decode(Answer.self, from: Data(reply.text.utf8))
        #expect(reply.status == 200)
        #expect(answer.data.map(\.index) == [0, 1])
        #expect(answer.data.map(\.embedding) == [parts.embedder.vector(of: "cat"), parts.embedder.vector(of: "pilot")])
        #expect(parts.embedder.batches == [["a cat", "the pilot"]])
        #expect(reply.text.contains(#""model":"fake","object":"list","usage":{"prompt_tokens":"#))
    }

    /// The tokenizer's count wins over the estimate.
    @Test func usageIsWhatTheEmbedderCounts() async throws {
        var parts = ServerParts()
        parts.embedder = FakeEmbedder(tokenCount: { 2 + $0.count })

        let reply = try await embed(#""input":["a cat","the pilot"]"#, parts)

        #expect(TokenEstimate.count("a cat") + TokenEstimate.count("the pilot") != 18)
        #expect(reply.text.hasSuffix(#""usage":{"prompt_tokens":18,"total_tokens":18}}"#), "\(reply.text)")
    }

    @Test func writesBase64OfLittleEndianFloats() async throws {
        let parts = ServerParts()

        let reply = try await embed(#""input":"cat","encoding_format":"base64","dimensions":5"#, parts)

        let base64 = StubResponse.base64(parts.embedder.vector(of: "cat"))
        let count = TokenEstimate.count("cat")
        #expect(
            reply.text == #"{"data":[{"embedding":"\#(base64)","index":0,"object":"embedding"}],"model":"fake","#
                + #""object":"list","usage":{"prompt_tokens":\#(count),"total_tokens":\#(count)}}"#)
    }

    private static let tokenNumbers =
        "must be a string: token numbers belong to another model's tokenizer; send texts, "
        + "with LangChain's OpenAIEmbeddings set check_embedding_ctx_length=False"

    @Test(arguments: [
        (#""input":[1,2]"#, "input[0]", Self.tokenNumbers), (#""input":[[1,2]]"#, "input[0]", Self.tokenNumbers),
        (#""input":"""#, "input", "must not be empty"), (#""input":[]"#, "input", "must have one item or more"),
        (#""input":"a","dimensions":4"#, "dimensions", "must be 5, or left out"),
        (#""input":"a","encoding_format":"hex""#, "encoding_format", "must be one of float, base64"),
        (#""input":"a","input_type":"image""#, "input_type", "must be one of query, passage"),
        (#""x":1"#, "input", "is missing"),
    ])
    func refusesWhatItCannotEmbed(fields: String, param: String, reason: String) async throws {
        let parts = ServerParts()

        let reply = try await embed(fields, parts)

        #expect(reply.status == 400)
        #expect(
            reply.text == #"{"error":{"code":"invalid_field","message":"\#(param) \#(reason)","param":"\#(param)","#
                + #""type":"invalid_request_error"}}"#)
        #expect(parts.embedder.batches.isEmpty)
    }

    @Test func tellsWhatTheEmbedderFailedOf() async throws {
        var parts = ServerParts()
        parts.embedder = FakeEmbedder(badTexts: { $0 == "long" ? .tooLong : nil })
        let long = try await embed(#""input":"long""#, parts)
        parts.embedder.failAlways(.busy(retryAfter: .seconds(17)))
        let busy = try await embed(#""input":"cat""#, parts)

        #expect(statuses(long, busy) == [400, 503])
        #expect(long.text.contains(#""message":"input is longer than the model takes","param":"input""#))
        #expect(busy.headers["Retry-After"] == "17")
        #expect(busy.text.contains(#""code":"model_busy""#))
    }
}
