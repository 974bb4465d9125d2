import ChatCore
import Foundation
import MessageStore
import Synchronization
import TestSupport
import Testing

/// A store whose file is damaged behind its back.
@Suite struct DamageTests {
    private static let word = "lighthouse"

    private func fill(_ store: SQLStore) async throws {
        _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
        let messages = (0..<200).map { number in
            Message.short(
                "c", MessageID(rawValue: "m\(number)"), String(repeating: "\(Self.word) \(number) ", count: 40),
                at: number)
        }
        _ = try await store.accept(messages, source: "api", mode: .posting, at: .second(300))
    }

    /// Overwrites the heads of the pages that hold the text of messages, but of the newest ones: beside them others are
    /// stored.
    private func damage(_ file: URL) throws -> Int {
        var bytes = try Data(contentsOf: file)
        let pageByteCount = 4_096
        var count = 0
        for start in stride(from: pageByteCount, to: bytes.count, by: pageByteCount) {
            let page = start..<min(start + pageByteCount, bytes.count)
            let isNew = (185..<200).contains { bytes[page].range(of: Data("\(Self.word) \($0) ".utf8)) != nil }
            guard !isNew, bytes[page].range(of: Data(Self.word.utf8)) != nil else { continue }
            bytes.replaceSubrange(start..<start + 100, with: Data(repeating: 0xEE, count: 100))
            count += 1
        }
        try bytes.write(to: file)
        return count
    }

    private func withDamagedStore(_ body: (SQLStore) async throws -> Void) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let before = try await folder.open()
        try await fill(before)
        await before.close()
        #expect(try damage(folder.database) > 10)

        let store = try await folder.open()
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func page(_ store: SQLStore) async throws -> [Message] {
        try await store.page(of: "c", asker: "ada", before: nil, limit: 60, at: .second(400))
    }

    private func post(_ store: SQLStore, _ id: MessageID) async throws {
        _ = try await store.post([.short("c", id, at: 400)], source: "api", at: .second(400))
    }

    @Test func nothingIsStoredOnceDamageWasRead() async throws {
        try await withDamagedStore { store in
            #expect(store.storageTrouble == nil)
            try await post(store, "early")

            await #expect(throws: RepositoryError.storageDamaged) { _ = try await page(store) }

            #expect(store.storageTrouble == .damaged)
            await #expect(throws: RepositoryError.storageDamaged) { try await post(store, "late") }
            await #expect(throws: RepositoryError.storageDamaged) { try await store.checkpoint() }
            // What is whole is still read, and reading it mends nothing.
            let scope = SearchScope(asker: "ada", conversations: .all)
            #expect(try await store.permitted(scope, at: .second(401)).count == 1)
            #expect(await store.retryWriting() == .damaged)
            #expect(store.storageTrouble == .damaged)
        }
    }

    @Test func damageThatAWriteReadsCountsToo() async throws {
        try await withDamagedStore { store in
            await #expect(throws: RepositoryError.storageDamaged) {
                _ = try await store.edit(.of("c", "m7"), text: "another text", at: .second(400))
            }
            #expect(store.storageTrouble == .damaged)
            await #expect(throws: RepositoryError.storageDamaged) { try await post(store, "late") }
        }
    }

    @Test func aCheckThatFindsDamageStopsWriting() async throws {
        try await withDamagedStore { store in
            let found = try await store.checkIntegrity()
            #expect(!found.isSound)
            #expect(store.storageTrouble == .damaged)
        }
    }

    @Test func theWatchHearsOfDamage() async throws {
        try await withDamagedStore { store in
            let seen = store.storageFailed.count
            await #expect(throws: RepositoryError.storageDamaged) { _ = try await page(store) }
            #expect(store.storageFailed.count > seen)
        }
    }

    @Test func aFileThatIsNoDatabaseIsRefused() async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        await (try await folder.open()).close()
        try Data(repeating: 0x21, count: 8_192).write(to: folder.database)

        await #expect(throws: RepositoryError.storageDamaged) { _ = try await folder.open() }
    }
}
