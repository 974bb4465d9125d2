import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Profiles of people, in PostgreSQL.
@Suite(.hangGuard) struct ProfileTests {
    private static let contract: [@Sendable (any ProfileContract.ProfileStore) async throws -> Void] = [
        ProfileContract.partsChangeAlone, ProfileContract.guestsSeeWhomTheyMeet,
        ProfileContract.groupsAreSeenByTheirMembers,
    ]

    @Test(arguments: contract.indices) func keepsTheContract(_ place: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await Self.contract[place](store) }
    }

    @Test func erasureLeavesNoRow() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await ProfileContract.furnish(store)

            _ = try await store.erase(.user("ada"), at: .second(600))
            #expect(try await store.finishErasing(.user("ada"), at: .second(1_000)))

            #expect(try await store.inspect("SELECT user_id FROM profiles ORDER BY user_id") == ["bob", "eve"])
        }
    }
}
