import ChatCore
import Foundation
import SentenceEncoder
import Testing

@Suite struct BuiltInModelTests {
    private func embedder(_ model: BuiltInModel, query: String? = nil, passage: String? = nil) -> BuiltInEmbedder {
        BuiltInEmbedder(
            model: model, folder: URL(filePath: "/nothing-here"), threadCount: 1, queryPrefix: query,
            passagePrefix: passage)
    }

    @Test func spacesHaveTheModelsNamesAndPrefixes() async throws {
        let small = try await embedder(.miniLM).space()
        #expect(small == EmbeddingSpace(provider: "builtin", model: "all-MiniLM-L6-v2", dimensions: 384))
        let multilingual = try await embedder(.multilingualE5).space()
        #expect(
            multilingual
                == EmbeddingSpace(
                    provider: "builtin", model: "multilingual-e5-small", dimensions: 384, queryPrefix: "query: ",
                    passagePrefix: "passage: "))
        #expect(multilingual.name == "builtin/multilingual-e5-small/384")
    }

    @Test func prefixesCanBeSet() async throws {
        let space = try await embedder(.multilingualE5, query: "q: ", passage: "").space()
        #expect(space.queryPrefix == "q: ")
        #expect(space.passagePrefix == "")
    }

    @Test func aMissingModelSaysHowToGetIt() async throws {
        let reason =
            "the sentence model in /nothing-here is missing or damaged: nexus model fetch --model multilingual-e5-small"
        await #expect(throws: ModelServiceError.misconfigured(reason: reason)) {
            try await embedder(.multilingualE5).embed(["a"], as: .query)
        }
    }

    @Test func multilingualFileIsPinned() {
        let files = BuiltInModel.multilingualE5.files
        #expect(files.folderName == "multilingual-e5-small")
        #expect(files.files.map(\.name) == ["e5-small-q4.bin"])
        #expect(files.files.map(\.byteCount) == [71_622_400])
        #expect(files.files[0].sha256.hasPrefix("1571fc98"))
    }
}
