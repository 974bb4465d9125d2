import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// A database of every released schema can be opened.
@Suite struct FixtureTests {
    private static let fixture = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/v1.sqlite")

    /// What the fixture of version 1 holds.
    private func fill(_ store: any Store) async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let first = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
        _ = try await store.accept(
            [.complete("c", "full", by: "ada"), .short("c", "gone", at: 1), .short("c", "waiting", by: "bob", at: 2)],
            source: "api", mode: .posting, at: .second(1))
        let items = try await store.claim(9, for: first, until: .second(60), at: .second(2))
        _ = try await store.commit(
            items.filter { $0.messageKey.messageID != "waiting" }.map { .of($0) }, at: .second(3))
        try await store.delete(.of("c", "gone"), at: .second(4))
        try await store.record(
            Turn(
                id: "t", askerID: "ada", question: "Which berth?", answer: "The second [1]",
                sourceKeys: [.of("c", "full")], askedAt: .second(5)))
        _ = try await store.beginGeneration(.tiny("next"), baseURL: "http://x", refilling: false, at: .second(6))
    }

    @Test func aDatabaseOfVersion1OpensWithAllThatIsInIt() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.fixture, to: folder.database)
        let model = InMemoryStore()
        try await fill(model)

        let store = try await folder.open()

        let found = try await Picture(of: store)
        let wanted = try await Picture(of: model)
        #expect(found == wanted)
        let outcomes = try await store.accept([.short("c", "new")], source: "api", mode: .posting, at: .second(9))
        #expect(outcomes == [.inserted])
        await store.close()
    }

    /// Makes the fixture: `NEXUS_WRITE_FIXTURES=1 swift test --filter FixtureTests`, before a schema is released.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["NEXUS_WRITE_FIXTURES"] == "1"))
    func writesTheFixture() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)
            _ = try await store.inspect("VACUUM")
            try await store.checkpoint()
            await store.close()
            try? FileManager.default.removeItem(at: Self.fixture)
            try FileManager.default.copyItem(at: folder.database, to: Self.fixture)
        }
    }
}
