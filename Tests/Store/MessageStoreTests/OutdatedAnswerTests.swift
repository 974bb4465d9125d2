import ChatCore
import MessageStore
import TestSupport
import Testing

/// Answers that became wrong, in a data folder.
@Suite struct OutdatedAnswerTests {
    @Test func theAskersFeedTellsOfItOnce() async throws {
        try await DataFolder.with { _, store in try await OutdatedFeedContract.theAskersFeedTellsOfItOnce(store) }
    }

    @Test func postedAnswersAreMarkedForThoseWhoReadTheMessage() async throws {
        try await DataFolder.with { _, store in
            try await OutdatedFeedContract.postedAnswersAreMarkedForThoseWhoReadTheMessage(store)
        }
    }

    /// The asker, the writers of both messages, and their conversation.
    @Test(arguments: [ErasureSubject.user("ada"), .user("bob"), .user("eve"), .conversation("c")])
    func erasureLeavesNoRow(_ subject: ErasureSubject) async throws {
        try await DataFolder.with { _, store in
            try await OutdatedFeedContract.fillWithMarks(store)
            for table in OutdatedFeedContract.markTables {
                #expect(try await store.inspect("SELECT COUNT(*) FROM \(table)") == ["1"], "\(table)")
            }

            _ = try await store.erase(subject, at: .second(60))

            for table in OutdatedFeedContract.markTables {
                #expect(try await store.inspect("SELECT COUNT(*) FROM \(table)") == ["0"], "\(table)")
            }
            #expect(try await store.checkIntegrity().isSound)
        }
    }
}
