import ChatCore
import MessageStore
import TestSupport
import Testing

/// Ids that `String` calls equal, and the database does not: "é" as one scalar and as two.
@Suite struct LookalikeTests {
    private static let composed: UserID = "ren\u{E9}"
    private static let decomposed: UserID = "rene\u{301}"

    @Test func authorsThatOnlyLookAlikeStayTwoPeople() async throws {
        try await DataFolder.with { _, store in
            let now = ManualNow().now
            _ = try await store.store(
                [.sample("a", members: [Self.composed]), .sample("b", members: [Self.decomposed])], source: "test",
                mode: .importing, at: now())
            let outcomes = try await store.accept(
                [
                    .sample("a", "m1", by: Self.composed, "one", at: 1),
                    .sample("a", "m2", by: Self.decomposed, "two", at: 2),
                ], source: "test", mode: .importing, at: now())

            #expect(outcomes == [.inserted, .inserted])
            let page = try await store.page(of: "a", asker: Self.composed, before: nil, limit: 10, at: now())
            #expect(page.map(\.senderID) == [Self.decomposed, Self.composed])
            let seen = try await store.permitted(SearchScope(asker: Self.decomposed, conversations: .all), at: now())
            #expect(seen.map(\.id) == ["b"])
            await #expect(throws: RepositoryError.noSuchConversation("a")) {
                _ = try await store.page(of: "a", asker: Self.decomposed, before: nil, limit: 10, at: now())
            }
        }
    }
}
