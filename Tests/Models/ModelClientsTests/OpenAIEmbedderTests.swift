import ChatCore
import Foundation
import ModelClients
import TestSupport
import Testing
import Transport

@Suite("OpenAIEmbedder", .hangGuard)
struct OpenAIEmbedderTests {
    @Test func sendsOnlyWhatIsConfigured() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server)

        _ = try await embedder.embed(["one", "two"], as: .passage)

        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/v1/embeddings")
        #expect(request.header("authorization") == "Bearer sk-secret")
        #expect(request.header("content-type") == "application/json")
        #expect(request.json.keys.sorted() == ["encoding_format", "input", "model"])
        #expect(request.json["encoding_format"] as? String == "float")
        #expect(request.json["model"] as? String == "stub-model")
        #expect(request.input == ["one", "two"])
    }

    @Test func sendsDimensionsAndBase64WhenConfigured() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server, dimensions: 4) { $0.usesBase64 = true }

        _ = try await embedder.embed(["one"], as: .passage)

        let request = try #require(server.requests.first)
        #expect(request.json["dimensions"] as? Int == 4)
        #expect(request.json["encoding_format"] as? String == "base64")
    }

    @Test func sendsNoHeaderWithoutKey() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server) { $0.address.key = nil }

        _ = try await embedder.embed(["one"], as: .passage)

        #expect(server.requests.first?.header("authorization") == nil)
    }

    @Test(arguments: [
        (base: "https://host/v1/", url: "https://host/v1/embeddings", header: "Authorization"),
        (base: "http://host:8080", url: "http://host:8080/embeddings", header: "Authorization"),
        (
            base: "https://name.openai.azure.com/openai/deployments/d?api-version=1",
            url: "https://name.openai.azure.com/openai/deployments/d/embeddings?api-version=1", header: "api-key"
        ),
    ])
    func buildsTheAddress(base: String, url: String, header: String) async throws {
        let transport = RecordingTransport(body: #"{"data":[{"index":0,"embedding":[1]}]}"#)
        let address = ServiceAddress(baseURL: base, key: SecretText("k"))
        let settings = EmbeddingServiceSettings(address: address, providerKind: "compatible", model: "m")

        _ = try await OpenAIEmbedder(settings: settings, transport: transport).embed(["a"], as: .passage)

        let request = try #require(transport.requests.first)
        #expect(request.url == url)
        #expect(request.headers[header] == (header == "api-key" ? "k" : "Bearer k"))
    }

    @Test func putsThePrefixOfThePurposeBefore() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server) {
            $0.queryPrefix = "query: "
            $0.passagePrefix = "passage: "
        }

        _ = try await embedder.embed(["a"], as: .query)
        _ = try await embedder.embed(["a"], as: .passage)

        #expect(server.requests.map(\.input) == [["query: a"], ["passage: a"]])
    }

    @Test(arguments: [false, true])
    func readsFloatsAndBase64WhateverWasAskedFor(isBase64: Bool) async throws {
        let server = try StubServer(.embeddings([[3, 4], [0, -2]], isBase64: isBase64, tokenCount: 7))
        for usesBase64 in [false, true] {
            let embedder = try makeEmbedder(server) { $0.usesBase64 = usesBase64 }

            let reply = try await embedder.embed(["a", "b"], as: .passage)

            #expect(reply == EmbeddingReply(outcomes: [.vector([0.6, 0.8]), .vector([0, -1])], tokenCount: 7))
        }
    }

    @Test func ordersByIndex() async throws {
        let server = try StubServer(.embeddings([[0, 0, 1], [1, 0, 0], [0, 1, 0]], indexes: [2, 0, 1]))

        let reply = try await makeEmbedder(server).embed(["a", "b", "c"], as: .passage)

        #expect(reply.vectors == [[1, 0, 0], [0, 1, 0], [0, 0, 1]])
    }

    @Test func divides() async throws {
        let server = try StubServer { request in
            .embeddings(
                request.input.map { StubVectors.vector(for: $0, dimensions: 4) }, tokenCount: request.input.count)
        }
        let embedder = try makeEmbedder(server) { $0.batchItemLimit = 2 }
        let texts = ["a", "b", "c", "d", "e"]

        let reply = try await embedder.embed(texts, as: .passage)

        #expect(server.requests.map(\.input) == [["a", "b"], ["c", "d"], ["e"]])
        #expect(reply.vectors == texts.map { unit(StubVectors.vector(for: $0, dimensions: 4)) })
        #expect(reply.tokenCount == 5)
    }

    @Test func dividesByEstimatedTokens() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server) { $0.batchTokenLimit = 10 }
        let texts = ["a", String(repeating: "b", count: 12), String(repeating: "c", count: 18), "d", "漢字漢字漢字漢字漢字漢字"]

        _ = try await embedder.embed(texts, as: .passage)

        #expect(server.requests.map(\.input.count) == [2, 2, 1])
    }

    @Test func sendsNothingForNothing() async throws {
        let server = try StubServer(.neverAnswers)

        let reply = try await makeEmbedder(server).embed([], as: .passage)

        #expect(reply == EmbeddingReply(outcomes: []))
        #expect(server.requests.isEmpty)
    }

    @Test func asksForTheDimensionsOnce() async throws {
        let server = try StubServer { .embeddings(for: $0, dimensions: 5) }
        let embedder = try makeEmbedder(server) {
            $0.queryPrefix = "q"
            $0.passagePrefix = "p"
        }

        let spaces = [try await embedder.space(), try await embedder.space()]

        let space = EmbeddingSpace(
            provider: "compatible", model: "stub-model", dimensions: 5, queryPrefix: "q", passagePrefix: "p")
        #expect(spaces == [space, space])
        #expect(server.requests.count == 1)
    }

    @Test func asksForNoDimensionsThatItKnows() async throws {
        let server = try StubServer { .embeddings(for: $0, dimensions: 6) }
        let configured = try makeEmbedder(server, dimensions: 3)
        let used = try makeEmbedder(server)

        #expect(try await configured.space().dimensions == 3)
        #expect(server.requests.isEmpty)
        _ = try await used.embed(["a"], as: .passage)
        #expect(try await used.space().dimensions == 6)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        (baseURL: "ftp://host", model: "m", items: 32), (baseURL: "", model: "m", items: 32),
        (baseURL: "http://host/v1#x", model: "m", items: 32),
        (baseURL: "http://host", model: "", items: 32), (baseURL: "http://host", model: "m", items: 0),
        (baseURL: "http://host", model: "m", items: 2049),
    ])
    func refusesSettings(baseURL: String, model: String, items: Int) async throws {
        let settings = EmbeddingServiceSettings(
            address: ServiceAddress(baseURL: baseURL), providerKind: "compatible", model: model, batchItemLimit: items)
        let error = await serviceError {
            try OpenAIEmbedder(settings: settings, transport: RecordingTransport(body: ""))
        }

        #expect(error?.code == "misconfigured")
    }
}
