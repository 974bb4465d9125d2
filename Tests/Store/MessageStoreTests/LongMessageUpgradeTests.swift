import ChatCore
import Foundation
import GRDB
import MessageStore
import TestSupport
import Testing

/// Messages whose end was cut off before version 4 are embedded again.
@Suite struct LongMessageUpgradeTests {
    private let first = GenerationNumber(rawValue: 1)

    /// Opens the fixture of version 3, in which the passage of the message `full` is so long.
    private func upgraded(byteCount: Int, _ body: (SQLStore) async throws -> Void) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/v3.sqlite")
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: fixture, to: folder.database)
        let database = try DatabaseQueue(path: folder.database.path)
        try await database.write { db in
            try db.execute(sql: "UPDATE passages SET range_end = ? WHERE number = 2", arguments: [byteCount])
        }
        try database.close()
        let store = try await folder.open()
        try await body(store)
        await store.close()
    }

    @Test func aMessageThatMayHaveBeenCutIsQueuedAgain() async throws {
        try await upgraded(byteCount: 751) { store in
            let status = try await store.status(of: first)
            #expect(status.embeddedCount == 0)
            #expect(status.pendingCount == 2)
            #expect(try await store.inspect("SELECT COUNT(*) FROM vectors") == ["0"])
            let last = try await store.allChanges().last
            #expect(last?.subject == .retired(PassageNumber(rawValue: 2)))
            #expect(last?.conversationID == "c")
            let items = try await store.claim(9, for: first, until: .second(9_000_000), at: .second(8_000_000))
            #expect(items.map(\.messageKey.messageID) == ["waiting", "full"])
            #expect(items.map(\.isBacklog) == [false, true])
            #expect(try await store.commit(items.map { .of($0, passages: 3) }, at: .second(8_000_001)) == 2)
        }
    }

    @Test func otherMessagesKeepTheirVectors() async throws {
        try await upgraded(byteCount: 750) { store in
            let status = try await store.status(of: first)
            #expect(status.embeddedCount == 1)
            #expect(status.pendingCount == 1)
            #expect(try await store.inspect("SELECT COUNT(*) FROM vectors") == ["1"])
        }
    }
}
