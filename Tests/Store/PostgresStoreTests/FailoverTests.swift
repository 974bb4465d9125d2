import ChatCore
import Foundation
import Logging
import MessageStore
import PostgresStore
import PostgresTestSupport
import Retrieval
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A primary is lost, and its standby takes over.
@Suite(.hangGuard) struct FailoverTests {
    /// What writers have done.
    private final class Progress: Sendable {
        private let state = Mutex((count: 0, isPromoted: false))

        /// The number of messages that were acknowledged.
        var count: Int { state.withLock { $0.count } }
        var isPromoted: Bool { state.withLock { $0.isPromoted } }

        func acknowledge() { state.withLock { $0.count += 1 } }
        func promote() { state.withLock { $0.isPromoted = true } }
    }

    /// Sends messages as a client does, again until they are acknowledged: before the failover, while it happens, and some
    /// after it.
    private static func write(_ writer: Int, to store: SQLStore, _ progress: Progress) async throws {
        var (number, rest) = (0, 5)
        while rest > 0 {
            if progress.isPromoted { rest -= 1 }
            let id = MessageID(rawValue: "\(writer)-\(number)")
            let outcomes = try await untilReached {
                try await store.accept([.short("c", id, "to the pier")], source: "api", mode: .posting, at: .second(1))
            }
            #expect(outcomes.count == 1)
            progress.acknowledge()
            number += 1
        }
    }

    /// Each commit waits for the standby, so none is lost, whenever the primary is killed.
    @Test func acknowledgedMessagesAreOnASynchronousStandby() async throws {
        let pair = try await PostgresPair()
        try await pair.withStore { store in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            let lexicon = LiveLexicon(store: store, logger: Logger(label: "test"))
            try await lexicon.follow()
            let progress = Progress()

            try await withThrowingTaskGroup { group in
                for writer in 0..<4 { group.addTask { try await Self.write(writer, to: store, progress) } }
                while progress.count < 20 { await shortPause() }
                try await pair.kill(.first)
                try await pair.promote()
                progress.promote()
                try await group.waitForAll()
            }

            let count = progress.count
            #expect(try await store.inspect("SELECT COUNT(*) FROM messages") == ["\(count)"])
            let end = try await store.latestChange()
            #expect(end.epoch != start.epoch)
            await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: start, limit: 1) }
            try await lexicon.follow()
            #expect(lexicon.messageCount == count)
            #expect(try await lexicon.discrepancy().isNone)
        }
    }

    /// The standby lacks the last commits: the node that runs forgets them, though their numbers are used again.
    @Test func lostMessagesLeaveNoTraceInANodeThatRuns() async throws {
        let pair = try await PostgresPair()
        try await pair.withStore { store in
            let node = try await Node(store)
            let copy = store.folder.appending(path: "copy")
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            try await node.accept("the ferry leaves at noon", as: "kept", by: "ada", at: 1)
            try await withThrowingTaskGroup { group in
                group.addTask { await node.run() }
                await node.heard { $0 == 1 }

                try await pair.stop(.second)
                try pair.replicateAsynchronously()
                try await node.accept("a walrus sleeps on the pier", as: "lost", by: "ada", at: 2)
                try await node.accept("the walrus has left", as: "lost too", by: "ada", at: 3)
                #expect(Set(try await node.found("walrus")) == ["lost", "lost too"])
                try await node.writeFiles(copiedTo: copy)
                let ahead = try await store.latestChange()
                try await pair.kill(.first)
                try await pair.start(.second)
                try await pair.promote()

                try await untilReached {
                    try await node.accept("berth seven is free", as: "new", by: "bob", at: 4)
                }
                for number in 0..<4 {
                    let id = MessageID(rawValue: "new \(number)")
                    try await node.accept("berth \(number) is taken", as: id, by: "bob", at: 5)
                }
                let end = try await store.latestChange()
                try #require(end.epoch != ahead.epoch)
                #expect(end.positions[0] >= ahead.positions[0])
                await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: ahead, limit: 9) }
                let range = FeedRange(after: ahead)
                await #expect(throws: RepositoryError.expiredCursor) {
                    try await store.feed(of: "ada", in: range, limit: 9, at: .second(6))
                }
                #expect(Set(try await node.found("walrus")).isDisjoint(with: ["lost", "lost too"]))
                #expect(try await node.found("berth seven").first == "new")
                #expect(try await node.found("ferry").first == "kept")
                try await node.expectNoDifference(messageCount: 6)
                // Anything may have changed.
                await node.heard { $0 >= 2 }
                group.cancelAll()
            }

            let next = try await Node(store, folder: copy)
            try await next.expectNoDifference(messageCount: 6)
            #expect(try await next.found("berth seven").first == "new")
        }
    }

    @Test func aStandbyIsRefused() async throws {
        let pair = try await PostgresPair()
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = pair.address(of: .second)

        #expect(throws: PostgresFailure(code: PostgresFailure.readOnlyCode)) { try LibpqConnection(address) }
        await #expect(
            throws: RepositoryError.unavailable(
                reason: "this server of PostgreSQL is read-only: it is a standby, or is set so")
        ) {
            try await PostgresStore.open(address, folder: folder)
        }

        // It is the same server after its promotion, with another timeline.
        let before = try LibpqConnection(pair.address)
        let old = before.origin
        before.close()
        try await pair.kill(.first)
        try await pair.promote()
        let after = try LibpqConnection(pair.address)
        #expect(after.origin == PostgresOrigin(system: old.system, timeline: old.timeline + 1))
        after.close()
        let store = try await PostgresStore.open(address, folder: folder)
        await store.close()
    }

    /// The old primary still runs: once one connection leads to the promoted server, none uses the old one any more.
    @Test func noConnectionStaysWithAServerThatWasReplaced() async throws {
        let pair = try await PostgresPair()
        let server = Place(pair.address(of: .first))
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, readerCount: 2) { try LibpqConnection(server.address) }
        _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
        let start = try await store.latestChange()
        try await pair.promote()
        try pair.replicateAsynchronously()

        server.address = pair.address(of: .second)
        try endWriter(on: .first, of: pair)
        _ = try await store.accept([.short("c", "1")], source: "api", mode: .posting, at: .second(1))
        let end = try await store.latestChange()
        #expect(end.epoch != start.epoch)
        let scope = SearchScope(asker: "ada", conversations: .all)
        #expect(try await store.messages([.of("c", "1")], in: scope, at: .second(2)).count == 1)

        server.address = pair.address(of: .first)
        try endWriter(on: .second, of: pair)
        await #expect(throws: RepositoryError.self) {
            try await store.accept([.short("c", "2")], source: "api", mode: .posting, at: .second(2))
        }
        server.address = pair.address(of: .second)
        _ = try await untilReached {
            try await store.accept([.short("c", "3")], source: "api", mode: .posting, at: .second(3))
        }
        #expect(try await store.inspect("SELECT id FROM messages ORDER BY id") == ["1", "3"])
        await store.close()
    }

    /// Where connections lead to.
    private final class Place: Sendable {
        private let state: Mutex<String>

        init(_ address: String) { state = Mutex(address) }

        var address: String {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    /// Ends the connection that writes: the oldest one on the first server, and all on the other.
    private func endWriter(on member: PostgresPair.Member, of pair: PostgresPair) throws {
        let connection = try LibpqConnection(pair.address(of: member))
        defer { connection.close() }
        try connection.run(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM (
                SELECT pid FROM pg_stat_activity WHERE application_name = 'nexus' AND pid <> pg_backend_pid()
                ORDER BY backend_start \(member == .first ? "LIMIT 1" : "")) AS oldest
            """)
    }

    /// As after a server became a standby while it kept its connections.
    @Test func aConnectionThatBecameReadOnlyIsReplaced() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.inspect("SET default_transaction_read_only = on")

            await #expect(throws: RepositoryError.self) {
                try await store.accept([.short("c", "1")], source: "api", mode: .posting, at: .second(1))
            }

            #expect(store.storageTrouble == nil)
            let outcomes = try await store.accept([.short("c", "1")], source: "api", mode: .posting, at: .second(1))
            #expect(outcomes == [.inserted])
        }
    }

    @Test(arguments: ["DATABASE", "ROLE"])
    func commitsThatMayBeLostAreRefusedUnlessAccepted(setting: String) async throws {
        try await PostgresServer.shared().withDatabase { address in
            let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let connection = try LibpqConnection(address)
            #expect(connection.waitsForDisk)
            let name = try #require(address.split(separator: "=").last)
            try connection.run(
                setting == "DATABASE"
                    ? "ALTER DATABASE \(name) SET synchronous_commit = off"
                    : "ALTER ROLE nexus IN DATABASE \(name) SET synchronous_commit = off")
            connection.close()

            await #expect(throws: StoreOpenError.losesCommits) {
                try await PostgresStore.open(address, folder: folder)
            }

            let store = try await PostgresStore.open(address, folder: folder, acceptsLoss: true)
            await store.close()
        }
    }

    /// All nodes, of any version, must agree.
    @Test func epochsDependOnNumberServerAndTimeline() {
        let origin = PostgresOrigin(system: 7_711_823_330_666_559_341, timeline: 1)
        let epochs = [
            origin.epoch(ofStored: 1), origin.epoch(ofStored: 2),
            PostgresOrigin(system: origin.system, timeline: 2).epoch(ofStored: 1),
            PostgresOrigin(system: -1, timeline: 1).epoch(ofStored: 1),
        ]

        #expect(Set(epochs).count == 4)
        #expect(epochs.allSatisfy { (0...0xFFFF_FFFF_FFFF).contains($0) })
        #expect(epochs == [278_467_486_101_987, 37_636_728_249_225, 58_152_095_982_292, 209_310_813_391_191])
    }

    /// As a restore of a dump is documented.
    @Test func anotherNumberIsAnotherEpoch() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let start = try await store.latestChange()
            _ = try await store.inspect(
                "UPDATE change_log SET epoch = floor(random() * 281474976710656) RETURNING epoch")

            let end = try await store.latestChange()
            #expect(end.epoch != start.epoch)
            await #expect(throws: RepositoryError.expiredCursor) { try await store.changes(after: start, limit: 1) }
        }
    }
}

/// What a node derives from the store.
private final class Node: Sendable {
    private let folder: URL
    private let store: SQLStore
    private let generation: GenerationNumber
    private let embedder = FakeEmbedder(words: ["walrus", "berth", "ferry"])
    private let lexicon: LiveLexicon
    private let index: LiveIndex
    private let follower: ChangeFollower
    private let searcher: HybridSearcher
    /// How often anything may have changed.
    private let starts = Mutex(0)

    init(_ store: SQLStore, folder: URL? = nil) async throws {
        self.store = store
        let folder = folder ?? store.folder.appending(path: "index")
        self.folder = folder
        let files = SnapshotFiles(
            folder: folder.path, register: LocalSnapshotRegister(folder: folder.path, generations: store),
            makeName: { UUID().uuidString })
        var policy = SnapshotPolicy()
        policy.rowMinimum = 1
        let logger = Logger(label: "test")
        lexicon = LiveLexicon(store: store, files: files, policy: policy, logger: logger)
        index = LiveIndex(store: store, files: files, policy: policy, logger: logger)
        follower = ChangeFollower(store: store, subscribers: [lexicon, index])
        searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, follower: follower,
            embedders: FakeEmbedderSource(embedder), now: { .second(9) }, logger: logger)
        if let known = try await store.generations().last {
            generation = known.number
        } else {
            let space = try await embedder.space()
            let begun = try await store.beginGeneration(space, baseURL: nil, refilling: false, at: .second(0))
            generation = begun.number
        }
    }

    func run() async {
        await follower.run(listeners: [{ changes, _ in if changes == nil { self.starts.withLock { $0 += 1 } } }]) { _ in
        }
    }

    /// Waits until the listener has heard so often that anything may have changed.
    func heard(_ isEnough: (Int) -> Bool) async {
        while !isEnough(starts.withLock { $0 }) { await shortPause() }
    }

    /// Stores a message with its vector.
    func accept(_ text: String, as id: MessageID, by sender: UserID, at second: Int) async throws {
        let moment = Timestamp.second(second)
        _ = try await store.accept(
            [.short("c", id, by: sender, text, at: second)], source: "api", mode: .posting, at: moment)
        let items = try await store.claim(9, for: generation, until: .second(60), at: moment)
        _ = try await store.commit(
            items.map { EmbeddedMessage.of($0, vector: embedder.vector(of: text)) }, at: moment)
    }

    /// Returns the messages that a search finds, best first.
    func found(_ question: String) async throws -> [MessageID] {
        let scope = SearchScope(asker: "ada", conversations: .all)
        return try await searcher.search(SearchRequest(question: question, scope: scope, limit: 2)).hits
            .map(\.message.key.messageID)
    }

    /// Writes the files of the indexes, and copies them as if a node had stopped then.
    func writeFiles(copiedTo copy: URL) async throws {
        await lexicon.saveIfDue(atEnd: true)
        await index.saveIfDue(atEnd: true)
        try FileManager.default.copyItem(at: folder, to: copy)
        let names = try FileManager.default.contentsOfDirectory(atPath: copy.path)
        #expect(names.contains { $0.hasPrefix("words-") } && names.contains { $0.hasPrefix("vectors-") })
    }

    func expectNoDifference(messageCount: Int) async throws {
        try await follower.catchUp()
        #expect(lexicon.messageCount == messageCount)
        #expect(index.passageCount == messageCount)
        #expect(try await lexicon.discrepancy().isNone)
        #expect(try await index.discrepancy()?.isNone == true)
    }
}
