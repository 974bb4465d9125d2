import ChatCore
import MessageStore
import TestSupport
import Testing

/// Messages that people saved, in a data folder.
@Suite struct SavedTests {
    @Test func savedMessagesBelongToAPerson() async throws {
        try await DataFolder.with { _, store in try await SavedContract.savedMessagesBelongToAPerson(store) }
    }

    @Test func onlyReadableMessagesAreSaved() async throws {
        try await DataFolder.with { _, store in try await SavedContract.onlyReadableMessagesAreSaved(store) }
    }

    @Test func savedMessagesFollowTheirMessages() async throws {
        try await DataFolder.with { _, store in try await SavedContract.savedMessagesFollowTheirMessages(store) }
    }

    @Test func limitedHistoriesCount() async throws {
        try await DataFolder.with { _, store in try await SavedContract.limitedHistoriesCount(store) }
    }

    @Test func aPersonIsRemindedOnce() async throws {
        try await DataFolder.with { _, store in try await SavedContract.aPersonIsRemindedOnce(store) }
    }

    @Test func remindersFollowRights() async throws {
        try await DataFolder.with { _, store in try await SavedContract.remindersFollowRights(store) }
    }

    @Test func anybodyIsRemindedOfWhatTheySee() async throws {
        try await DataFolder.with { _, store in try await SavedContract.anybodyIsRemindedOfWhatTheySee(store) }
    }

    /// The times of others tell nothing: a reminder is in the feed of its person alone.
    @Test func aReminderIsInTheFeedOfItsPerson() async throws {
        try await DataFolder.with { _, store in
            try await SavedContract.furnish(store)
            _ = try await store.remind("ada", of: "m2", at: 50)
            let start = try await store.latestChange()

            #expect(try await store.remindDue(limit: 9, at: .second(50)) == 1)

            let own = try await store.feed(of: "ada", in: FeedRange(after: start), limit: 99, at: .second(51))
            #expect(own.changes.count == 1)
            guard case .notification(let entry) = own.changes.first else {
                Issue.record("no notification")
                return
            }
            #expect(entry.notification.kind == .reminder && entry.notification.text == "saved text 2")
            let others = try await store.feed(of: "bob", in: FeedRange(after: start), limit: 99, at: .second(51))
            #expect(others.changes.isEmpty)
        }
    }

    @Test func aDeletedMessageLeavesNoRow() async throws {
        try await DataFolder.with { _, store in
            try await SavedContract.furnish(store)
            _ = try await store.save(.of("c", "m1"), for: "ada", limit: 9, at: .second(10))
            try await store.delete(.of("c", "m1"), at: .second(11))

            #expect(try await store.inspect("SELECT COUNT(*) FROM saved_messages") == ["0"])
        }
    }

    /// The erased person leaves no row, nor do messages that others saved of them or of an erased conversation.
    @Test(
        arguments: [
            (.user("ada"), ["bob m2"]), (.user("bob"), ["ada m1"]), (.conversation("c"), ["ada m1"]),
        ] as [(ErasureSubject, [String])])
    func erasureLeavesNoRow(subject: ErasureSubject, rest: [String]) async throws {
        try await DataFolder.with { _, store in
            try await SavedContract.furnish(store)
            for user in ["ada", "bob"] as [UserID] {
                _ = try await store.save(.of("c", "m2"), for: user, limit: 9, at: .second(10))
            }
            _ = try await store.save(.of("d", "m1"), for: "ada", limit: 9, at: .second(10))

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            let rows = try await store.inspect(
                """
                SELECT s.user_id || ' ' || m.id FROM saved_messages s JOIN messages m ON m.number = s.message
                ORDER BY s.number
                """)
            #expect(rows == rest)
            #expect(
                try await store.inspect("SELECT COUNT(*) FROM saved_messages") == ["\(rest.count)"])
            #expect(try await store.checkIntegrity().isSound)
        }
    }
}
