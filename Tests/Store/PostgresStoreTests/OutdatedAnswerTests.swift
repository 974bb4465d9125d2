import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Answers that became wrong, in PostgreSQL.
@Suite(.hangGuard) struct OutdatedAnswerTests {
    @Test func theAskersFeedTellsOfItOnce() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await OutdatedFeedContract.theAskersFeedTellsOfItOnce(store)
        }
    }

    @Test func postedAnswersAreMarkedForThoseWhoReadTheMessage() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await OutdatedFeedContract.postedAnswersAreMarkedForThoseWhoReadTheMessage(store)
        }
    }

    @Test(arguments: [ErasureSubject.user("ada"), .user("bob"), .user("eve"), .conversation("c")])
    func erasureLeavesNoRow(_ subject: ErasureSubject) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await OutdatedFeedContract.fillWithMarks(store)

            _ = try await store.erase(subject, at: .second(60))

            for table in OutdatedFeedContract.markTables {
                #expect(try await store.inspect("SELECT COUNT(*) FROM \(table)") == ["0"], "\(table)")
            }
        }
    }

    @Test func severalNodesNoteAnAnswerOnce() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await OutdatedFeedContract.fillWithMarks(first)
                _ = try await first.accept(
                    [.short("c", "last", "the start moved to the 9th", at: 40)], source: "api", mode: .posting,
                    at: .second(40))
                let message = try #require(try await first.stored([.of("c", "last")])[.of("c", "last")])
                let answers = [GivenAnswerID.turn("t"), .message(.of("c", "a1"))].map {
                    OutdatedAnswer(id: $0, older: .of("c", "old"))
                }
                let start = try await first.latestChange()

                async let own = first.noteOutdated(answers, by: message, at: .second(41))
                async let others = second.noteOutdated(answers, by: message, at: .second(41))

                #expect(try await own + others == 2)
                let page = try await second.feed(
                    of: "ada", in: FeedRange(after: start), limit: 99, at: .second(50))
                let told = page.changes.filter { if case .outdated = $0 { true } else { false } }
                #expect(told == [.outdated("t", nil, by: .of("c", "last"))])
            }
        }
    }
}
