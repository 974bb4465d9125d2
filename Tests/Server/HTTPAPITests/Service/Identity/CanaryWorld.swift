import Assistant
import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import Ingest
import MessageStore
import Prompting
import Retrieval
import ServerTestSupport
import Telemetry
import TestSupport
import Testing

/// Conversations that change at random through the API, and what the test knows of them.
struct CanaryWorld: Sendable {
    typealias Headers = [(name: String, value: String)]

    static let users: [UserID] = ["ada", "bob", "cleo", "dan"]
    static let ids: [ConversationID] = ["c0", "c1", "c2", "c3", "c4"]
    static let open: ConversationID = "c4"
    static let words = ["pilot", "berth", "cat", "money", "the", "when", "noon", "Where?"]

    /// One message that is there.
    struct Written {
        let sender: UserID
        var canary: Canary
        var isQuestion = false
    }

    let parts: ServerParts
    let store: any Store
    let metrics = MetricRegistry()
    private let forge: TokenForge
    let clock = ManualNow(Sample.now)
    let worker: IngestWorker
    let mentions: MentionService
    let model: RepeatingModel
    let lister: ListingModel
    var generator: SeededBits
    private var ingest: Headers = []
    var admin: Headers = []
    var tokens: [UserID: Headers] = [:]
    var members: [ConversationID: Set<UserID>] = [:]
    var messages: [MessageKey: Written] = [:]
    /// What people asked the assistant by messages: it stays theirs when they leave.
    var asked: [UserID: Set<Canary>] = [:]
    /// A thread of each user.
    var threads: [UserID: String] = [:]
    var deleted: Set<Canary> = []
    /// What the assistant said in a conversation, which its readers of that time might all see.
    var told: [ConversationID: Set<Canary>] = [:]
    var count = 0
    /// How many canaries were heard by those who may.
    var heardCount = 0
    /// How many of them by tools of `/mcp`.
    var heardByTools = 0

    /// - Parameters:
    ///   - seed: Decides what happens.
    ///   - model: Answers.
    ///   - lister: Takes items out of conversations.
    ///   - lines: Keeps what is logged.
    ///   - stored: The store; nil for one in memory.
    /// - Throws: What the parts of the server throw when they are made.
    init(
        seed: UInt64, model: RepeatingModel, lister: ListingModel, lines: KeptLines, stored: SQLStore? = nil
    ) async throws {
        generator = SeededBits(state: seed)
        self.model = model
        self.lister = lister
        forge = try TokenForge()
        var parts = ServerParts(try forge.settings([.ec]))
        parts.stored = stored
        let store: any Store = stored ?? parts.store
        let source = FakeEmbedderSource(FakeEmbedder())
        let searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: lines.logger),
            lexicon: LiveLexicon(store: store, logger: lines.logger), embedders: source, now: clock.now,
            logger: lines.logger)
        let answering = AnswerService(
            searching: searcher,
            session: ModelSession(
                model: model, prompts: try PromptLibrary(overrides: nil), now: clock.now, logger: lines.logger),
            turns: store)
        parts.real = (searcher, answering)
        parts.extractionModel = lister
        parts.model = model
        // So little that conversations are summarized, though they are short.
        parts.conversations = ConversationSettings(contextTokenCount: 2_200, partTokenCount: 120)
        parts.now = clock.now
        parts.logger = lines.logger
        parts.metrics = metrics
        worker = IngestWorker(
            store: store, embedders: source, metrics: metrics, now: clock.now, logger: lines.logger)
        mentions = MentionService(
            store: store, answering: answering, settings: MentionSettings(answersPerMinute: 1_000),
            failureText: answering.mentionFailedText(_:), supportNote: answering.supportNote(of:), metrics: metrics,
            now: clock.now, logger: lines.logger)
        self.store = store
        self.parts = parts
    }

    /// Makes the conversations with a few messages each.
    mutating func furnish(_ server: RunningServer) async throws {
        ingest = try await server.key(.ingest)
        admin = try await server.key(.admin)
        for user in Self.users {
            tokens[user] = try await forge.bearer(user.rawValue)
            threads[user] = try await server.thread(of: tokens[user] ?? [])
        }
        for id in Self.ids {
            let first = Set(Self.users.shuffled(using: &generator).prefix(2))
            members[id] = first
            let list = first.sorted().map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
            let visibility = id == Self.open ? "everyone" : "members"
            let body = #"{"id":"\#(id)","visibility":"\#(visibility)","members":[\#(list)]}"#
            try await expect(201, server, "POST", "/v1/conversations", body, ingest)
            for _ in 0..<4 { try await write(server, in: id) }
        }
        try await worker.drain { _ in }
        _ = try await mentions.look(from: nil)
    }

    /// Does one thing that is allowed; what is written is embedded at once, later, or never.
    mutating func change(_ server: RunningServer) async throws {
        clock.advance(by: .seconds(1))
        let id = Self.ids.randomElement(using: &generator) ?? "c0"
        switch Int.random(in: 0..<7, using: &generator) {
        case 0, 1: try await write(server, in: id)
        case 2: try await edit(server)
        case 3: try await delete(server)
        case 4: try await join(server, id)
        case 5: try await leave(server, id)
        default: try await worker.drain { _ in }
        }
        clock.advance(by: .seconds(1))
    }

    mutating func newText(in id: ConversationID) -> (text: String, canary: Canary) {
        count += 1
        let canary = Canary(conversation: id, number: count)
        let words = (0..<4).compactMap { _ in Self.words.randomElement(using: &generator) }
        return ((["topic\(id)", canary.text] + words).shuffled(using: &generator).joined(separator: " "), canary)
    }

    private mutating func write(_ server: RunningServer, in id: ConversationID) async throws {
        guard let sender = members[id]?.sorted().randomElement(using: &generator) else { return }
        let (text, canary) = newText(in: id)
        let key = MessageKey(conversationID: id, messageID: MessageID(rawValue: "m\(count)"))
        let body = #"{"id":"\#(key.messageID)","text":"\#(text)"}"#
        try await expect(201, server, "POST", "/v1/conversations/\(id)/messages", body, tokens[sender] ?? [])
        messages[key] = Written(sender: sender, canary: canary)
    }

    /// A message whose writer still sees it.
    private mutating func anyMessage() -> (MessageKey, Written)? {
        let own = messages.filter { permitted($0.value.sender).contains($0.key.conversationID) }
        let keys = own.keys.sorted { ($0.conversationID, $0.messageID) < ($1.conversationID, $1.messageID) }
        return keys.randomElement(using: &generator).flatMap { key in own[key].map { (key, $0) } }
    }

    private mutating func edit(_ server: RunningServer) async throws {
        // An answered question keeps the words that were asked.
        guard let (key, written) = anyMessage(), !written.isQuestion else { return }
        let (text, canary) = newText(in: key.conversationID)
        try await expect(200, server, "PATCH", Self.path(key), #"{"text":"\#(text)"}"#, tokens[written.sender] ?? [])
        messages[key]?.canary = canary
    }

    private mutating func delete(_ server: RunningServer) async throws {
        guard let (key, written) = anyMessage() else { return }
        try await expect(204, server, "DELETE", Self.path(key), nil, tokens[written.sender] ?? [])
        messages[key] = nil
        deleted.insert(written.canary)
    }

    private mutating func join(_ server: RunningServer, _ id: ConversationID) async throws {
        let user = Self.users.randomElement(using: &generator) ?? "ada"
        try await expect(200, server, "PUT", "/v1/conversations/\(id)/members/\(user)", "{}", ingest)
        members[id, default: []].insert(user)
    }

    private mutating func leave(_ server: RunningServer, _ id: ConversationID) async throws {
        guard let user = members[id]?.sorted().randomElement(using: &generator) else { return }
        try await expect(204, server, "DELETE", "/v1/conversations/\(id)/members/\(user)", nil, tokens[user] ?? [])
        members[id]?.remove(user)
    }

    func permitted(_ user: UserID) -> Set<ConversationID> {
        Set(Self.ids.filter { $0 == Self.open || members[$0]?.contains(user) == true })
    }

    static func path(_ key: MessageKey) -> String {
        "/v1/conversations/\(key.conversationID)/messages/\(key.messageID)"
    }

    func expect(
        _ status: Int, _ server: RunningServer, _ method: String, _ path: String, _ body: String?, _ headers: Headers
    ) async throws {
        let reply = try await server.send(method, path, body, headers: headers)
        #expect(reply.status == status, "\(method) \(path): \(reply.text)")
    }
}
