import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Reads of a page cost as many round trips as those of one message.
@Suite struct GatheredReadsTests {
    private func fill(_ store: SQLStore, _ count: Int) async throws {
        _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
        let messages = (0..<count).map { number in
            var message = Message.short("c", MessageID(rawValue: "m\(number)"), by: "bob", at: number)
            if number > 0 { message.replyToID = "m0" }
            return message
        }
        _ = try await store.post(messages, source: "api", at: .second(60))
    }

    private func cost(_ store: SQLStore, _ body: () async throws -> Void) async throws -> Int {
        let traffic = try #require(store.traffic)
        let start = traffic.count
        try await body()
        return (traffic.count - start).roundTrips
    }

    @Test func theNumberOfMessagesDoesNotCount() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await fill(store, 60)
            let keys = (0..<60).map { MessageKey.of("c", MessageID(rawValue: "m\($0)")) }

            for count in [1, 60] {
                let cost = try await cost(store) {
                    let details = try await store.details(of: Array(keys.prefix(count)), for: "ada", at: .second(70))
                    #expect(details.count == count)
                    #expect(details[keys[0]]?.position.replies?.count == 59)
                    #expect(details[keys[0]]?.position.seq == 1)
                }
                #expect(cost == 1)
            }
            let cost = try await cost(store) {
                let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 50, at: .second(70))
                #expect(page.map(\.key) == keys.suffix(50).reversed())
            }
            #expect(cost == 1)
        }
    }

    @Test func theNumberOfItemsInTheQueueDoesNotCount() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let generation = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: true, at: .second(0))
                .number
            try await fill(store, 61)
            var costs: [[Int]] = []
            for count in [1, 60] {
                var items: [WorkItem] = []
                let costOfClaim = try await cost(store) {
                    items = try await store.claim(count, for: generation, until: .second(90), at: .second(70))
                }
                #expect(items.count == count)
                let costOfRenewal = try await cost(store) { try await store.renew(items, until: .second(95)) }
                let costOfHashes = try await cost(store) {
                    let hashes = Set((0..<count).map { [UInt8](repeating: UInt8($0), count: 32) })
                    _ = try await store.vectors(ofContents: hashes, in: generation)
                }
                let costOfCommit = try await cost(store) {
                    // What is given twice is stored once.
                    let embedded = (items + items.prefix(1)).map { EmbeddedMessage.of($0) }
                    let stored = try await store.commit(embedded, at: .second(71))
                    #expect(stored == count)
                }
                costs.append([costOfClaim, costOfRenewal, costOfHashes, costOfCommit])
            }
            #expect(costs[0] == costs[1])
            #expect(costs[0].allSatisfy { $0 <= 5 }, "\(costs[0])")
            #expect(try await store.pendingCount(of: generation) == 0)
        }
    }

    @Test func readersAtDifferentPlacesGetWhatEachGetsAlone() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await FeedContract.readersAtDifferentPlacesGetWhatEachGetsAlone(store)
        }
    }

    /// Texts with different bytes can be equal in Swift.
    @Test func textsThatOnlyLookAlikeAreDifferentQuestions() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let (composed, decomposed): (MessageID, MessageID) = ("caf\u{E9}", "cafe\u{301}")
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.post(
                [.short("c", composed, "one"), .short("c", decomposed, "two")], source: "api", at: .second(1))

            for (id, text) in [(composed, "one"), (decomposed, "two")] {
                let found = try await store.surroundings(
                    of: .of("c", id), asker: "ada", earlier: 0, later: 0, at: .second(2))
                #expect(found.message?.text == text)
            }
        }
    }

    /// What a transaction writes it reads again.
    @Test func anEditReadsWhatItWrote() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await fill(store, 3)
            // The first mention of a conversation makes the names of its members.
            _ = try await store.edit(.of("c", "m2"), text: "@Name of ada wait", at: .second(60))

            let cost = try await cost(store) {
                _ = try await store.edit(.of("c", "m1"), text: "@Name of ada look", at: .second(61))
            }

            #expect(try await store.memberMentions(of: [.of("c", "m1")]).values.joined().map(\.userID) == ["ada"])
            let told = try await store.notifications(of: "ada", limit: 9, at: .second(62))
            #expect(told.map(\.kind) == [.mention, .mention])
            #expect(cost <= 8)
        }
    }

    @Test(
        arguments: [
            ("INSERT INTO changes (kind) VALUES (?)", "changes"), ("UPDATE members SET role = ?", "members"),
            ("DELETE FROM addressed WHERE message = ?", "addressed"), ("DELETE FROM messages WHERE number = ?", nil),
            ("WITH RECURSIVE s(n) AS (SELECT 1) UPDATE turns SET answer = ''", "turns"), ("SELECT 1", nil),
            ("INSERT INTO files (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET name = excluded.name", "files"),
        ] as [(String, String?)])
    func aStatementNamesTheTableThatItChanges(sql: String, table: String?) {
        #expect(PostgresText(sql).changedTable == table)
    }

    /// A body that may run several times must not write: reading ahead ends there, and what needs its value fails.
    @Test func aBodyThatReadsTogetherDoesNotWrite() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await fill(store, 3)
            let deletion = "UPDATE messages SET deleted_at = 1"

            let count = try await store.engine.write("test") { db in
                try db.ahead({
                    _ = try db.row("SELECT 1")
                    try db.run(deletion)
                })
                return try db.number("SELECT COUNT(*) FROM messages WHERE deleted_at IS NULL")
            }

            #expect(count == 3)
            await #expect(throws: RepositoryError.self) {
                try await store.engine.write("test") { db in
                    _ = try db.together([1, 2]) { _ in try db.run(deletion) }
                }
            }
            let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 9, at: .second(61))
            #expect(page.count == 3)
        }
    }

    /// Deleting a row of these tables changes rows of others.
    @Test func tablesThatOthersReferToAreKnown() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let tables = try await store.inspect(
                """
                SELECT DISTINCT confrelid::regclass::text FROM pg_constraint
                WHERE contype = 'f' AND confdeltype IN ('c', 'n', 'd')
                """)
            #expect(Set(tables).isSubset(of: PostgresText.referred))
            #expect(!tables.isEmpty)
        }
    }
}
