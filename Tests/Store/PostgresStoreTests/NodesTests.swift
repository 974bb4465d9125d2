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

/// Two stores on one database: what they tell each other, and an erasure on one of them.
@Suite(.hangGuard) struct NodesTests {
    /// The news that a store heard.
    private final class Ear: Sendable {
        private let heard = Mutex<[NodeNews]>([])
        private let arrived = WorkSignal()

        init(_ store: SQLStore) {
            store.services.channel.listen { [weak self] news in
                self?.heard.withLock { $0.append(news) }
                self?.arrived.signal()
            }
        }

        var texts: [NodeText] {
            heard.withLock { heard in heard.compactMap { if case .text(let text) = $0 { text } else { nil } } }
        }

        /// Waits until the news fulfil a condition.
        func wait(until isEnough: ([NodeNews]) -> Bool) async throws {
            while true {
                let seen = arrived.count
                if isEnough(heard.withLock { $0 }) { return }
                try await arrived.wait(after: seen, timeout: nil)
            }
        }
    }

    /// A later release may write changes that this one does not know.
    @Test func aChangeOfAnUnknownKindStopsNobody() async throws {
        try await PostgresServer.shared().withStore { store, address in
            _ = try await store.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let start = try await store.latestChange()
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run(
                """
                INSERT INTO changes (number, kind, conversation)
                    SELECT head + 1, 99, 1 FROM change_lanes;
                UPDATE change_lanes SET head = head + 1
                """)
            let page = try await store.changes(after: start, limit: 9)
            #expect(page.changes.map(\.subject) == [.conversation])
            #expect(page.end != start)
        }
    }

    private func withNodes(_ body: (SQLStore, SQLStore, String) async throws -> Void) async throws {
        try await PostgresServer.shared().withStore { first, address in
            try await PostgresServer.shared().withNode(at: address) { second in
                try await body(first, second, address)
            }
        }
    }

    @Test func textsReachTheOtherNodesInOrderAndNotTheSender() async throws {
        try await withNodes { first, second, _ in
            let (own, other) = (Ear(first), Ear(second))
            let (sender, receiver) = (first.services.channel, second.services.channel)
            // Texts are heard once both have said that they live.
            try await own.wait { $0.contains(.living([receiver.node])) }
            try await other.wait { $0.contains(.living([sender.node])) }
            let texts = (0..<300).map { "\($0) \"quoted\" \\ päö\n\t" } + [String(repeating: "ü", count: 3_500)]

            sender.send(String(repeating: "x", count: NodeText.byteLimit + 1), about: .typing)
            sender.send("a\0b", about: .typing)
            for text in texts { sender.send(text, about: .presence) }
            receiver.send("answer", about: .sessions)

            let last = NodeText(sender: sender.node, topic: .presence, text: texts[300])
            try await other.wait { $0.contains(.text(last)) }
            #expect(other.texts == texts.map { NodeText(sender: sender.node, topic: .presence, text: $0) })
            let answer = NodeText(sender: receiver.node, topic: .sessions, text: "answer")
            try await own.wait { $0.contains(.text(answer)) }
            #expect(own.texts == [answer])
        }
    }

    @Test func nodesBehindASessionPoolFollowEachOther() async throws {
        let server = try await PostgresServer.shared()
        try await server.withDatabase { address in
            try await server.withBouncer(to: address, mode: .session) { bouncer, behind in
                try await server.withNode(at: behind) { first in
                    try await server.withNode(at: behind) { second in
                        let ear = Ear(second)
                        let sender = first.services.channel
                        _ = try await first.store([.of("c", ["ada"])], source: "api", mode: .posting, at: .second(0))
                        _ = try await first.post([.short("c", "before")], source: "api", at: .second(1))
                        try await ear.wait { $0.contains(.living([sender.node])) }

                        try await bouncer.restart()

                        for (store, id) in [(first, "one"), (second, "two")] as [(SQLStore, MessageID)] {
                            let outcomes = try await untilReached {
                                try await store.accept(
                                    [.short("c", id)], source: "api", mode: .posting, at: .second(2))
                            }
                            #expect(outcomes.count == 1)
                        }
                        // The connection that listens is there again.
                        let text = NodeText(sender: sender.node, topic: .typing, text: "ada")
                        while !ear.texts.contains(text) {
                            sender.send("ada", about: .typing)
                            await shortPause()
                        }
                        let kept = try await first.inspect("SELECT id FROM messages ORDER BY seq")
                        #expect(kept == ["before", "one", "two"])
                    }
                }
            }
        }
    }

    @Test func connectionsThatOthersUseInTurnAreRefused() async throws {
        let server = try await PostgresServer.shared()
        try await server.withDatabase { address in
            try await server.withBouncer(to: address, mode: .transaction) { _, behind in
                await #expect(throws: StoreOpenError.sharedConnections) {
                    try await server.withNode(at: behind) { _ in }
                }
            }
        }
    }

    @Test func aNodeThatEndsIsNoLongerListed() async throws {
        try await PostgresServer.shared().withStore { first, address in
            let ear = Ear(first)
            let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let second = try await PostgresStore.open(address, folder: folder, readerCount: 1)
            let node = second.services.channel.node
            try await ear.wait { $0.contains(.living([node])) }

            await second.close()

            try await ear.wait { $0.last == .living([]) }
            #expect(try await first.inspect("SELECT id FROM nodes") == [first.services.channel.node.rawValue])
        }
    }

    @Test func aNodeWithoutHeartbeatIsRemoved() async throws {
        try await PostgresServer.shared().withStore { store, _ in
            let ear = Ear(store)
            try await ear.wait { !$0.isEmpty }
            _ = try await store.inspect(
                "INSERT INTO nodes VALUES ('dead', 0, 1), ('late', 0, 9000000000000000) RETURNING id")

            try await ear.wait { $0.contains(.living(["late"])) }

            #expect(try await !store.inspect("SELECT id FROM nodes").contains("dead"))
        }
    }

    @Test func aHeartbeatDoesNotWaitForWriters() async throws {
        try await PostgresServer.shared().withStore { store, address in
            let ear = Ear(store)
            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("SET idle_in_transaction_session_timeout = 0")
            try connection.run("BEGIN; SELECT head FROM change_lanes WHERE lane = 0 FOR UPDATE")

            try await ear.wait { $0.count >= 2 }

            try connection.run("ROLLBACK")
        }
    }

    // MARK: - What may be seen

    private static let bobs = SearchScope(asker: "bob", conversations: .all)

    /// The names of Bob's conversations and of the people in them.
    private func seen(_ store: SQLStore) async throws -> [String] {
        try await store.permitted(Self.bobs, at: .second(9)).map(\.displayName)
            + store.people(in: Self.bobs, at: .second(9)).map { "\($0.userID) \($0.names)" }
    }

    @Test func whatAnotherNodeChangesIsSeenByTheNextCall() async throws {
        try await withNodes { first, second, _ in
            var dock = ConversationRoster.of("dock", ["ada", "bob"])
            dock.conversation.name = "Dock"
            _ = try await first.store([dock], source: "api", mode: .importing, at: .second(0))
            let before = try await seen(second)
            #expect(before.first == "Dock" && before.count == 3)
            #expect(second.rememberedScopes.count == 1)

            dock.conversation.name = "Pier"
            _ = try await first.store([dock], source: "api", mode: .importing, at: .second(1))
            #expect(try await seen(second).first == "Pier")
            try await first.setMember(
                Member(userID: "bob", displayName: "Robert", joinedAt: .second(1)), in: "dock", source: "api",
                at: .second(2))
            #expect(try await seen(second).last?.contains("Robert") == true)
            _ = try await first.store([.of("yard", ["bob"])], source: "api", mode: .posting, at: .second(2))
            #expect(try await seen(second).count == 4)
            try await first.removeMember("bob", from: "dock", at: .second(3))
            #expect(try await second.permitted(Self.bobs, at: .second(9)).map(\.id) == ["yard"])
            try await second.removeMember("bob", from: "yard", at: .second(4))
            #expect(try await seen(second) == [])
            #expect(try await seen(first) == [])
        }
    }

    @Test func messagesAndWritesThatFailChangeNoVersion() async throws {
        try await withNodes { first, second, address in
            func version() async throws -> Int64? {
                try await PostgresServer.shared().number("SELECT version FROM roster_version", in: address)
            }
            _ = try await first.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            let before = try await version()
            let messages = (0..<50).map { Message.short("c", MessageID(rawValue: "m\($0)")) }
            _ = try await first.accept(messages, source: "api", mode: .posting, at: .second(1))
            _ = try await second.post([.short("c", "n", localID: "l")], source: "api", at: .second(2))
            await #expect(throws: RepositoryError.self) {
                _ = try await first.store(
                    [.of("d", ["bob"]), .of("c", ["eve"])], source: "api", mode: .posting, at: .second(3))
            }
            #expect(try await version() == before)

            _ = try await second.store([.of("e", ["bob"])], source: "api", mode: .posting, at: .second(4))
            #expect(try await version() != before)
        }
    }

    @Test func aDataFolderHasNoNodes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        #expect(!store.services.channel.reachesOthers)
        await store.close()
    }

    /// A node that reads the log only after an erasure has no words of erased messages.
    @Test(arguments: [ErasureSubject.user("bob"), .conversation("c")])
    func aNodeThatFollowsLateForgetsErasedWords(subject: ErasureSubject) async throws {
        try await withNodes { first, second, _ in
            let lexicon = LiveLexicon(store: second, logger: Logger(label: "test"))
            _ = try await first.store(
                [.of("c", ["ada", "bob"]), .of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            _ = try await first.accept(
                [
                    .short("c", "1", by: "bob", "the combination of the harbor safe"),
                    .short("c", "2", by: "bob", "is secret"), .short("d", "3", by: "ada", "the ferry leaves at noon"),
                ], source: "api", mode: .posting, at: .second(1))
            try await lexicon.load()
            #expect(lexicon.messageCount == 3)

            _ = try await first.erase(subject, at: .second(2))
            while try await !first.finishErasing(subject, at: .second(1_000)) {}
            try await lexicon.follow()

            #expect(lexicon.messageCount == 1)
            let sound = IndexDiscrepancy(expectedCount: 1, missingCount: 0, differentCount: 0, surplusCount: 0)
            #expect(try await lexicon.discrepancy() == sound)
        }
    }

    /// A node reads a page of changes before an erasure, and the messages after it.
    @Test func aNodeThatIsInTheMiddleForgetsErasedWords() async throws {
        try await withNodes { first, second, _ in
            let lexicon = LiveLexicon(store: second, logger: Logger(label: "test"))
            _ = try await first.store([.of("c", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            _ = try await first.accept(
                [.short("c", "1", by: "bob", "the combination")], source: "api", mode: .posting, at: .second(1))
            try await lexicon.load()
            let start = try #require(lexicon.followed)

            _ = try await first.erase(.user("bob"), at: .second(2))
            let page = try await second.changes(after: start, limit: 100)
            while try await !first.finishErasing(.user("bob"), at: .second(1_000)) {}
            try await lexicon.take(page)
            try await lexicon.follow()

            #expect(lexicon.messageCount == 0)
            let changes = try await second.changes(after: start, limit: 100).changes
            #expect(changes.compactMap(\.erasedMessage).count == 1)
            #expect(try await second.inspect("SELECT id FROM messages") == [])
        }
    }
}
