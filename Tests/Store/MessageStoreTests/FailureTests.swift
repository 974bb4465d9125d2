import ChatCore
import Foundation
import MessageStore
import SQLiteStore
import TestSupport
import Testing

@Suite struct FailureTests {
    private func longMessages() -> [Message] {
        (0..<100).map { .short("c", MessageID(rawValue: "m\($0)"), String(repeating: "x", count: 4_000)) }
    }

    @Test func writesAreForcedToTheDiskAndDeletedContentIsOverwritten() async throws {
        try await DataFolder.with { _, store in
            let wanted = [
                ("synchronous", "2"), ("secure_delete", "1"), ("foreign_keys", "1"), ("auto_vacuum", "2"),
                ("journal_mode", "wal"), ("user_version", "31"),
            ]
            for (setting, value) in wanted {
                let found = try await store.inspect("PRAGMA \(setting)")
                #expect(found == [value], "\(setting)")
            }
        }
    }

    @Test func onlyTheOwnerMayEnterTheFolder() async throws {
        try await DataFolder.with { folder, _ in
            func mode(_ url: URL) throws -> Int? {
                try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
            }
            let modes = try [folder.url, folder.database, folder.url.appending(path: "nexus.sqlite-wal")].map(mode)
            #expect(modes == [0o700, 0o600, 0o600])
        }
    }

    @Test func aDatabaseFromTheFutureIsRefusedAndLeftAlone() async throws {
        try await DataFolder.with { folder, store in
            _ = try await store.inspect("PRAGMA user_version = 999")
            await store.close()

            await #expect(throws: RepositoryError.fromTheFuture(found: "999")) { try await folder.open() }
            await #expect(throws: RepositoryError.fromTheFuture(found: "999")) { try await folder.open() }
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefused() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 8_192).write(to: folder.database)

        await #expect(throws: RepositoryError.storageDamaged) { try await folder.open() }
    }

    @Test func aFileInPlaceOfTheFolderIsRefused() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try Data("hello".utf8).write(to: folder.url)

        await #expect(throws: StoreOpenError.notAFolder(path: folder.url.path)) { try await folder.open() }
        #expect(try Data(contentsOf: folder.url) == Data("hello".utf8))
    }

    @Test func aFolderThatIsOpenCannotBeOpenedAgain() async throws {
        try await DataFolder.with { folder, store in
            #expect(isOwned(folder.url))
            await #expect(throws: StoreOpenError.inUse(folder: folder.url.path)) { try await folder.open() }

            await store.close()

            #expect(!isOwned(folder.url))
            let again = try await folder.open()
            await again.close()
        }
    }

    @Test func aFolderOfAnotherProcessCannotBeOpened() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let lines = Pipe()
        let stop = Pipe()
        let other = try StartedProgram(
            ["/usr/bin/flock", folder.url.appending(path: "lock").path, "sh", "-c", "echo held; cat > /dev/null"],
            input: stop, output: lines)
        let word = try lines.fileHandleForReading.read(upToCount: 5)
        #expect(word == Data("held\n".utf8))

        #expect(isOwned(folder.url))
        await #expect(throws: StoreOpenError.inUse(folder: folder.url.path)) { try await folder.open() }

        try stop.fileHandleForWriting.close()
        await other.wait()
        let store = try await folder.open()
        await store.close()
    }

    @Test func noFolderIsHeldByNobody() {
        #expect(!isOwned(DataFolder().url))
    }

    @Test func aClosedStoreAnswersWithAnError() async throws {
        try await DataFolder.with { _, store in
            await store.close()
            await #expect(throws: RepositoryError.self) { try await store.latestChange() }
            await #expect(throws: RepositoryError.self) { try await store.checkpoint() }
        }
    }

    @Test func aFullDiskKeepsNothingHalfAndWorksAgainLater() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let first = try await store.accept([.short("c", "first")], source: "api", mode: .posting, at: .second(0))
            #expect(first == [.inserted])
            let pages = try #require(Int(try await store.inspect("PRAGMA page_count")[0]))
            try await store.setPageLimit(pages + 20)
            let latest = try await store.latestChange()
            let batch = longMessages()

            await #expect(throws: RepositoryError.storageFull) {
                try await store.accept(batch, source: "api", mode: .posting, at: .second(1))
            }

            #expect(try await store.latestChange() == latest)
            let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 200, at: .second(2))
            #expect(page.map(\.key.messageID) == ["first"])
            try await store.setPageLimit(1_000_000)
            let outcomes = try await store.accept(batch, source: "api", mode: .posting, at: .second(3))
            #expect(outcomes == batch.map { _ in .inserted })
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    @Test func anIdThatOnlyLooksLikeAPermittedOneOpensNothing() async throws {
        try await DataFolder.with { _, store in
            let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
            _ = try await store.store(
                [.of(ConversationID(rawValue: composed), ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.store(
                [.of(ConversationID(rawValue: decomposed), ["bob"])], source: "api", mode: .posting, at: .second(0))
            let foreign = Message.short(ConversationID(rawValue: decomposed), "m", by: "bob")
            _ = try await store.accept([foreign], source: "api", mode: .posting, at: .second(0))
            let scopes = [
                SearchScope(asker: "ada", conversations: .all),
                SearchScope(asker: "ada", conversations: .only([ConversationID(rawValue: composed)])),
            ]

            for scope in scopes {
                let found = try await store.messages([foreign.key], in: scope, at: .second(1))
                #expect(found.isEmpty)
            }
            let own = SearchScope(asker: "bob", conversations: .all)
            let found = try await store.messages([foreign.key], in: own, at: .second(1))
            #expect(found.count == 1)
        }
    }

    @Test func aLimitGivenAtTheStartHolds() async throws {
        try await DataFolder.with(StoreOptions(pageLimit: 60)) { _, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let batch = longMessages()
            await #expect(throws: RepositoryError.storageFull) {
                try await store.accept(batch, source: "api", mode: .posting, at: .second(1))
            }
        }
    }
}

/// Whether somebody holds the lock of a folder.
private func isOwned(_ folder: URL) -> Bool {
    do throws(StoreOpenError) {
        try InstanceLock.acquire(folder: folder).release()
        return false
    } catch {
        return error == .inUse(folder: folder.path)
    }
}
