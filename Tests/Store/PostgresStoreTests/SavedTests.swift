import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Messages that people saved, in PostgreSQL.
@Suite(.hangGuard) struct SavedTests {
    private static let contract: [@Sendable (any SavedContract.SavedStore) async throws -> Void] = [
        SavedContract.savedMessagesBelongToAPerson, SavedContract.onlyReadableMessagesAreSaved,
        SavedContract.savedMessagesFollowTheirMessages, SavedContract.limitedHistoriesCount,
    ]

    @Test(arguments: contract.indices) func keepsTheContract(_ place: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await Self.contract[place](store) }
    }

    private static let reminders: [@Sendable (any SavedContract.ReminderStore) async throws -> Void] = [
        SavedContract.aPersonIsRemindedOnce, SavedContract.remindersFollowRights,
        SavedContract.anybodyIsRemindedOfWhatTheySee,
    ]

    @Test(arguments: reminders.indices) func keepsTheContractOfReminders(_ place: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await Self.reminders[place](store) }
    }

    /// Of two nodes that look at the same moment one reminds.
    @Test func oneOfTwoNodesReminds() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await SavedContract.furnish(first)
                _ = try await first.remind("ada", of: "m2", at: 50)

                async let one = first.remindDue(limit: 9, at: .second(60))
                async let other = second.remindDue(limit: 9, at: .second(60))

                #expect(Set(try await [one, other]) == [0, 1])
                #expect(try await second.told("ada") == ["m2"])
            }
        }
    }

    @Test(arguments: [ErasureSubject.user("ada"), .user("bob"), .conversation("c")])
    func erasureLeavesNoRow(_ subject: ErasureSubject) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await SavedContract.furnish(store)
            _ = try await store.save(.of("c", "m2"), for: "ada", limit: 9, at: .second(10))

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            #expect(try await store.inspect("SELECT COUNT(*)::text FROM saved_messages") == ["0"])
        }
    }

    /// Of two nodes that save the same message at the same moment one stores it.
    @Test func twoNodesSaveAMessageOnce() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await SavedContract.furnish(first)

                async let one = first.save(.of("c", "m1"), for: "ada", limit: 9, at: .second(10)).isNew
                async let other = second.save(.of("c", "m1"), for: "ada", limit: 9, at: .second(10)).isNew

                #expect(Set(try await [one, other]) == [true, false])
                #expect(try await second.saved(by: "ada") == ["m1"])
            }
        }
    }
}
