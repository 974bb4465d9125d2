import ChatCore
import Ingest
import Logging
import Retrieval
import TestSupport

/// A search over a store in memory.
struct SearchFixture: Sendable {
    let store = InMemoryStore()
    let clock = ManualNow()
    let searcher: HybridSearcher
    private let worker: IngestWorker

    /// - Parameters:
    ///   - embedder: Embeds messages and questions.
    ///   - baseURL: The address of its service; nil for one in this process.
    init(_ embedder: any Embedder = FakeEmbedder(), at baseURL: String? = nil) {
        let source = FakeEmbedderSource(embedder, baseURL: baseURL)
        searcher = HybridSearcher(
            store: store, index: LiveIndex(store: store, logger: .silent),
            lexicon: LiveLexicon(store: store, logger: .silent), embedders: source, now: clock.now, logger: .silent)
        worker = IngestWorker(store: store, embedders: source, now: clock.now, logger: .silent)
    }

    /// Makes conversations whose members are all of those given.
    func open(_ conversations: ConversationID..., members: [UserID]) async throws {
        _ = try await store.store(
            conversations.map { .sample($0, members: members) }, source: "test", mode: .importing, at: clock.now())
    }

    /// Stores messages and embeds them.
    func add(_ messages: Message...) async throws {
        try await accept(messages)
        try await embed()
    }

    /// Stores messages alone.
    func accept(_ messages: [Message]) async throws {
        _ = try await store.accept(messages, source: "test", mode: .importing, at: clock.now())
    }

    /// Embeds what is not embedded yet.
    func embed() async throws { try await worker.drain { _ in } }

    /// Asks as Ada, with explanations.
    func search(
        _ question: String, settings: RetrievalSettings = RetrievalSettings(), limit: Int = 50,
        previousQuestions: [String] = []
    ) async throws -> SearchResult {
        try await searcher.with(settings).search(
            SearchRequest(
                question: question, scope: SearchScope(asker: "ada", conversations: .all), limit: limit,
                previousQuestions: previousQuestions, explains: true))
    }
}

extension SearchResult {
    /// The messages found, best first.
    var ids: [MessageID] { hits.map(\.message.key.messageID) }

    /// What counted for a message, by name.
    func signals(of id: MessageID) -> [String: HitExplanation.Signal] {
        let hit = hits.first { $0.message.key.messageID == id }
        return Dictionary(
            (hit?.explanation?.signals ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the contributions of every hit add up to its score.
    var addsUp: Bool {
        hits.allSatisfy { hit in
            let sum = hit.explanation?.signals.reduce(0) { $0 + $1.contribution }
            return sum.map { abs($0 - hit.score) < 1e-9 } == true
        }
    }
}

extension RetrievalSettings {
    /// Settings with some changes.
    static func with(_ change: (inout RetrievalSettings) -> Void) -> RetrievalSettings {
        var settings = RetrievalSettings()
        change(&settings)
        return settings
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
