import ChatCore
import Retrieval
import TestSupport
import Testing

@Suite struct TimeZoneTests {
    /// 2025-06-30 15:06 UTC is a day in July in Auckland.
    @Test func aConversationInAnotherZoneIsFoundByItsOwnDays() async throws {
        let fixture = SearchFixture()
        try await fixture.open("harbor", members: ["ada"])
        try await fixture.add(.sample("harbor", "m", by: "ada", "the mast broke", at: 15 * 86_400))
        let words = RetrievalSettings.with { $0.dense.isOn = false }
        #expect(try await fixture.search("June", settings: words).ids == ["m"])
        #expect(try await fixture.search("July", settings: words).ids == [])

        var roster = ConversationRoster.sample("harbor", members: ["ada"])
        roster.conversation.timeZone = "Pacific/Auckland"
        _ = try await fixture.store.store([roster], source: "test", mode: .importing, at: fixture.clock.now())

        #expect(try await fixture.search("June", settings: words).ids == [])
        #expect(try await fixture.search("July", settings: words).ids == ["m"])
    }
}
