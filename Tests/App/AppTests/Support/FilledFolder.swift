import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// A data folder with many messages whose vectors are those of the stub service for their bare text.
struct FilledFolder {
    let binary: NexusBinary
    /// Settings that make the program use the stub service.
    let settings: [String]
    let messageCount: Int
    private let stub: StubServer

    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - count: How many messages, `message 0` to `message (count - 1)`, by and for Ada in `conversationCount`
    ///     conversations.
    ///   - conversationCount: How many conversations they are spread over.
    ///   - dimensions: Components of a vector.
    /// - Throws: When something cannot be stored.
    init(_ count: Int, conversationCount: Int = 10, dimensions: Int = 8) async throws {
        stub = try StubServer { .embeddings(for: $0, dimensions: dimensions) }
        binary = try NexusBinary()
        messageCount = count
        settings = [
            "--set", "embedding.provider=compatible", "--set", "embedding.base-url=\(stub.baseURL)/v1",
            "--set", "embedding.model=e", "--set", "log.level=debug",
        ]
        let url = "\(stub.baseURL)/v1"
        let store = try await SQLStore.open(folder: binary.data, options: StoreOptions())
        do {
            _ = try await store.store(
                (0..<conversationCount).map { .of(ConversationID(rawValue: "c\($0)"), ["ada"]) }, source: "api",
                mode: .importing, at: .second(0))
            let space = EmbeddingSpace(provider: "compatible", model: "e", dimensions: dimensions)
            let generation = try await store.beginGeneration(space, baseURL: url, refilling: false, at: .second(0))
            for start in stride(from: 0, to: count, by: 2_000) {
                let messages = (start..<min(start + 2_000, count)).map { number in
                    Message.short(
                        ConversationID(rawValue: "c\(number % conversationCount)"),
                        MessageID(rawValue: "m\(number)"), "message \(number)", at: number)
                }
                _ = try await store.accept(messages, source: "api", mode: .importing, at: .second(0))
                let items = try await store.claim(2_000, for: generation.number, until: .second(9), at: .second(0))
                let embedded = items.map {
                    EmbeddedMessage.of(
                        $0, vector: StubVectors.vector(for: $0.searchableText, dimensions: dimensions))
                }
                try #require(try await store.commit(embedded, at: .second(1)) == messages.count)
            }
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    /// The folder of the index's files.
    var index: URL { binary.data.appending(path: "index") }

    /// The names of the files of vectors.
    var files: [String] { names.filter { $0.hasPrefix("vectors-") } }

    /// The names of the files of words.
    var wordFiles: [String] { names.filter { $0.hasPrefix("words-") } }

    private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: index.path)) ?? [] }

    /// Searches with a separate process; returns the ids found and what it logged.
    func search(_ text: String) async throws -> (ids: [String], log: String) {
        let result = try await binary.run(["search", "--user", "ada", "--json"] + settings + [text])
        try #require(result.status == 0, "\(result.errors)")
        let found = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]])
        return (found.compactMap { $0["messageId"] as? String }, result.errors)
    }
}
