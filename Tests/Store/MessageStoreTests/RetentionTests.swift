import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// Old changes are removed, and positions stay.
@Suite struct RetentionTests {
    private static let day = 86_400

    private func post(_ store: SQLStore, _ ids: Range<Int>) async throws {
        for id in ids {
            let message = Message.short("c", MessageID(rawValue: "m\(id)"))
            _ = try await store.accept([message], source: "api", mode: .posting, at: .second(1))
        }
    }

    /// Trims as the service does; returns the number of calls.
    private func trim(_ store: SQLStore, day: Int, followsMentions: Bool = false, limit: Int = 4) async throws -> Int {
        let moment = Timestamp.second(day * Self.day)
        var count = 1
        while try await store.trimChanges(
            before: .second((day - 14) * Self.day), followsMentions: followsMentions, limit: limit, at: moment)
        { count += 1 }
        return count
    }

    private func changeCount(_ store: SQLStore) async throws -> Int {
        Int(try await store.inspect("SELECT COUNT(*) FROM changes").first ?? "") ?? -1
    }

    private func withStore(_ body: (SQLStore) async throws -> Void) async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await body(store)
        }
    }

    @Test func oldChangesGoInPartsAndLateClientsStartAgain() async throws {
        try await withStore { store in
            let start = try await store.latestChange()
            try await post(store, 0..<5)
            for _ in 0..<4 {
                _ = try await store.react("x", isSet: true, to: .of("c", "m0"), by: "bob", at: .second(2))
                _ = try await store.react("x", isSet: false, to: .of("c", "m0"), by: "bob", at: .second(2))
            }
            let middle = try await store.latestChange()
            #expect(try await trim(store, day: 20) == 1)
            try await post(store, 5..<8)
            let before = try await changeCount(store)
            #expect(try await trim(store, day: 33) == 1)
            #expect(try await changeCount(store) == before)

            let calls = try await trim(store, day: 34)
            let end = try await store.latestChange()
            let after = try await changeCount(store)

            #expect(calls > 1)
            #expect(after < before)
            await #expect(throws: RepositoryError.expiredCursor) {
                try await store.feed(of: "ada", in: FeedRange(after: start), limit: 9, at: .second(3))
            }
            await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: start, limit: 9) }
            let page = try await store.feed(of: "ada", in: FeedRange(after: middle), limit: 9, at: .second(3))
            #expect(page.changes.count == 3 && page.end == end)
            #expect(try await store.changes(after: middle, limit: 9).changes.count == 3)
        }
    }

    @Test func positionsDoNotGoBackWhenTheLastChangesGo() async throws {
        try await withStore { store in
            try await post(store, 0..<2)
            for isMuted in [true, false] {
                try await store.setPreferences(
                    ConversationPreferences(isMuted: isMuted), of: "c", for: "bob", at: .second(2))
            }
            let end = try await store.latestChange()
            for day in [20, 40] { _ = try await trim(store, day: day) }

            #expect(try await changeCount(store) == 2)
            #expect(try await store.latestChange() == end)
            #expect(try await store.inbox(of: "ada", matching: nil, at: .second(3)).cursor == end)
            let none = try await store.changes(after: end, limit: 9)
            #expect(none.changes.isEmpty && none.end == end)
            try await post(store, 2..<3)
            #expect(try await store.changes(after: end, limit: 9).changes.count == 1)
        }
    }

    @Test func whatWasNeverReadCanStillBeExtracted() async throws {
        try await withStore { store in
            try await post(store, 0..<9)
            for day in [20, 40] { _ = try await trim(store, day: day) }

            let lease = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l", until: .second(9), at: .second(3))
            let batch = try await store.nextMessages(for: lease, limit: 99, contextLimit: 0)
            #expect(batch.messages.count == 9 && batch.isLast)
        }
    }

    @Test(arguments: [true, false]) func whatFollowersNeedStays(isFile: Bool) async throws {
        try await withStore { store in
            try await post(store, 0..<2)
            let start = try await store.latestChange()
            if isFile {
                try await store.setWordSnapshot(SnapshotRecord(name: "words", cursor: start))
            } else {
                #expect(try await store.beginMentions() == start)
            }
            try await post(store, 2..<4)
            for day in [20, 40] { _ = try await trim(store, day: day, followsMentions: true) }
            #expect(try await store.changes(after: start, limit: 9).changes.count == 2)

            try await store.setWordSnapshot(nil)
            _ = try await trim(store, day: 60)
            await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: start, limit: 9) }
        }
    }
}
