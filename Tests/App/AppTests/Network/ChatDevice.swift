import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

/// A device of a person behind a bad network, which begins again and again with the same file.
actor ChatDevice {
    /// What the device has accepted.
    struct Promises {
        /// Texts by conversation, in their order.
        var sent: [String: [String]] = [:]
        /// Nobody knows whether these were stored: the device was killed meanwhile.
        var unknown: Set<String> = []
        /// Texts of messages with an edit, a deletion, or a reaction.
        var edited: Set<String> = []
        var deleted: Set<String> = []
        var liked: Set<String> = []
        var count = 0
    }

    /// A session with its store.
    struct Life: Sendable {
        let process: MortalProcess
        let store: MessageStore
        let session: NexusSession
    }

    static let edit = " edited"

    let user: String
    let name: String
    let proxy: FaultyProxy
    private(set) var promises = Promises()
    private var numbers: SeededNumbers
    private let file: URL
    /// Own messages that were not changed yet.
    private var unchanged: [(text: String, localID: String, conversation: String)] = []

    init(_ name: String, of user: String, seed: Int, faultShare: Double, folder: URL) throws {
        self.user = user
        self.name = name
        numbers = SeededNumbers(seed)
        proxy = try FaultyProxy(seed: seed + 1, faultShare: faultShare)
        file = folder.appending(path: "\(name).sqlite")
    }

    /// Time that passes fifty times as fast.
    private static var timing: SessionTiming {
        let start = ContinuousClock.now
        return SessionTiming(
            sleep: { try await Task.sleep(for: $0 / 50) }, elapsed: { start.duration(to: .now) * 50 },
            share: { Double.random(in: 0...1) })
    }

    /// Opens the file as a new process does.
    func begin(killAt: Int = .max) throws -> Life {
        let process = try MortalProcess(url: proxy.url, killAt: killAt)
        let store = MessageStore(file: file, owner: user, isDurable: false) { try process.point() }
        let session = NexusSession(
            transport: process, user: user, device: name, store: store, timing: Self.timing)
        return Life(process: process, store: store, session: session)
    }

    /// Lives once: does what a person does, until it is killed or has done enough.
    func live(_ progress: @Sendable () -> Void) async throws {
        let life = try begin(killAt: Int.random(in: 1...250, using: &numbers))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await life.session.run() }
            for _ in 0..<Int.random(in: 5...25, using: &numbers) where !life.process.isDead {
                try await act(life)
                progress()
            }
            group.cancelAll()
        }
        await life.store.close()
    }

    private func act(_ life: Life) async throws {
        let session = life.session
        let id = ["pier", "quay"].randomElement(using: &numbers) ?? "pier"
        switch Int.random(in: 0..<16, using: &numbers) {
        case 0..<6: await send(to: id, session)
        case 6..<8: try await change(life)
        case 8: await session.open(id)
        case 9: try? await session.loadEarlier(id)
        case 10:
            if let last = await session.state.conversations[id]?.messages.last {
                await session.markRead(last.id, in: id)
            }
        case 11: await session.networkChanged()
        case 12: proxy.drop()
        default: try await Task.sleep(for: .milliseconds(Int.random(in: 1...40, using: &numbers)))
        }
    }

    private func send(to id: String, _ session: NexusSession) async {
        promises.count += 1
        let text = "\(name) \(promises.count)"
        let message = await session.send(text, to: id)
        if case .failed(.storage) = message.state {
            promises.unknown.insert(text)
        } else {
            promises.sent[id, default: []].append(text)
            unchanged.append((text, message.localId, id))
        }
    }

    private func change(_ life: Life) async throws {
        guard let place = unchanged.indices.randomElement(using: &numbers) else { return }
        let message = unchanged[place]
        let kind = Int.random(in: 0..<3, using: &numbers)
        let action: OutgoingChange.Action =
            switch kind {
            case 0: .delete
            case 1: .reaction(emoji: "👍", isSet: true)
            default: .edit(text: message.text + Self.edit)
            }
        let stored = await life.session.state.conversations[message.conversation]?.messages
            .last { $0.localId == message.localID }
        do throws(SessionError) {
            try await life.session.submit(
                action, of: stored.map { .stored($0.id) } ?? .outgoing(message.localID), in: message.conversation)
            unchanged.remove(at: place)
            switch kind {
            case 0: promises.deleted.insert(message.text)
            case 1: promises.liked.insert(message.text)
            default: promises.edited.insert(message.text)
            }
        } catch {
            if case .storage = error {
                #expect(life.process.isDead)
                unchanged.remove(at: place)
                if kind == 0 { promises.unknown.insert(message.text) }
            } else if case .refused(404, "message_not_found", _, _) = error {
                // It came back while this device did not look, and it is not loaded.
            } else {
                throw error
            }
        }
    }
}

/// What must be true at the end.
extension ChatDevice {
    /// Waits until everything was sent.
    func settle(_ session: NexusSession) async throws {
        while true {
            try Task.checkCancellation()
            let messages = await session.pendingCount
            let (changes, marks) = (await session.changes, await session.readMarks)
            if messages == 0, changes.isEmpty, marks.isEmpty { return }
            for id in ["pier", "quay"] {
                for message in await session.waiting(in: id) {
                    if case .failed(let error) = message.state { throw error }
                }
                for change in changes[id] ?? [] { if case .failed(let error) = change.state { throw error } }
            }
            await shortPause()
        }
    }

    /// Waits until messages have come, and loads everything before them.
    static func loadAll(_ session: NexusSession, through ends: [String: String]) async throws {
        for (id, end) in ends.sorted(by: { $0.key < $1.key }) {
            await session.open(id)
            while true {
                try Task.checkCancellation()
                let place = await session.state.conversations[id]
                if let place, place.messages.contains(where: { $0.id == end }), await !session.wantsLoad(id) {
                    guard place.hasEarlier == true else { break }
                    do {
                        try await session.loadEarlier(id)
                        continue
                    } catch let error as SessionError where error.isTransient {}
                }
                await shortPause()
            }
        }
    }

    /// Expects that the server has what the device promised, once and in order.
    func check(_ all: [String: [ChatMessage]]) {
        for (id, messages) in all {
            let own = messages.filter { $0.text.hasPrefix(name + " ") }
            let texts = own.map { $0.text.replacingOccurrences(of: Self.edit, with: "") }
            #expect(Set(texts).count == texts.count, "doubled")
            let wanted = (promises.sent[id] ?? []).filter {
                !promises.deleted.contains($0) && !promises.unknown.contains($0)
            }
            #expect(texts.filter { !promises.unknown.contains($0) } == wanted, "lost, or out of order")
            for (message, text) in zip(own, texts) {
                if promises.edited.contains(text) { #expect(message.text == text + Self.edit, "edit lost") }
                if promises.liked.contains(text) { #expect(message.reactions.count == 1, "reaction lost") }
            }
        }
    }

    /// Expects that the device knows what a fresh one of the same person knows.
    func compare(_ session: NexusSession, _ fresh: NexusSession, _ places: [String]) async throws {
        let (state, expected) = (await session.state, await fresh.state)
        #expect(state.conversations.keys.sorted() == expected.conversations.keys.sorted())
        for id in places {
            let (known, place) = (try #require(state.conversations[id]), try #require(expected.conversations[id]))
            let isSameList = known.messages == place.messages
            #expect(isSameList, "\(Self.difference(known.messages, place.messages))")
            #expect(known.head == place.head && known.readSeq == place.readSeq)
            #expect(known.unreadCount(for: user) == place.unreadCount(for: user))
            #expect(known.members == place.members && known.activeAt == place.activeAt)
            #expect(known.receipts.mapValues(\.readSeq) == place.receipts.mapValues(\.readSeq))
            let entries = try await session.timeline(of: id, limit: 100_000)
            let isSame = entries == place.messages.map { .message($0) }
            #expect(isSame, "the timeline has \(entries.count) entries of \(place.messages.count)")
        }
    }

    private static func difference(_ left: [ChatMessage], _ right: [ChatMessage]) -> [String] {
        Set(left).symmetricDifference(right).map { "\($0.id) \($0)" }.sorted()
    }
}
