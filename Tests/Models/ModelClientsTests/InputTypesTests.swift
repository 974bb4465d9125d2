import ChatCore
import ModelClients
import TestSupport
import Testing

@Suite(.hangGuard) struct InputTypesTests {
    @Test func theTypeIsSentAndPartOfTheSpace() async throws {
        let server = try StubServer { .embeddings(for: $0) }
        let embedder = try makeEmbedder(server) {
            $0.inputTypes = InputTypes(query: "query", passage: "passage")
            $0.passagePrefix = "p: "
        }
        let plain = try makeEmbedder(server) { $0.passagePrefix = "p: " }

        _ = try await embedder.embedQuery("q")
        _ = try await embedder.embed(["a"], as: .passage)
        _ = try await plain.embedQuery("q")

        #expect(server.requests.map { $0.json["input_type"] as? String } == ["query", "passage", nil])
        #expect(server.requests.map(\.input) == [["q"], ["p: a"], ["q"]])
        let space = try await embedder.space()
        #expect(try await plain.space() != space)
        let read = InputTypes.read(queryPrefix: space.queryPrefix, passagePrefix: space.passagePrefix)
        #expect(read.types == InputTypes(query: "query", passage: "passage"))
        #expect(read.queryPrefix == "" && read.passagePrefix == "p: ")
        let none = InputTypes.read(queryPrefix: "q: ", passagePrefix: "")
        #expect(none.types == nil && none.queryPrefix == "q: ")
    }

    @Test(arguments: [
        "", "query", "query/", "/passage", "a/b/c", "a b/c", "q\n/p", "q/\(String(repeating: "x", count: 65))",
    ])
    func otherTextsAreNoTypes(text: String) {
        #expect(InputTypes(text) == nil)
    }

    @Test(arguments: ["query/passage", "search_query/search_document", "retrieval.query/retrieval.passage"])
    func twoWordsAreTypes(text: String) throws {
        let types = try #require(InputTypes(text))
        #expect(types.query + "/" + types.passage == text)
    }
}

@Suite(.hangGuard) struct LongQuestionTests {
    @Test func aQuestionThatIsTooLongIsEmbeddedByItsBeginning() async throws {
        let question = (0..<200).map { "word\($0)" }.joined(separator: " ")
        let server = try StubServer { request in
            request.input.contains { $0.count > 500 }
                ? .openAIError(500, message: "input (900 tokens) is too large to process") : .embeddings(for: request)
        }

        let vector = try await makeEmbedder(server).embedQuery(question)

        let sent = try #require(server.requests.last?.input.first)
        #expect(question.hasPrefix(sent) && sent.count > 250)
        #expect(vector == unit(StubVectors.vector(for: sent, dimensions: 4)))
        #expect(server.requests.count == 3)
    }

    @Test func aServiceThatRefusesEverythingAsTooLongIsNotAskedForEver() async throws {
        let server = try StubServer(.text("", status: 413))

        let question = String(repeating: "word ", count: 200)
        #expect(await serviceError { try await makeEmbedder(server).embedQuery(question) } == .tooLong)
        #expect(server.requests.count < 10)
    }
}
