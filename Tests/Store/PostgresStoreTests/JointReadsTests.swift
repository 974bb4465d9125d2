import ChatCore
import MessageStore
import PostgresStore
import PostgresTestSupport
import Synchronization
import TestSupport
import Testing

/// Reads of rosters and messages that wait at the same time run as one.
@Suite(.hangGuard) struct JointReadsTests {
    private static let people = (0..<12).map { UserID(rawValue: "u\($0)") }

    /// Ten conversations, each with some of the people and with one message.
    private static func fill(_ store: SQLStore) async throws {
        for number in 0..<10 {
            let members = people.indices.filter { ($0 + number) % 3 == 0 }.map { people[$0] }
            _ = try await store.store(
                [.of(id(number), members)], source: "api", mode: .posting, at: .second(0))
            _ = try await store.accept(
                [.short(id(number), key(number).messageID)], source: "api", mode: .posting, at: .second(1))
        }
    }

    private static func id(_ number: Int) -> ConversationID { ConversationID(rawValue: "c\(number)") }

    private static func key(_ number: Int) -> MessageKey {
        MessageKey(conversationID: id(number), messageID: MessageID(rawValue: "m\(number)"))
    }

    /// Calls a body with a store that waits as long as a busy machine needs.
    private func withPatientStore(_ body: (SQLStore, String) async throws -> Void) async throws {
        try await PostgresServer.shared().withDatabase { address in
            try await PostgresStore.withNode(
                at: try #require(PostgresAddress(address)), answerLimit: .seconds(900)
            ) { store in
                try await Self.fill(store)
                try await body(store, address)
            }
        }
    }

    /// Counts the tasks that have begun.
    private final class Begun: Sendable {
        private let count = Mutex(0)
        func note() { count.withLock { $0 += 1 } }

        /// Waits until so many have; their next step is the read.
        func wait(for wanted: Int) async {
            while count.withLock({ $0 }) < wanted { await shortPause() }
            await shortPause()
        }
    }

    /// Calls a body while nobody can read a table, and a first read waits for it.
    private func whileReadsWait(
        _ store: SQLStore, _ address: String, first number: Int = 0,
        _ body: (_ unlock: () throws -> Void) async throws -> Void
    ) async throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE conversations")
        async let first = try? store.roster(of: Self.id(number), asker: Self.people[0], at: .second(2))
        async let stored = store.stored([Self.key(0)])
        while try await waitingCount(address) != 2 { await shortPause() }
        try await body { try connection.run("COMMIT") }
        _ = try await (first, stored)
    }

    private func waitingCount(_ address: String) async throws -> Int64? {
        try await PostgresServer.shared().number(
            """
            SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
            """, in: address)
    }

    @Test func everyoneGetsTheirOwn() async throws {
        try await withPatientStore { store, address in
            let begun = Begun()
            try await withThrowingTaskGroup { group in
                try await whileReadsWait(store, address) { unlock in
                    for number in 0..<10 {
                        for (place, person) in Self.people.enumerated() {
                            group.addTask {
                                begun.note()
                                let roster = try? await store.roster(of: Self.id(number), asker: person, at: .second(2))
                                #expect(roster?.conversation.id == ((place + number) % 3 == 0 ? Self.id(number) : nil))
                                #expect(roster?.members.contains { $0.userID == person } != false)
                            }
                        }
                        group.addTask {
                            let keys = [Self.key(number), Self.key((number + 1) % 10), Self.key(99)]
                            let found = try await store.stored(keys)
                            #expect(Set(found.keys) == Set(keys.dropLast()))
                        }
                    }
                    await begun.wait(for: 120)
                    try unlock()
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Conversation 3 comes first, or among others.
    @Test(arguments: [0, 3])
    func whatCannotBeReadFailsAlone(first: Int) async throws {
        try await withPatientStore { store, address in
            let begun = Begun()
            _ = try await store.inspect(
                """
                UPDATE members SET aliases = 'not a list' WHERE conversation =
                    (SELECT number FROM conversations WHERE id = 'c3') RETURNING user_id
                """)
            try await withThrowingTaskGroup { group in
                try await whileReadsWait(store, address, first: first) { unlock in
                    for number in 0..<10 {
                        group.addTask {
                            begun.note()
                            let asker = Self.people[(30 - number) % 3]
                            let roster = try? await store.roster(of: Self.id(number), asker: asker, at: .second(2))
                            #expect((roster != nil) == (number != 3))
                        }
                        group.addTask {
                            let nul = ConversationID(rawValue: "c\0")
                            await #expect(throws: RepositoryError.self) {
                                try await store.roster(of: nul, asker: Self.people[0], at: .second(2))
                            }
                        }
                    }
                    await begun.wait(for: 10)
                    try unlock()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func whoIsCancelledDoesNotWait() async throws {
        try await withPatientStore { store, address in
            try await withThrowingTaskGroup { group in
                try await whileReadsWait(store, address) { unlock in
                    let begun = Begun()
                    func read() async throws -> ConversationRoster {
                        begun.note()
                        return try await store.roster(of: Self.id(1), asker: Self.people[2], at: .second(2))
                    }
                    let cancelled = (0..<5).map { _ in Task { try await read() } }
                    group.addTask {
                        let roster = try await read()
                        #expect(roster.conversation.id == Self.id(1))
                    }
                    await begun.wait(for: 6)
                    for task in cancelled { task.cancel() }
                    // Nobody can read yet.
                    for task in cancelled {
                        await #expect(throws: CancellationError.self) { _ = try await task.value }
                    }
                    try unlock()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test func aReadSeesWhatWasStoredBefore() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await Self.fill(store)
            try await withThrowingTaskGroup { group in
                for number in 0..<10 {
                    group.addTask {
                        let asker = Self.people[(30 - number) % 3]
                        for round in 0..<20 {
                            let new = UserID(rawValue: "new-\(number)-\(round)")
                            try await store.setMember(
                                Member(userID: new, displayName: "New", joinedAt: .second(1)), in: Self.id(number),
                                source: "api", at: .second(2))
                            let roster = try await store.roster(of: Self.id(number), asker: asker, at: .second(3))
                            #expect(roster.members.contains { $0.userID == new })
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func whenNoServerAnswersAllAreTold() async throws {
        try await PostgresServer.shared().withStore { direct, address in
            try await Self.fill(direct)
            try await PostgresServer.shared().withRelay(to: address) { relay, behind in
                try await PostgresStore.withNode(at: behind, answerLimit: .milliseconds(300)) { store in
                    relay.freeze()
                    await withTaskGroup { group in
                        for number in 0..<60 {
                            group.addTask {
                                await #expect(throws: RepositoryError.self) {
                                    try await store.roster(
                                        of: Self.id(number % 10), asker: Self.people[0], at: .second(2))
                                }
                            }
                        }
                    }
                    relay.cut()
                    while true {
                        do {
                            _ = try await store.roster(of: Self.id(0), asker: Self.people[0], at: .second(2))
                            return
                        } catch RepositoryError.unavailable {
                            await shortPause()
                        }
                    }
                }
            }
        }
    }

    @Test func positionsOfManyConversationsContinue() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            try await Self.fill(store)
            for round in 0..<3 {
                let messages = (0..<10).map { Message.short(Self.id($0), MessageID(rawValue: "r\(round)-\($0)")) }
                let posted = try await store.post(messages, source: "api", at: .second(2))
                #expect(posted.map(\.seq) == Array(repeating: Int64(round + 2), count: 10))
            }
            #expect(try await Set(store.inspect("SELECT head FROM conversations")) == ["4"])
        }
    }
}
