import ChatCore
import MessageStore
import PostgresTestSupport
import TestSupport
import Testing

/// Messages that people wrote to be sent later, in PostgreSQL.
@Suite(.hangGuard) struct ScheduledTests {
    private static let contract: [@Sendable (any ScheduledContract.ScheduledStore) async throws -> Void] = [
        ScheduledContract.scheduledMessagesBelongToTheirAuthor, ScheduledContract.aMessageIsSentOnce,
        ScheduledContract.aMessageIsSentNow, ScheduledContract.aRefusedMessageStays,
        ScheduledContract.onlyTheAuthorIsTold,
    ]

    @Test(arguments: contract.indices) func keepsTheContract(_ place: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await Self.contract[place](store) }
    }

    @Test(arguments: [ErasureSubject.user("ada"), .conversation("c")])
    func erasureLeavesNoRow(_ subject: ErasureSubject) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await ScheduledContract.furnish(store)
            _ = try await store.schedule(.of("s1", in: "c", at: 100), limit: 9, at: .second(10))

            _ = try await store.erase(subject, at: .second(600))
            #expect(try await store.finishErasing(subject, at: .second(1_000)))

            #expect(try await store.inspect("SELECT COUNT(*)::text FROM scheduled_messages") == ["0"])
        }
    }

    /// Of two nodes that send at the same moment one posts each message.
    @Test func twoNodesSendOnce() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await ScheduledContract.furnish(first)
                for number in 1...10 {
                    _ = try await first.schedule(
                        .of(MessageID(rawValue: "s\(number)"), in: "c", "text \(number)", at: 100), limit: 99,
                        at: .second(10))
                }
                @Sendable func sendAll(_ node: SQLStore) async throws -> Int {
                    var count = 0
                    while let result = try await node.sendNextScheduled(lateLimit: .seconds(60), at: .second(101)) {
                        count += result == .sent ? 1 : 0
                    }
                    return count
                }
                async let one = sendAll(first)
                async let other = sendAll(second)

                #expect(try await one + other == 10)
                #expect(try await second.texts(in: "c").count == 11)
                #expect(try await first.scheduledMessages(of: "ada").isEmpty)
            }
        }
    }
}
