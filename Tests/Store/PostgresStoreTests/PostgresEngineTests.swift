import ChatCore
import Foundation
import MessageStore
import PostgresStore
import PostgresTestSupport
import SQLiteStore
import TestSupport
import Testing

@Suite(.hangGuard) struct PostgresEngineTests {
    @Test func theLogHasNoGapsWhereWritesFailed() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("known", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        // The second conversation exists already, with other members: every other write is undone.
                        var rosters = [ConversationRoster.of(ConversationID(rawValue: "c\(number)"), ["ada"])]
                        if number.isMultiple(of: 2) { rosters.append(.of("known", ["ada", "bob"])) }
                        let stored = try? await store.store(rosters, source: "api", mode: .posting, at: .second(1))
                        return stored != nil
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }

            #expect(outcomes.count { $0 } == 30)
            let scope = SearchScope(asker: "ada", conversations: .all)
            #expect(try await store.permitted(scope, at: .second(2)).count == 31)
            let epoch = try await store.latestChange().epoch
            let start = ChangeCursor(epoch: epoch, positions: [ChangeNumber(rawValue: 0)])
            let numbers = try await store.changes(after: start, limit: 1_000).changes.map(\.number.rawValue)
            #expect(numbers == Array(1...Int64(numbers.count)))
            #expect(try await store.latestChange().positions.first?.rawValue == numbers.last)
        }
    }

    /// Writes that wait at the same time share a transaction, and the answers to their statements come later.
    @Test func aRowThatTheDatabaseRefusesFailsOnlyItsOwnWrite() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.inspect("ALTER TABLE messages ADD CONSTRAINT refused CHECK (text <> 'refused')")
            let stored = await withTaskGroup(of: String?.self) { group in
                for number in 0..<90 {
                    group.addTask {
                        let id = "m\(number)"
                        let text = number.isMultiple(of: 3) ? "refused" : "kept"
                        let message = Message.short("c", MessageID(rawValue: id), text, localID: id)
                        let posted = try? await store.post([message], source: "api", at: .second(1))
                        return posted?.first?.outcome == .inserted ? id : nil
                    }
                }
                return await group.reduce(into: Set<String>()) { stored, id in id.map { _ = stored.insert($0) } }
            }

            #expect(stored == Set((0..<90).filter { !$0.isMultiple(of: 3) }.map { "m\($0)" }))
            #expect(Set(try await store.inspect("SELECT id FROM messages")) == stored)
            let seqs = try await store.inspect("SELECT seq FROM messages ORDER BY number")
            #expect(seqs == (1...60).map(String.init))
            let changes = try await store.inspect("SELECT number FROM changes ORDER BY number")
            #expect(changes == (1...changes.count).map(String.init))
            let arrivals = try await store.inspect(
                "SELECT m.arrival FROM messages m JOIN changes e ON e.number = m.arrival AND e.message = m.number")
            #expect(arrivals.count == 60)
        }
    }

    /// Large batches are sent by `COPY`, smaller ones by statements that insert several rows.
    @Test(arguments: [46, 300]) func aRefusedRowOfALargeBatchLeavesNothing(count: Int) async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.inspect("ALTER TABLE messages ADD CONSTRAINT refused CHECK (text <> 'refused')")
            let texts = (0..<count).map { $0 == count - 1 ? "refused" : "a\tb\\c\nd \($0)" }
            let messages = texts.enumerated().map { Message.short("c", MessageID(rawValue: "m\($0)"), $1) }

            await #expect(throws: RepositoryError.self) {
                try await store.accept(messages, source: "api", mode: .importing, at: .second(1))
            }
            #expect(try await store.inspect("SELECT id FROM messages") == [])

            let outcomes = try await store.accept(
                messages.dropLast() + messages.prefix(1), source: "api", mode: .importing, at: .second(1))
            #expect(outcomes == Array(repeating: .inserted, count: count - 1) + [.unchanged("m0")])
            #expect(try await store.inspect("SELECT text FROM messages ORDER BY number") == texts.dropLast())
            let changes = try await store.inspect("SELECT number FROM changes ORDER BY number")
            #expect(changes == (1...changes.count).map(String.init))
        }
    }

    @Test func messagesPostedAtTheSameTimeHaveTheirOwnOutcomes() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            let outcomes = try await withThrowingTaskGroup { group in
                for number in 0..<60 {
                    // One of ten is for a conversation that does not exist.
                    let place: ConversationID = number.isMultiple(of: 10) ? "nowhere" : "c"
                    let message = Message.short(
                        place, MessageID(rawValue: "m\(number)"), by: number.isMultiple(of: 2) ? "ada" : "bob",
                        localID: "l\(number)")
                    group.addTask {
                        (number, try await store.post([message, message], source: "api", at: .second(number)))
                    }
                }
                return try await group.reduce(into: [Int: [PostedMessage]]()) { $0[$1.0] = $1.1 }
            }

            var positions: [Int64] = []
            for number in 0..<60 {
                let posted = try #require(outcomes[number])
                if number.isMultiple(of: 10) {
                    #expect(posted.map(\.outcome) == [.noSuchConversation, .noSuchConversation])
                } else {
                    #expect(posted.map(\.outcome) == [.inserted, .unchanged(MessageID(rawValue: "m\(number)"))])
                    #expect(posted[0].seq == posted[1].seq)
                    positions += posted.prefix(1).compactMap(\.seq)
                }
            }
            #expect(positions.sorted() == Array(1...54))
            #expect(try await store.inspect("SELECT head FROM conversations") == ["54"])
            let changes = try await store.inspect("SELECT number FROM changes ORDER BY number")
            #expect(changes == (1...changes.count).map(String.init))
        }
    }

    @Test func nodesFollowEachOther() async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                let start = try await second.latestChange()
                let stores = [first, second]
                try await withThrowingTaskGroup { group in
                    for number in 0..<100 {
                        group.addTask {
                            let roster = ConversationRoster.of(ConversationID(rawValue: "c\(number)"), ["ada"])
                            let store = stores[number % 2]
                            _ = try await store.store([roster], source: "api", mode: .posting, at: .second(1))
                        }
                    }
                    try await group.waitForAll()
                }

                for store in stores {
                    var (cursor, changes) = (start, [Change]())
                    while Set(changes.compactMap(\.conversationID)).count < 100 {
                        try await store.waitForChange(after: cursor)
                        let page = try await store.changes(after: cursor, limit: 7)
                        changes += page.changes
                        cursor = page.end
                    }
                    #expect(changes.map(\.number.rawValue) == Array(1...Int64(changes.count)))
                }
            }
        }
    }

    @Test(arguments: ServiceContract<[NodeServices]>.all)
    func twoNodesKeep(_ contract: ServiceContract<[NodeServices]>) async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await contract.check([first.services, second.services])
            }
        }
    }

    @Test func aOneTimeValueRemovesThoseThatNobodyTook() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let values = store.services.oneTimeValues
            #expect(try await values.keep("old", as: "d", of: nil, until: .second(30), at: .second(1)))
            #expect(try await values.keep("new", as: "e", of: nil, until: .second(90), at: .second(31)))
            let kept = try await store.inspect("SELECT value FROM one_time_values")
            #expect(kept == ["new"])
        }
    }

    /// Sign-ins, which everybody can begin, leave the places of tickets free.
    @Test func oneTimeValuesOfNobodyHaveTheirOwnLimit() async throws {
        let local = LocalOneTimeValues(limit: 1)
        #expect(await local.keep("v", as: "a", of: nil, until: .second(9), at: .second(1)))
        #expect(await !local.keep("v", as: "b", of: nil, until: .second(9), at: .second(1)))
        #expect(await local.keep("v", as: "c", of: "ada", until: .second(9), at: .second(1)))
        #expect(await !local.keep("v", as: "d", of: "ada", until: .second(9), at: .second(1)))
        #expect(await local.keep("v", as: "e", of: nil, until: .second(12), at: .second(9)))

        try await PostgresServer.shared().withStore { store, address in
            let values = store.services.oneTimeValues
            let connection = try LibpqConnection(address)
            try connection.run(
                """
                INSERT INTO one_time_values (digest, value, until)
                SELECT sha256(n::text::bytea), '', 1 + \(Timestamp.second(8).microseconds)
                FROM generate_series(1, 20000) n
                """)
            connection.close()
            #expect(try await !values.keep("v", as: "a", of: nil, until: .second(9), at: .second(1)))
            #expect(try await values.keep("v", as: "b", of: "ada", until: .second(9), at: .second(1)))
            #expect(try await values.keep("v", as: "a", of: nil, until: .second(12), at: .second(9)))
        }
    }

    @Test func aLeaseBelongsToOneNode() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let leases = try store.services.inDatabase
            #expect(try await leases.take("leader", of: "a", for: .seconds(600)))
            #expect(try await !leases.take("leader", of: "b", for: .seconds(600)))
            #expect(try await leases.take("leader", of: "a", for: .seconds(600)))
            #expect(try await leases.take("other", of: "b", for: .seconds(600)))

            // The lease of another node stays; one that has ended is free.
            try await leases.end("leader", of: "b")
            #expect(try await !leases.take("leader", of: "b", for: .seconds(600)))
            #expect(try await leases.take("leader", of: "a", for: .seconds(-1)))
            #expect(try await leases.take("leader", of: "b", for: .seconds(600)))
        }
    }

    /// A renewal may be under way while its node gives the lease back.
    @Test func aLateRenewalTakesNoLease() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let leases = try store.services.inDatabase
            #expect(try await leases.take("leader", of: "a", for: .seconds(600)))
            #expect(try await leases.renew("leader", of: "a", for: .seconds(600)))
            #expect(try await !leases.renew("leader", of: "b", for: .seconds(600)))

            try await leases.end("leader", of: "a")

            #expect(try await !leases.renew("leader", of: "a", for: .seconds(600)))
            #expect(try await leases.take("leader", of: "b", for: .seconds(600)))
        }
    }

    @Test func aDatabaseIsMadeByOneOfManyNodes() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let stores = try await withThrowingTaskGroup { group in
                for _ in 0..<6 {
                    group.addTask {
                        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
                        return try await PostgresStore.open(address, folder: folder, readerCount: 1)
                    }
                }
                return try await group.reduce(into: [SQLStore]()) { $0.append($1) }
            }
            #expect(Set(try await stores[0].inspect("SELECT epoch FROM change_log")).count == 1)
            for store in stores {
                await store.close()
                try FileManager.default.removeItem(at: store.folder)
            }
        }
    }

    @Test func lostConnectionsAreOpenedAgain() async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await PostgresServer.shared().disconnect(address)

            let outcomes = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
            #expect(outcomes == [.inserted])
            let key = MessageKey.of("c", "m")
            let scope = SearchScope(asker: "ada", conversations: .all)
            for _ in 0..<4 {
                let found = try await store.messages([key], in: scope, at: .second(2))
                #expect(found.keys.contains(key))
            }
        }
    }

    @Test func aBackupIsRefused() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let target = store.folder.appending(path: "backup")
            await #expect(throws: BackupError.otherDatabase) {
                try await store.backup(to: target, program: "test", at: .second(0))
            }
            #expect(!FileManager.default.fileExists(atPath: target.path))
        }
    }

    @Test func anUnknownServerIsUnavailable() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        let error = await #expect(throws: StoreOpenError.self) {
            try await PostgresStore.open("host=/nonexistent user=nobody password=secret", folder: folder)
        }
        guard case .cannotConnect(let reason)? = error else {
            Issue.record("another error")
            return
        }
        #expect(reason.contains("/nonexistent"))
        #expect(!reason.contains("secret"))
        try FileManager.default.removeItem(at: folder)
    }

    @Test func aClosedStoreAnswersWithAnError() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            await store.close()

            await #expect(throws: RepositoryError.self) { try await store.latestChange() }
            await #expect(throws: RepositoryError.self) { try await store.checkpoint() }
            await #expect(throws: RepositoryError.self) {
                try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            }
        }
    }

    @Test func aSoundDatabaseIsFoundSoundAndRewritten() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await store.rewrite()

            let report = try await store.checkIntegrity()
            #expect(report.isSound)
            #expect(report.engineVersion.first?.isNumber == true)
        }
    }

    @Test func anIndexThatIsNotValidIsFound() async throws {
        try await PostgresServer.shared().withStore { store, address in
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'members_by_user'::regclass")

            #expect(try await !store.checkIntegrity().isSound)
        }
    }

    @Test(arguments: [
        "INSERT INTO queue (generation, message, state, attempts, is_retry, message_time, queued_at) VALUES (7, 7, 0, 0, 0, 0, 0)",
        "INSERT INTO passages (message, generation, ordinal, range_start, range_end, content_hash) VALUES (7, 7, 0, 0, 1, '')",
        "DELETE FROM members; DELETE FROM conversations",
    ])
    func aRowWithoutItsParentIsFound(statement: String) async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.accept([.short("c", "m")], source: "api", mode: .posting, at: .second(1))
            #expect(try await store.checkIntegrity().isSound)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(statement)

            #expect(try await !store.checkIntegrity().isSound)
        }
    }
}

extension NodeServices {
    /// The leases as the database has them.
    var inDatabase: PostgresLeases {
        get throws { try #require(leases as? PostgresLeases) }
    }
}
