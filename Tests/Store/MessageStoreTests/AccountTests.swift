import ChatCore
import MessageStore
import TestSupport
import Testing

/// Accounts beside the rest of the store.
@Suite struct AccountTests {
    private func fill(_ store: SQLStore) async throws {
        for user in ["ada", "bob"] as [UserID] {
            let link = AccountInvitation(
                userID: user, purpose: .invitation, digest: Array(user.rawValue.utf8), expiresAt: .second(99))
            try await store.invite(Account(userID: user, createdAt: .second(1)), with: link)
            _ = try await store.acceptInvitation(
                link.digest, password: "hash-of-\(user)", name: "the-name-of-\(user)", at: .second(2))
            let session = AccountSession(
                id: AccountSession.ID(rawValue: "s-\(user)"), userID: user, createdAt: .second(3),
                lastUsedAt: .second(3), expiresAt: .second(99), userAgent: "agent-of-\(user)")
            #expect(try await store.openSession(session, digest: [1], password: nil))
        }
    }

    @Test func anErasedPersonLeavesNoAccount() async throws {
        try await DataFolder.with { folder, store in
            try await fill(store)

            _ = try await ErasureTests().erase(.user("bob"), in: store)

            #expect(try await store.accounts().map(\.userID) == ["ada"])
            #expect(try await store.session("s-bob", at: .second(4)) == nil)
            #expect(try await store.session("s-ada", at: .second(4))?.account.name == "the-name-of-ada")
            for word in ["hash-of-bob", "the-name-of-bob", "agent-of-bob"] { #expect(try !folder.holds(word)) }
        }
    }

    @Test func anAccountSaysWhetherItHasAPassword() async throws {
        try await DataFolder.with { _, store in
            try await fill(store)
            let other = Account(userID: "carol", createdAt: .second(1))
            #expect(try await store.acceptAccount(other, at: .second(2)).hasPassword == false)

            #expect(try await store.accounts().map(\.hasPassword) == [true, true, false])
            #expect(try await store.session("s-ada", at: .second(4))?.account.hasPassword == true)
            let change = try await store.setPassword("hash", of: "ada", insteadOf: "hash-of-ada", keeping: nil)
            #expect(change?.account.hasPassword == true)
        }
    }

    @Test func thePeopleInConversationsAreListed() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob"]), .of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            #expect(try await store.presentPeople(only: nil, limit: 9).map(\.id) == ["ada", "bob"])
            #expect(try await store.presentPeople(only: "bob", limit: 9).map(\.id) == ["bob"])
            #expect(try await store.presentPeople(only: nil, limit: 1).map(\.id) == ["ada"])
        }
    }

    @Test func theKeyIsMadeOnce() async throws {
        try await DataFolder.with { _, store in
            let made = try await store.tokenKey(orStoring: [1, 2])
            let again = try await store.tokenKey(orStoring: [3])

            #expect(made == [1, 2])
            #expect(again == [1, 2])
        }
    }
}
