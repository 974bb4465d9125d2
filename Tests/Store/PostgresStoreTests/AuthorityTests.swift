import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Requests whose rights end while they are under way, in PostgreSQL.
@Suite(.hangGuard) struct AuthorityTests {
    @Test func erasedPeopleComeBackByNewRequestsOnly() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuthorityContract.erasedPeopleComeBackByNewRequestsOnly(store) { user, first, second in
                _ = try await store.erase(.user(user), at: first)
                while try await !store.finishErasing(.user(user), at: second) {}
            }
        }
    }

    @Test func theEndOfAnErasureTakesWhatCameMeanwhile() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuthorityContract.theEndOfAnErasureTakesWhatCameMeanwhile(store) {
                _ = try await store.erase(.user("ben"), at: .second(50))
            } finish: {
                while try await !store.finishErasing(.user("ben"), at: .second(60)) {
                    _ = try await store.erase(.user("ben"), at: .second(59))
                }
            }
        }
    }

    @Test func sessionsAccountsAndKeysEnd() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuthorityContract.sessionsAccountsAndKeysEnd(store)
        }
    }

    @Test func othersAreStored() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await AuthorityContract.othersAreStored(store) { user, first, second in
                _ = try await store.erase(.user(user), at: first)
                while try await !store.finishErasing(.user(user), at: second) {}
            }
        }
    }
}
