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

    @Test func aDeletedMessageLeavesNoRow() async throws {
        try await DataFolder.with { _, store in
            try await VerdictRowsContract.fill(store)

            try await store.delete(.of("c", "new"), at: .second(30))

            #expect(try await store.inspect("SELECT COUNT(*) FROM replacement_verdicts") == ["0"])
        }
    }
}
