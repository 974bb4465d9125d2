import ChatCore
import Foundation
import ModelClients
import Testing

@Suite("SecretText and ProviderPreset")
struct SecretTextTests {
    /// Writes `text` to a file for the time of `work`.
    private func withFile(_ data: Data, _ work: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)").path
        try data.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await work(path)
    }

    @Test func isMaskedEverywhere() throws {
        let secret = try #require(SecretText(" sk-hidden\n"))
        var dumped = ""
        dump(ServiceAddress(baseURL: "http://host", key: secret), to: &dumped)

        #expect(secret.reveal() == "sk-hidden")
        #expect("\(secret)" == "********")
        #expect(!(dumped + String(reflecting: [secret])).contains("hidden"))
    }

    @Test(arguments: ["", " ", "\n\t"])
    func isNothingWithoutText(text: String) {
        #expect(SecretText(text) == nil)
    }

    @Test func isReadFromAFile() async throws {
        try await withFile(Data("\n sk-hidden \r\n".utf8)) { path in
            let secret = try SecretText(contentsOf: path)
            #expect(secret.reveal() == "sk-hidden")
        }
    }

    @Test(arguments: [Data(), Data(" \n".utf8), Data([0xFF, 0xFE]), Data(repeating: 65, count: 70_000)])
    func refusesFilesWithoutAKey(data: Data) async throws {
        try await withFile(data) { path in
            let error = await serviceError { try SecretText(contentsOf: path) }
            #expect(error?.code == "misconfigured")
        }
        #expect(await serviceError { try SecretText(contentsOf: "/nonexistent/key") }?.code == "misconfigured")
    }

    @Test func knowsProviders() {
        let openAI = ProviderPreset.named("openai")
        #expect(openAI == .openAI)
        #expect(openAI?.baseURL == "https://api.openai.com/v1")
        #expect(openAI?.embeddingModel == "text-embedding-3-small")
        #expect(openAI?.embeddingDimensions == 1536)
        #expect(openAI?.chatModel == "gpt-4o-mini")
        #expect(openAI?.keyVariable == "OPENAI_API_KEY")
        #expect(ProviderPreset.named("ollama")?.kind == "compatible")
        #expect(ProviderPreset.compatible(baseURL: "http://host").embeddingModel == nil)
        #expect(ProviderPreset.named("other") == nil)
    }

    @Test(arguments: [
        ("nomic-embed-text:latest", "search_query: ", "search_document: "),
        ("BAAI/bge-small-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        (
            "multilingual-e5-large-instruct",
            "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ", ""
        ),
        (
            "qwen3-embedding:0.6b",
            "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:", ""
        ),
        ("snowflake-arctic-embed2", "query: ", ""),
        ("snowflake-arctic-embed:335m", "Represent this sentence for searching relevant passages: ", ""),
        ("text-embedding-3-small", "", ""), ("bge-m3", "", ""), ("my-own-model", "", ""),
    ])
    func knowsPrefixes(model: String, query: String, passage: String) {
        let preset = EmbeddingPreset.of(model: model)
        #expect(preset?.queryPrefix ?? "" == query)
        #expect(preset?.passagePrefix ?? "" == passage)
    }
}
