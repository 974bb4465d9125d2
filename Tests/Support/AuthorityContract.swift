package import ChatCore

/// Requests whose rights end while they are under way, in a store that can erase.
package enum AuthorityContract {
    package typealias AuthorityStore = Store & LiveChatRepository & ProfileRepository & AccountRepository
        & APIKeyRepository

    /// Erases a user as an operator does: the first and the second call, each at a time.
    package typealias Erasure = @Sendable (_ user: UserID, _ first: Timestamp, _ second: Timestamp) async throws -> Void

    /// What a request of Ben's writes, each thing alone.
    private static func writes(
        _ store: any AuthorityStore, _ place: String
    ) -> [(name: String, write: @Sendable () async throws -> Void)] {
        [
            ("profile", { _ = try await store.changeProfile(of: "ben") { $0.title = "Pilot \(place)" } }),
            ("picture", { _ = try await store.setPicture(ProfileContract.picture(of: "ben"), of: "ben") }),
            (
                "conversation",
                {
                    _ = try await store.create(
                        .of(ConversationID(rawValue: "made-\(place)"), ["ben", "ada"]), by: "ben", source: "api",
                        at: .second(90))
                }
            ),
            (
                "message",
                {
                    _ = try await store.post(
                        [.short("c", MessageID(rawValue: "late-\(place)"), by: "ben", "late")], source: "api",
                        at: .second(90))
                }
            ),
        ]
    }

    /// Returns the names of the writes that a request may do.
    private static func written(
        _ store: any AuthorityStore, as authority: RequestAuthority, _ place: String
    ) async throws -> [String] {
        var names: [String] = []
        for (name, write) in writes(store, place) where try await isAllowed(as: authority, write) {
            names.append(name)
        }
        return names
    }

    private static let all = ["profile", "picture", "conversation", "message"]

    private static func isAllowed(
        as authority: RequestAuthority, _ write: @escaping @Sendable () async throws -> Void
    ) async throws -> Bool {
        do {
            try await RequestAuthority.$current.withValue(authority) { try await write() }
            return true
        } catch RepositoryError.rightsEnded {
            return false
        }
    }

    private static func named(_ user: UserID, since second: Int) -> RequestAuthority {
        let authority = RequestAuthority(since: .second(second))
        authority.write(for: user)
        return authority
    }

    /// A request in the name of an erased person writes nothing, if it began before the end of the erasure.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func erasedPeopleComeBackByNewRequestsOnly(
        _ store: any AuthorityStore, erase: Erasure
    ) async throws {
        _ = try await store.create(.of("c", ["ada", "ben"]), by: "ada", source: "api", at: .second(0))
        try await erase("ben", .second(50), .second(60))

        try demand(try await written(store, as: named("ben", since: 49), "early"), [])
        try demand(try await written(store, as: named("ben", since: 59), "early"), [])
        try demand(try await written(store, as: RequestAuthority(since: .second(49), person: "ben"), "early"), [])
        try demand(try await store.profiles(of: ["ben"], asker: "ben", at: .second(99)), [])
        try await demandFailure(.noSuchConversation("made-early")) { _ = try await store.roster(of: "made-early") }

        // Of another person, of the server, and of a later request.
        try demand(try await written(store, as: named("ada", since: 49), "other"), all)
        try demand(try await written(store, as: RequestAuthority(since: .second(49)), "server"), all)
        try demand(try await written(store, as: named("ben", since: 61), "new"), all)
    }

    /// What a request wrote between the two calls of an erasure goes with the second.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func theEndOfAnErasureTakesWhatCameMeanwhile(
        _ store: any AuthorityStore, begin: @Sendable () async throws -> Void,
        finish: @Sendable () async throws -> Void
    ) async throws {
        _ = try await store.create(.of("c", ["ada", "ben"]), by: "ada", source: "api", at: .second(0))
        try await begin()
        try demand(try await written(store, as: named("ben", since: 55), "between"), all)
        try await finish()
        try demand(try await store.profiles(of: ["ben"], asker: "ben", at: .second(99)), [])
        try demand(try await written(store, as: named("ben", since: 55), "after"), [])
    }

    /// A session that ended, an account that was disabled, a key that was revoked.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func sessionsAccountsAndKeysEnd(_ store: any AuthorityStore) async throws {
        _ = try await store.create(.of("c", ["ada", "ben"]), by: "ada", source: "api", at: .second(0))
        let account = try await store.acceptAccount(
            Account(userID: "ben", createdAt: .second(0), acceptedAt: .second(0)), at: .second(0))
        let session = AccountSession(
            id: "s1", userID: account.userID, createdAt: .second(1), lastUsedAt: .second(1),
            expiresAt: .second(10_000), userAgent: nil)
        try demand(try await store.openSession(session, digest: [1, 2, 3], password: nil), true)
        let key = APIKey(id: "k1", role: .ingest, name: nil, createdAt: .second(1))
        try await store.addKey(StoredAPIKey(key: key, digest: [4, 5, 6]))
        let signedIn = RequestAuthority(since: .second(10), person: "ben", session: "s1")
        let byToken = RequestAuthority(since: .second(10), person: "ben")
        let byKey = RequestAuthority(since: .second(10), key: "k1")
        try demand(try await written(store, as: signedIn, "a"), all)
        try demand(try await written(store, as: byToken, "b"), all)
        try demand(try await written(store, as: byKey, "c"), all)

        _ = try await store.revokeKey("k1", at: .second(20))
        try demand(try await written(store, as: byKey, "d"), [])
        try demand(try await store.endSession("s1", of: "ben"), true)
        try demand(try await written(store, as: signedIn, "e"), [])
        try demand(try await written(store, as: byToken, "f"), all)
        _ = try await store.changeAccount("ben", role: nil, isDisabled: true)
        try demand(try await written(store, as: byToken, "g"), [])
    }

    /// Of messages that are posted at the same moment, only those of a person without rights are refused.
    ///
    /// - Throws: ``ContractViolation``; errors of the store.
    package static func othersAreStored(_ store: any AuthorityStore, erase: Erasure) async throws {
        _ = try await store.create(.of("c", ["ada", "ben"]), by: "ada", source: "api", at: .second(0))
        try await erase("ben", .second(50), .second(60))
        let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for number in 0..<24 {
                group.addTask {
                    let user: UserID = number % 3 == 0 ? "ben" : "ada"
                    let id = MessageID(rawValue: "m\(number)")
                    return (
                        number,
                        try await isAllowed(as: named(user, since: 49)) {
                            _ = try await store.post(
                                [.short("c", id, by: user, "text")], source: "api", at: .second(90))
                        }
                    )
                }
            }
            return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
        }
        try demand(Set(outcomes.filter { !$0.value }.keys), Set(stride(from: 0, to: 24, by: 3)))
        let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 99, at: .second(99))
        try demand(page.count, 16)
    }
}
