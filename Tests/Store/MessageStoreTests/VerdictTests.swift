import ChatCore
import MessageStore
import TestSupport
import Testing

/// What people say about messages that later ones replaced, in a data folder.
@Suite struct VerdictTests {
    /// The erased person's verdicts go, and those on messages that they wrote.
    @Test(
        arguments: [
            (.user("ada"), ["bob old new"]), (.user("bob"), ["ada new newest"]), (.user("eve"), ["ada new newest"]),
            (.conversation("c"), []),
        ] as [(ErasureSubject, [String])])
    func erasureLeavesNoRow(subject: ErasureSubject, rest: [String]) async throws {
        try await DataFolder.with { _, store in
            try await VerdictRowsContract.fill(store)

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            #expect(try await store.inspect(VerdictRowsContract.rows) == rest)
            #expect(try await store.checkIntegrity().isSound)
        }
    }

    /// What people say about messages that a reader does not see takes no room from what the reader sees.
    @Test func verdictsThatAreNotSeenHideNone() async throws {
        try await DataFolder.with { _, store in
            for roster in [ConversationRoster.of("c", ["ada", "bob", "cat"]), .of("h", ["ada", "bob"])] {
                _ = try await store.create(roster, by: "ada", source: "api", at: .second(0))
            }
            let hidden = (0..<70).map { Message.short("h", MessageID(rawValue: "h\($0)"), by: "ada", "x", at: 10 + $0) }
            _ = try await store.post(
                [.short("c", "old", by: "ada", "x", at: 1), .short("c", "new", by: "ada", "y", at: 2)] + hidden,
                source: "api", at: .second(100))
            func say(_ user: UserID, _ newer: MessageKey, at second: Int) async throws {
                try await store.setVerdict(
                    .replaced, on: .init(older: .of("c", "old"), newer: newer), by: user, at: .second(second))
            }
            try await say("cat", .of("c", "new"), at: 101)
            for number in 0..<64 { try await say("ada", .of("h", MessageID(rawValue: "h\(number)")), at: 110 + number) }
            for number in 0..<9 { try await say("bob", .of("h", MessageID(rawValue: "h\(number)")), at: 200 + number) }
            await #expect(throws: RepositoryError.self) { try await say("ada", .of("h", "h69"), at: 300) }

            let seen = try await store.verdicts(
                on: [.of("c", "old")], in: SearchScope(asker: "cat", conversations: .all), at: .second(400))

            #expect(seen.map(\.userID) == ["cat"])
        }
    }

    @Test func aDeletedMessageLeavesNoRow() async throws {
        try await DataFolder.with { _, store in
            try await VerdictRowsContract.fill(store)

            try await store.delete(.of("c", "new"), at: .second(30))

            #expect(try await store.inspect("SELECT COUNT(*) FROM replacement_verdicts") == ["0"])
        }
    }
}
