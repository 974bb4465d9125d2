import ChatCore
import MessageStore
import TestSupport
import Testing

/// What a search does not need of a message is not read.
@Suite struct CandidateColumnTests {
    @Test func candidatesAndTheQueueAreReadWithoutReactionsAndExtra() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let generation = try await store.beginGeneration(
                .tiny(), baseURL: nil, refilling: false, at: .second(0)
            ).number
            _ = try await store.accept(
                [.complete("c", "1", by: "ada")], source: "api", mode: .posting, at: .second(0))
            let number = try await store.indexedMessages(after: .init(rawValue: 0), limit: 1).map(\.number)
            _ = try await store.inspect("UPDATE messages SET reactions = 'no JSON', extra = 'no JSON' RETURNING number")

            let scope = SearchScope(asker: "ada", conversations: .all)
            let found = try await store.visible(number, passagesOf: nil, in: scope, at: .second(1))
            let claimed = try await store.claim(9, for: generation, until: .second(60), at: .second(1))

            #expect(found.map(\.message.searchableText) == ["Grüße 👋 from the pier [berth plan]"])
            #expect(claimed.map(\.searchableText) == ["Grüße 👋 from the pier [berth plan]"])
            // The column is really damaged: a page of the conversation needs it.
            await #expect(throws: (any Error).self) {
                _ = try await store.page(of: "c", asker: "ada", before: nil, limit: 1, at: .second(1))
            }
        }
    }
}
