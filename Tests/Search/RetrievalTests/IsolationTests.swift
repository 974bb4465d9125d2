import ChatCore
import Ingest
import Logging
import Retrieval
import TestSupport
import Testing

/// Whatever happens to messages and memberships, at every step a search finds nothing of a conversation that its asker
/// may not see, nor what is no longer there.
@Suite(.hangGuard) struct IsolationTests {
    private enum Arms: CaseIterable {
        case both, vectors, words, failingEmbedder
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func nothingForeignIsEverFound(seed: UInt64) async throws {
        var world = try await World(seed: seed)
        var (foundCount, refusedCount) = (0, 0)

        for step in 0..<60 {
            try await world.change()
            for arms in Arms.allCases {
                let asker = world.anyUser()
                let question = world.question(for: asker)
                let permitted = world.permitted(asker)
                let wanted = world.wanted()
                do {
                    let result = try await world.search(question, as: asker, in: wanted, arms)
                    for hit in result.hits {
                        let known = world.messages[hit.message.key.messageID]
                        #expect(
                            permitted.contains(hit.message.key.conversationID), "step \(step): \(asker) \(question)")
                        #expect(known == hit.message.text, "step \(step): \(hit.message.key)")
                        #expect(
                            !world.holdsForeignCanary(hit.message.text, permitted: permitted), "step \(step), \(asker)")
                        if case .only(let ids) = wanted { #expect(ids.contains(hit.message.key.conversationID)) }
                    }
                    foundCount += result.hits.count
                } catch RetrievalError.noPermittedConversation {
                    guard case .only(let ids) = wanted else { throw RetrievalError.noPermittedConversation }
                    #expect(permitted.isDisjoint(with: ids), "step \(step)")
                    refusedCount += 1
                }
            }
        }

        // The searches did find what they may, and some named foreign conversations alone.
        #expect(foundCount > 500)
        #expect(refusedCount > 0)
    }

    /// Conversations that change at random, and what the test knows of them.
    private struct World {
        private static let users: [UserID] = ["ada", "bob", "cleo", "dan", "eve"]
        private static let ids: [ConversationID] = ["c0", "c1", "c2", "c3", "c4"]
        private static let open: ConversationID = "c4"
        private static let words = ["pilot", "berth", "cat", "money", "the", "when", "noon", "Bob", "7", "Where?"]

        private let store = InMemoryStore()
        private let clock = ManualNow()
        private let embedder = FakeEmbedder()
        private let searcher: HybridSearcher
        private let worker: IngestWorker
        private var generator: SplitMix
        private var members: [ConversationID: Set<UserID>] = [:]
        /// The texts of those that are there, by ids that name their conversation.
        private(set) var messages: [MessageID: String] = [:]
        private var count = 0
        /// The questions that were embedded: their vectors are known without the embedder.
        private var embedded: Set<String> = []

        init(seed: UInt64) async throws {
            generator = SplitMix(state: seed)
            let source = FakeEmbedderSource(embedder)
            searcher = HybridSearcher(
                store: store, index: LiveIndex(store: store, logger: .silent),
                lexicon: LiveLexicon(store: store, logger: .silent), embedders: source, now: clock.now,
                logger: .silent)
            worker = IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent)
            for id in Self.ids {
                let first = Set(Self.users.shuffled(using: &generator).prefix(2))
                members[id] = first
                _ = try await store.store(
                    [.sample(id, members: Array(first), visibility: id == Self.open ? .everyone : .members)],
                    source: "test", mode: .importing, at: clock.now())
                for _ in 0..<4 { try await write(in: id) }
            }
            try await worker.drain { _ in }
        }

        private static func canary(_ id: ConversationID) -> String { "canary\(id)" }

        private static func conversation(of id: MessageID) -> ConversationID {
            ConversationID(rawValue: String(id.rawValue.prefix(2)))
        }

        private mutating func text(in id: ConversationID) -> String {
            let words = (0..<Int.random(in: 1...6, using: &generator)).compactMap { _ in
                Self.words.randomElement(using: &generator)
            }
            return ([Self.canary(id)] + words).shuffled(using: &generator).joined(separator: " ")
        }

        /// What is embedded of a question: a member's name says whose messages are meant, and is left out.
        private static func embedded(_ question: String) -> String {
            question.split(separator: " ").filter { $0 != "Bob" }.joined(separator: " ")
        }

        mutating func anyUser() -> UserID { Self.users.randomElement(using: &generator) ?? "ada" }

        func permitted(_ user: UserID) -> Set<ConversationID> {
            Set(Self.ids.filter { $0 == Self.open || members[$0]?.contains(user) == true })
        }

        func holdsForeignCanary(_ text: String, permitted: Set<ConversationID>) -> Bool {
            Self.ids.contains { !permitted.contains($0) && text.contains(Self.canary($0)) }
        }

        /// Asks for the canary of a conversation, of a foreign one where there is one, with other words beside it.
        mutating func question(for asker: UserID) -> String {
            let foreign = Self.ids.filter { !permitted(asker).contains($0) }
            let canary = (foreign.randomElement(using: &generator) ?? Self.ids.randomElement(using: &generator)).map(
                Self.canary)
            let words = (0..<3).compactMap { _ in Self.words.randomElement(using: &generator) }
            return ([canary ?? ""] + words).shuffled(using: &generator).joined(separator: " ")
        }

        mutating func wanted() -> SearchScope.Conversations {
            if Bool.random(using: &generator) { return .all }
            let count = Int.random(in: 1...2, using: &generator)
            return .only(Set(Self.ids.shuffled(using: &generator).prefix(count)))
        }

        /// Does one thing; what is written is embedded at once, later, or never.
        mutating func change() async throws {
            clock.advance(by: .seconds(1))
            let id = Self.ids.randomElement(using: &generator) ?? "c0"
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: try await write(in: id)
            case 1: try await edit()
            case 2: try await delete()
            case 3: try await join(id)
            case 4: try await leave(id)
            default: try await worker.drain { _ in }
            }
            clock.advance(by: .seconds(1))
        }

        private mutating func write(in id: ConversationID) async throws {
            count += 1
            let text = text(in: id)
            var message = Message.sample(
                id, MessageID(rawValue: "\(id)-\(count)"), by: members[id]?.min() ?? "ada", text,
                at: Int.random(in: 0..<50_000, using: &generator))
            message.threadRootID = Int.random(in: 0..<4, using: &generator) == 0 ? "root" : nil
            _ = try await store.accept([message], source: "test", mode: .importing, at: clock.now())
            messages[message.key.messageID] = text
        }

        private mutating func anyMessage() -> MessageKey? {
            messages.keys.sorted().randomElement(using: &generator).map {
                MessageKey(conversationID: Self.conversation(of: $0), messageID: $0)
            }
        }

        private mutating func edit() async throws {
            guard let key = anyMessage() else { return }
            let text = text(in: key.conversationID)
            _ = try await store.edit(key, text: text, at: clock.now())
            messages[key.messageID] = text
        }

        private mutating func delete() async throws {
            guard let key = anyMessage() else { return }
            try await store.delete(key, at: clock.now())
            messages[key.messageID] = nil
        }

        private mutating func join(_ id: ConversationID) async throws {
            let user = anyUser()
            let member = Member(userID: user, displayName: user.rawValue.uppercased(), joinedAt: clock.now())
            try await store.setMember(member, in: id, source: "test", at: clock.now())
            members[id, default: []].insert(user)
        }

        private mutating func leave(_ id: ConversationID) async throws {
            guard let user = members[id]?.sorted().randomElement(using: &generator) else { return }
            try await store.removeMember(user, from: id, at: clock.now())
            members[id]?.remove(user)
        }

        mutating func search(
            _ question: String, as asker: UserID, in conversations: SearchScope.Conversations, _ arms: Arms
        ) async throws -> SearchResult {
            var settings = RetrievalSettings()
            settings.lexical.isOn = arms != .vectors
            settings.dense.isOn = arms != .words
            embedder.failAlways(arms == .failingEmbedder ? .unreachable(reason: "no") : nil)
            defer { embedder.failAlways(nil) }
            let result = try await searcher.with(settings).search(
                SearchRequest(
                    question: question, scope: SearchScope(asker: asker, conversations: conversations), limit: 50,
                    explains: true))
            let modes: [Arms: RetrievalMode] = [
                .both: .hybrid, .vectors: .denseOnly, .words: .lexicalOnly, .failingEmbedder: .lexicalOnly,
            ]
            let isKnown =
                arms == .failingEmbedder && result.mode == .hybrid && embedded.contains(Self.embedded(question))
            if !result.hits.isEmpty { #expect(result.mode == modes[arms] || isKnown, "\(question)") }
            if arms == .both || arms == .vectors { embedded.insert(Self.embedded(question)) }
            return result
        }
    }
}
