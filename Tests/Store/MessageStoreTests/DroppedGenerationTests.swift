import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

@Suite struct DroppedGenerationTests {
    private static let messageCount = 2_500
    private static let dimensions = 256

    private func fill(_ store: SQLStore) async throws {
        _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .importing, at: .second(0))
        let messages = (0..<Self.messageCount).map {
            Message.short("c", MessageID(rawValue: "m\($0)"), "message \($0)", at: $0)
        }
        _ = try await store.accept(messages, source: "api", mode: .importing, at: .second(0))
        for model in ["one", "two"] {
            let space = EmbeddingSpace(provider: "builtin", model: model, dimensions: Self.dimensions)
            let generation = try await store.beginGeneration(space, baseURL: nil, refilling: true, at: .second(0))
            let items = try await store.claim(
                Self.messageCount, for: generation.number, until: .second(9), at: .second(0))
            let vector = (0..<Self.dimensions).map { Float($0 + 1) }
            let count = try await store.commit(items.map { .of($0, vector: vector) }, at: .second(1))
            try #require(count == Self.messageCount)
        }
    }

    private func byteCount(_ folder: DataFolder) throws -> Int {
        let file = folder.url.appending(path: "nexus.sqlite")
        return try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int)
    }

    @Test func itsRoomIsGivenBack() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)
            try await store.checkpoint()
            let before = try byteCount(folder)

            try await store.drop(GenerationNumber(rawValue: 2), at: .second(2))

            #expect(try byteCount(folder) < before - Self.messageCount * Self.dimensions * 4)
            #expect(try await store.inspect("PRAGMA freelist_count") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM vectors") == ["\(Self.messageCount)"])
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    @Test func whatWasBrokenOffIsCompletedByAnotherDrop() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)
            // As a crash after the first step leaves it.
            _ = try await store.inspect("UPDATE generations SET state = 'retired' WHERE number = 2")

            try await store.drop(GenerationNumber(rawValue: 2), at: .second(2))

            #expect(try await store.inspect("SELECT COUNT(*) FROM passages WHERE generation = 2") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM vectors") == ["\(Self.messageCount)"])
        }
    }
}
