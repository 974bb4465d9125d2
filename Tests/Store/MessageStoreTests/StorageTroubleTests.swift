import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A store on a disk that takes no writing.
@Suite struct StorageTroubleTests {
    /// A disk whose trouble the test decides.
    private final class Disk: Sendable {
        private let state: Mutex<StorageTrouble?>

        init(_ trouble: StorageTrouble?) { state = Mutex(trouble) }

        var options: StoreOptions {
            var options = StoreOptions()
            options.refusal = { self.state.withLock { $0 } }
            return options
        }

        func mend() { state.withLock { $0 = nil } }
    }

    private func fill(_ store: SQLStore) async throws {
        _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
        _ = try await store.accept([.short("c", "first")], source: "api", mode: .posting, at: .second(0))
    }

    private func ids(_ store: SQLStore, asker: UserID = "ada") async throws -> [MessageID] {
        try await store.page(of: "c", asker: asker, before: nil, limit: 9, at: .second(9)).map(\.key.messageID)
    }

    @Test(arguments: [StorageTrouble.full, .readOnly])
    func whatIsStoredIsReadAndWritingIsRefused(trouble: StorageTrouble) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let before = try await folder.open()
        try await fill(before)
        let latest = try await before.latestChange()
        await before.close()
        let names = try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path))

        let store = try await folder.open(Disk(trouble).options)

        #expect(store.storageTrouble == trouble)
        #expect(try await ids(store) == ["first"])
        #expect(try await store.latestChange() == latest)
        #expect(try await store.permitted(SearchScope(asker: "ada", conversations: .all), at: .second(1)).count == 1)
        await #expect(throws: trouble.error) {
            _ = try await store.accept([.short("c", "second")], source: "api", mode: .posting, at: .second(1))
        }
        await #expect(throws: trouble.error) { try await store.checkpoint() }
        #expect(await store.retryWriting() == trouble)
        #expect(try await ids(store) == ["first"])
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.url.path)) == names)
        await store.close()
    }

    @Test func aLogThatACrashLeftIsReadAsWell() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)
            let copy = try folder.copied()
            defer { copy.remove() }
            #expect(try copy.holds("first"))

            let crashed = try await copy.open(Disk(.full).options)
            #expect(try await ids(crashed) == ["first"])
            await crashed.close()

            try FileManager.default.removeItem(at: copy.url.appending(path: "nexus.sqlite-shm"))
            await #expect(throws: StoreOpenError.needsWriting(path: copy.database.path)) {
                _ = try await copy.open(Disk(.full).options)
            }
            let mended = try await copy.open()
            #expect(try await ids(mended) == ["first"])
            await mended.close()
        }
    }

    @Test(arguments: [false, true])
    func writingGoesOnWithoutAnotherStart(hasLog: Bool) async throws {
        try await DataFolder.with { folder, original in
            try await fill(original)
            let copy = try folder.copied()
            defer { copy.remove() }
            if !hasLog { await (try await copy.open()).close() }
            let disk = Disk(.full)
            let store = try await copy.open(disk.options)
            #expect(try await ids(store) == ["first"])

            disk.mend()
            #expect(await store.retryWriting() == nil)

            #expect(store.storageTrouble == nil)
            let latest = try await store.latestChange()
            _ = try await store.accept([.short("c", "second")], source: "api", mode: .posting, at: .second(1))
            #expect(try await !latest.reaches(store.latestChange()))
            #expect(try await Set(ids(store)) == ["first", "second"])
            // Who may see what is noted from then on.
            let scope = SearchScope(asker: "bob", conversations: .all)
            #expect(try await store.permitted(scope, at: .second(2)).isEmpty)
            _ = try await store.store([.of("d", ["bob"])], source: "api", mode: .posting, at: .second(2))
            #expect(try await store.permitted(scope, at: .second(3)).count == 1)
            #expect(try await store.checkIntegrity().isSound)
            await store.close()
        }
    }

    @Test func aFolderWithoutADatabaseCannotBeServed() async throws {
        let folder = DataFolder()
        defer { folder.remove() }

        await #expect(throws: RepositoryError.storageReadOnly) { _ = try await folder.open(Disk(.readOnly).options) }
        await #expect(throws: RepositoryError.storageFull) { _ = try await folder.open(Disk(.full).options) }
        await (try await folder.open()).close()
    }

    @Test func aFullDiskIsToldUntilThereIsRoomAgain() async throws {
        try await DataFolder.with { _, store in
            try await fill(store)
            #expect(store.storageTrouble == nil)
            let pages = try #require(Int(try await store.inspect("PRAGMA page_count")[0]))
            try await store.setPageLimit(pages)
            let long = (0..<40).map {
                Message.short("c", MessageID(rawValue: "l\($0)"), String(repeating: "word \($0) ", count: 800), at: $0)
            }

            await #expect(throws: RepositoryError.storageFull) {
                _ = try await store.accept(long, source: "api", mode: .posting, at: .second(1))
            }
            #expect(store.storageTrouble == .full)
            #expect(try await ids(store) == ["first"])

            try await store.setPageLimit(1_000_000)
            #expect(await store.retryWriting() == nil)
            #expect(store.storageTrouble == nil)
        }
    }

    @Test func aFailedReadOrAWrongCallIsNoTroubleOfTheDisk() async throws {
        try await DataFolder.with { _, store in
            try await fill(store)
            await #expect(throws: RepositoryError.self) {
                try await store.switchTo(GenerationNumber(rawValue: 9), at: .second(1))
            }
            #expect(store.storageTrouble == nil)
        }
    }
}
