import ChatCore
import Foundation
import MessageStore
import TestSupport
import Testing

/// What an asker may see is remembered between calls; every way to change it is seen by the next call.
@Suite struct RosterMemoryTests {
    private static let all = SearchScope(asker: "bob", conversations: .all)

    private func seen(_ store: SQLStore, at second: Int = 9) async throws -> [String] {
        try await store.permitted(Self.all, at: .second(second)).map { "\($0.id) \($0.displayName)" }
    }

    private func people(_ store: SQLStore) async throws -> [String] {
        try await store.people(in: Self.all, at: .second(9)).map { "\($0.userID) \($0.names)" }
    }

    @Test func whatChangesMembershipsIsSeenByTheNextCall() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            #expect(try await seen(store) == [])
            #expect(try await people(store) == [])

            try await store.setMember(
                Member(userID: "bob", displayName: "Bob", joinedAt: .second(1)), in: "c", source: "api", at: .second(1))
            #expect(try await seen(store).count == 1)
            #expect(try await people(store) == ["ada [\"Name of ada\"]", "bob [\"Bob\"]"])

            try await store.setMember(
                Member(userID: "bob", displayName: "Robert", joinedAt: .second(1)), in: "c", source: "api",
                at: .second(2))
            #expect(try await people(store).last == "bob [\"Robert\"]")

            try await store.removeMember("bob", from: "c", at: .second(3))
            #expect(try await seen(store) == [])
            #expect(try await people(store) == [])
        }
    }

    @Test func aConversationThatComesOrIsRenamedIsSeenByTheNextCall() async throws {
        try await DataFolder.with { _, store in
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.name = "Dock"
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(0))
            #expect(try await seen(store) == ["c Dock"])

            roster.conversation.name = "Pier"
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(1))
            #expect(try await seen(store) == ["c Pier"])

            _ = try await store.store([.of("d", ["bob"])], source: "api", mode: .posting, at: .second(2))
            #expect(try await seen(store).count == 2)
        }
    }

    @Test func aMembershipThatEndsLaterEndsThen() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.removeMember("bob", from: "c", at: .second(5))

            #expect(try await seen(store, at: 4).count == 1)
            #expect(try await seen(store, at: 5).count == 0)
            #expect(try await seen(store, at: 4).count == 1)
        }
    }

    @Test func aWriteThatFailsLeavesItAsItWas() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            let before = try await seen(store)
            await #expect(throws: RepositoryError.self) {
                _ = try await store.store(
                    [.of("d", ["bob"]), .of("c", ["eve"])], source: "api", mode: .posting, at: .second(1))
            }
            #expect(try await seen(store) == before)
        }
    }

    @Test func listsOfForeignIdsLeaveNothingBehind() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["bob"]), .of("x", ["eve"])], source: "api", mode: .posting, at: .second(0))
            for number in 0..<300 {
                let foreign = ConversationID(rawValue: "foreign \(number)")
                for ids: Set<ConversationID> in [[foreign], ["x", foreign], ["c", "x", foreign], []] {
                    let scope = SearchScope(asker: "bob", conversations: .only(ids))
                    let seen = try await store.permitted(scope, at: .second(1)).map(\.id)
                    #expect(seen == (ids.contains("c") ? ["c"] : []))
                    _ = try await store.people(in: scope, at: .second(1))
                }
            }

            #expect(store.rememberedScopes.count == 1)
            #expect(store.rememberedScopes.byteCount < 2_000)
        }
    }

    @Test func whatIsRememberedIsBoundedInBytes() {
        let memory = RosterMemory(byteLimit: 100_000)
        for number in 0..<500 {
            let ids = (0..<20).map { ConversationID(rawValue: "conversation \($0) \(number)") }
            let permitted = ids.enumerated().map { place, id in
                PermittedConversation(
                    id: id, number: ConversationNumber(rawValue: Int64(place)),
                    displayName: String(repeating: "n", count: 200), timeZone: nil, isMember: true)
            }
            let scope = SearchScope(asker: "ada", conversations: .only(Set(ids)))
            let roster = RosterMemory.Roster(permitted: permitted, people: nil, moment: .second(0))
            memory.keep(roster, of: scope, version: 0)
            #expect(memory.kept.byteCount <= 100_000)
            #expect(memory.known(scope, at: .second(1)).roster != nil)
        }

        #expect(memory.kept.count > 1)
    }

    @Test func aStoreThatIsClosedAnswersNothing() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store([.of("c", ["bob"])], source: "api", mode: .posting, at: .second(0))
            #expect(try await seen(store).count == 1)
            await store.close()
            await #expect(throws: RepositoryError.self) { try await seen(store) }
            await #expect(throws: RepositoryError.self) { try await store.latestChange() }
        }
    }
}
