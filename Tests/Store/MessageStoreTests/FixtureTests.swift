import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// A database of every release can be opened.
@Suite struct FixtureTests {
    private static func fixture(_ version: Int) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/v\(version).sqlite")
    }

    /// What every fixture holds.
    private func fill(_ store: any Store) async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let first = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0)).number
        // The fixture has no link.
        var full = Message.complete("c", "full", by: "ada")
        full.url = nil
        _ = try await store.accept(
            [full, .short("c", "gone", at: 1), .short("c", "waiting", by: "bob", at: 2)],
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

    @Test func aFolderOfTheFirstReleaseOpensWithAllThatIsInIt() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.fixture(15), to: folder.database)
        let model = InMemoryStore()
        try await fill(model)

        let store = try await folder.open()

        let found = try await Picture(of: store)
        let wanted = try await Picture(of: model)
        #expect(found == wanted)
        let outcomes = try await store.accept([.short("c", "new")], source: "api", mode: .posting, at: .second(9))
        #expect(outcomes == [.inserted])
        let first = GenerationNumber(rawValue: 1)
        #expect(try await store.snapshots() == [first: .named("name")])
        #expect(try await store.setSnapshot(.named("other"), of: first))
        #expect(try await store.snapshots() == [first: .named("other")])
        #expect(try await store.wordSnapshot() == .named("words"))
        try await store.setWordSnapshot(.named("other words"))
        #expect(try await store.wordSnapshot() == .named("other words"))
        await store.close()
    }

    @Test func aMigrationReadsAFolderOfTheFirstReleaseOnceItWasOpened() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.fixture(15), to: folder.database)
        let model = InMemoryStore()
        try await fill(model)

        // Reading changes nothing, so a step that the folder lacks is taken by opening it.
        await #expect(throws: MigrationError.sourceNeedsOpening(folder: folder.url.path)) {
            try await SQLStore.openSource(folder: folder.url)
        }
        await (try await folder.open()).close()
        let source = try await SQLStore.openSource(folder: folder.url)

        let found = try await Picture(of: source)
        let wanted = try await Picture(of: model)
        #expect(found == wanted)
        await source.close()
    }

    @Test func aFolderFromBeforeTheFirstReleaseIsLeftAlone() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let store = try await folder.open()
        _ = try await store.inspect("PRAGMA user_version = 14")
        await store.close()

        await #expect(throws: StoreOpenError.tooOld(found: "14")) { try await folder.open() }
    }

    /// Makes the fixture of the present version: `NEXUS_WRITE_FIXTURES=1 swift test --filter FixtureTests`, before a schema is released.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["NEXUS_WRITE_FIXTURES"] == "1"))
    func writesTheFixture() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)
            _ = try await store.setSnapshot(.named("name"), of: GenerationNumber(rawValue: 1))
            try await store.setWordSnapshot(.named("words"))
            let version = try #require(Int(try await store.inspect("PRAGMA user_version")[0]))
            _ = try await store.inspect("VACUUM")
            try await store.checkpoint()
            await store.close()
            try? FileManager.default.removeItem(at: Self.fixture(version))
            try FileManager.default.copyItem(at: folder.database, to: Self.fixture(version))
        }
    }
}
