package import ChatCore

extension InMemoryStore {
    /// Returns what a user's questions took on a day.
    package func usedTokens(of user: UserID, on day: Int) async throws -> Int {
        try read { state in state.userTokens[day]?[user] ?? 0 }
    }

    /// Adds to what users' questions took on a day, and forgets what is old.
    package func addUsedTokens(_ counts: [UserID: Int], on day: Int) async throws {
        try write { state in
            state.userTokens[day, default: [:]].merge(counts) { $0.addingClamped($1) }
            state.userTokens = state.userTokens.filter { $0.key >= day - 30 }
        }
    }
}
