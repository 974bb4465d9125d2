import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Claims of the embedding queue on PostgreSQL, which lock their items instead of the change log.
@Suite(.hangGuard) struct ClaimTests {
    /// Two nodes on one database with 40 messages that wait for their vectors.
    private func withQueue(_ body: (SQLStore, SQLStore, LibpqConnection, GenerationNumber) async throws -> Void)
        async throws
    {
        try await PostgresServer.shared().withStore { first, address in
            let generation = try await first.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0))
                .number
            _ = try await first.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let messages = (0..<40).map { Message.short("c", MessageID(rawValue: "m\($0)"), "text \($0)", at: $0) }
            _ = try await first.accept(messages, source: "api", mode: .posting, at: .second(0))
            try await PostgresServer.shared().withNode(at: address) { second in
                let connection = try LibpqConnection(address)
                defer { connection.close() }
                try connection.run("SET idle_in_transaction_session_timeout = 0")
                try await body(first, second, connection, generation)
            }
        }
    }

    private func claim(_ limit: Int, _ generation: GenerationNumber, from store: SQLStore, at second: Int = 70)
        async throws -> Set<MessageID>
    {
        let items = try await store.claim(limit, for: generation, until: .second(second + 20), at: .second(second))
        return Set(items.map(\.messageKey.messageID))
    }

    @Test func aClaimWaitsForNobodyWhoWrites() async throws {
        try await withQueue { first, _, connection, generation in
            try connection.run("BEGIN; SELECT head FROM change_lanes WHERE lane = 0 FOR UPDATE")

            #expect(try await claim(9, generation, from: first).count == 9)

            try connection.run("ROLLBACK")
        }
    }

    @Test func nodesThatClaimAtOnceGetEachItemOnce() async throws {
        try await withQueue { first, second, _, generation in
            let claims = try await withThrowingTaskGroup(of: Set<MessageID>.self) { group in
                for number in 0..<20 {
                    group.addTask { try await claim(2, generation, from: number.isMultiple(of: 2) ? first : second) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let rest = try await claim(99, generation, from: first)

            let claimed = claims.flatMap(\.self) + rest
            #expect(claimed.count == 40)
            #expect(Set(claimed).count == 40)
        }
    }

    @Test func anItemThatIsBeingChangedIsLeftToALaterClaim() async throws {
        try await withQueue { first, second, connection, generation in
            try connection.run(
                """
                BEGIN; SELECT 1 FROM queue q JOIN messages m ON m.number = q.message WHERE m.id = 'm7' FOR UPDATE OF q
                """)
            #expect(try await claim(99, generation, from: first).count == 39)
            #expect(try await claim(99, generation, from: second).isEmpty)

            try connection.run("COMMIT")
            #expect(try await claim(99, generation, from: second) == ["m7"])
        }
    }

    /// The lease of an item that another transaction is changing stays as it is until then.
    @Test func endedLeasesAreClaimedAgain() async throws {
        try await withQueue { first, second, connection, generation in
            #expect(try await claim(99, generation, from: first).count == 40)
            #expect(try await claim(99, generation, from: second, at: 80).isEmpty)
            try connection.run(
                """
                BEGIN; SELECT 1 FROM queue q JOIN messages m ON m.number = q.message WHERE m.id = 'm7' FOR UPDATE OF q
                """)
            #expect(try await claim(99, generation, from: second, at: 90).count == 39)

            try connection.run("COMMIT")
            #expect(try await claim(99, generation, from: first, at: 91) == ["m7"])
        }
    }
}
