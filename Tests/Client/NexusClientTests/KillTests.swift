import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// Sessions that are killed anywhere and begin again with the same file.
///
/// `NEXUS_KILL_RUNS` sets the number of runs, `NEXUS_KILL_FIRST` the seed of the first.
@Suite(.hangGuard) struct KillTests {
    private static let runCount = ProcessInfo.processInfo.environment["NEXUS_KILL_RUNS"].flatMap { Int($0) } ?? 40

    private static let firstRun = ProcessInfo.processInfo.environment["NEXUS_KILL_FIRST"].flatMap { Int($0) } ?? 0

    /// What the session has accepted, by conversation and in its order.
    private final class Promises {
        var sent: [String: [String]] = [:]
        /// Nobody knows whether these were stored.
        var unknown: Set<String> = []
        /// Texts with an edit that was accepted.
        var edited: Set<String> = []
        var count = 0
    }

    @Test(arguments: firstRun..<firstRun + runCount) func losesAndDoublesNothing(seed: Int) async throws {
        var generator = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "store.sqlite")
        let world = ChatWorld(history: Int.random(in: 0...3, using: &generator))
        let promises = Promises()

        for life in 0..<Int.random(in: 1...4, using: &generator) {
            let process = ClientProcess(
                world, seed: seed * 10 + life, killAt: Int.random(in: 1...120, using: &generator), faultShare: 0.04)
            try await live(process, file, world, &generator, promises) { _ in }
        }
        let process = ClientProcess(world, seed: seed)
        try await live(process, file, world, &generator, promises) { session in
            try await settle(session, world)
            try await check(session, world, promises)
        }
    }

    /// Runs a session until it is killed, or until `end` has returned.
    private func live(
        _ process: ClientProcess, _ file: URL, _ world: ChatWorld, _ generator: inout SeededGenerator,
        _ promises: Promises, end: (NexusSession) async throws -> Void
    ) async throws {
        let store = MessageStore(file: file, owner: "ada", isDurable: false) { try process.point() }
        let session = NexusSession(
            transport: process, user: "ada", device: "d", store: store, timing: VirtualClock().timing)
        var random = generator
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await session.run() }
            for _ in 0..<Int.random(in: 4...16, using: &random) where !process.isDead {
                try await act(session, world, process, &random, promises)
            }
            if !process.isDead { try await end(session) }
            group.cancelAll()
        }
        await store.close()
        generator = random
    }

    /// Does one thing that a person or the server does.
    private func act(
        _ session: NexusSession, _ world: ChatWorld, _ process: ClientProcess, _ random: inout SeededGenerator,
        _ promises: Promises
    ) async throws {
        let id = ["pier", "quay"].randomElement(using: &random) ?? "pier"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7:
            promises.count += 1
            let text = "own \(promises.count)"
            let message = await session.send(text, to: id)
            if case .failed(.storage) = message.state {
                promises.unknown.insert(text)
            } else {
                promises.sent[id, default: []].append(text)
                try await changeSometimes(message, text, session, process, &random, promises)
            }
        case 7..<11: world.post("other \(Int.random(in: 0...9_999, using: &random))", to: id, by: "ben")
        case 11: for number in 0..<9 { world.post("flood \(number)", to: id, by: "ben") }
        case 12:
            let foreign = world.messages(in: id).filter { $0.senderId == "ben" }
            if let message = foreign.randomElement(using: &random) { world.delete(message.id, in: id) }
        case 13:
            let foreign = world.messages(in: id).filter { $0.senderId == "ben" }
            if let message = foreign.randomElement(using: &random) {
                world.edit(message.id, in: id) { $0.text += "!" }
            }
        case 14: await session.open(id)
        case 15: if let last = world.messages(in: id).last { await session.markRead(last.id, in: id) }
        case 16: world.read(upTo: Int64(world.messages(in: id).count), in: id, by: "ben")
        case 17: world.drop()
        case 18 where random.isTrue(0.3): world.startOver()
        default:
            // Others have time.
            for _ in 0..<5 { await shortPause() }
        }
    }

    private func changeSometimes(
        _ message: OutgoingMessage, _ text: String, _ session: NexusSession, _ process: ClientProcess,
        _ random: inout SeededGenerator, _ promises: Promises
    ) async throws {
        guard random.isTrue(0.3) else { return }
        let id = message.conversationId
        let action: OutgoingChange.Action =
            random.isTrue(0.7) ? .edit(text: text + " edited") : .reaction(emoji: "👍", isSet: true)
        do {
            try await session.submit(action, of: .outgoing(message.localId), in: id)
            if case .edit = action { promises.edited.insert(text) }
        } catch SessionError.storage {
            #expect(process.isDead)
        }
    }

    /// Waits until everything was sent and everything that happened has arrived.
    private func settle(_ session: NexusSession, _ world: ChatWorld) async throws {
        try await wait {
            let isSent = await session.pendingCount == 0
            let isChanged = await session.changes.isEmpty
            let isRead = await session.readMarks.isEmpty
            let position = await session.state.cursor
            return isSent && isChanged && isRead && position == world.cursor
        }
        for id in world.visiblePlaces {
            await session.open(id)
            try await wait { await !session.wantsLoad(id) }
            while await session.state.conversations[id]?.hasEarlier == true { try await session.loadEarlier(id) }
        }
    }

    private func check(_ session: NexusSession, _ world: ChatWorld, _ promises: Promises) async throws {
        for id in world.visiblePlaces {
            let own = world.messages(in: id).filter { $0.senderId == "ada" }
            // An edit may have been lost with the process that made it, but not one that was accepted.
            let texts = own.map { $0.text.replacingOccurrences(of: " edited", with: "") }
            #expect(zip(own, texts).allSatisfy { !promises.edited.contains($1) || $0.text != $1 }, "edit lost")
            #expect(Set(texts).count == texts.count, "doubled")
            #expect(texts.filter { !promises.unknown.contains($0) } == promises.sent[id] ?? [], "lost, or out of order")
        }
        let fresh = NexusSession(
            transport: ClientProcess(world, seed: 1), user: "ada", device: "e", timing: VirtualClock().timing)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await fresh.run() }
            try await settle(fresh, world)
            try await compare(session, fresh, world)
            group.cancelAll()
        }
    }

    /// Expects that both sessions know the same.
    private func compare(_ session: NexusSession, _ fresh: NexusSession, _ world: ChatWorld) async throws {
        let (state, expected) = (await session.state, await fresh.state)
        #expect(state.cursor == expected.cursor)
        #expect(state.conversations.keys.sorted() == expected.conversations.keys.sorted())
        for (id, place) in expected.conversations {
            let known = try #require(state.conversations[id])
            let all = world.messages(in: id)
            #expect(known.messages == all, "\(Self.difference(known.messages, all))")
            #expect(place.messages == all, "\(Self.difference(place.messages, all))")
            #expect(known.head == place.head)
            #expect(known.readSeq == place.readSeq)
            #expect(known.receipts == place.receipts)
            #expect(known.members == place.members)
            #expect(known.activeAt == place.activeAt)
            #expect(known.unreadCount(for: "ada") == place.unreadCount(for: "ada"))
            let entries = try await session.timeline(of: id, limit: 10_000)
            #expect(entries == all.map { .message($0) })
        }
    }

    /// The messages that are only in one list, without their text.
    private static func difference(_ left: [ChatMessage], _ right: [ChatMessage]) -> [String] {
        Set(left).symmetricDifference(right).map { "\($0.conversationId) \($0.id) \($0.seq ?? 0)" }.sorted()
    }
}
