import ChatCore
import MessageStore
import Retrieval
import Synchronization
import TestSupport
import Testing

/// Searches through the real index by vectors alone, and by brute force over what must be there.
struct SearchesByVectors {
    private static let limit = 10

    private let searcher: HybridSearcher
    private let embedder: QuestionEmbedder
    private let dimensions: Int

    /// Builds an index over a store whose vectors are those of ``StubVectors``.
    init(over store: SQLStore, dimensions: Int, now: @escaping @Sendable () -> Timestamp) {
        self.dimensions = dimensions
        embedder = QuestionEmbedder(dimensions: dimensions)
        let index = LiveIndex(store: store, logger: .silent)
        var settings = RetrievalSettings()
        settings.lexical.isOn = false
        settings.selection.groupsRepeats = false
        (settings.fusion.window, settings.fusion.answer, settings.fusion.question) = (0, 0, 0)
        (settings.fusion.time, settings.fusion.speaker, settings.fusion.place, settings.fusion.date) = (0, 0, 0, 0)
        searcher = HybridSearcher(
            store: store, index: index, lexicon: LiveLexicon(store: store, logger: .silent),
            embedders: FakeEmbedderSource(embedder), settings: settings, now: now,
            logger: .silent)
    }

    /// Expects each question's hits to be those of brute force.
    ///
    /// - Parameters:
    ///   - questions: What is asked.
    ///   - passages: The text of every passage that must be there, by its message; nothing else may be found.
    /// - Throws: What the search throws, and what ends a test that does not find what it must.
    func expectBruteForce(_ questions: [String], over passages: [MessageKey: String]) async throws {
        let vectors = passages.mapValues { Self.unit(StubVectors.vector(for: $0, dimensions: dimensions)) }
        for question in questions {
            embedder.ask(question)
            let result = try await searcher.search(
                SearchRequest(
                    question: question, scope: SearchScope(asker: "ada", conversations: .all), limit: Self.limit))
            let query = Self.unit(StubVectors.vector(for: question, dimensions: dimensions))
            let cosines = vectors.mapValues { vector in zip(query, vector).reduce(0) { $0 + $1.0 * $1.1 } }
            let best = cosines.values.sorted(by: >).prefix(Self.limit)

            try #require(result.hits.count == best.count)
            for (hit, wanted) in zip(result.hits, best) {
                let own = try #require(cosines[hit.message.key], "\(hit.message.key) was found and is not there")
                try #require(abs(hit.relevance - own) < 1e-5)
                try #require(abs(own - wanted) < 1e-5)
            }
        }
    }

    private static func unit(_ vector: [Float]) -> [Double] {
        let length = vector.reduce(0) { $0 + Double($1) * Double($1) }.squareRoot()
        return vector.map { Double($0) / length }
    }
}

/// Gives the vector of the question that is asked, whatever a search makes of its words.
private final class QuestionEmbedder: Embedder {
    private let dimensions: Int
    private let question = Mutex("")

    init(dimensions: Int) {
        self.dimensions = dimensions
    }

    func ask(_ text: String) { question.withLock { $0 = text } }

    func space() async throws -> EmbeddingSpace {
        EmbeddingSpace(provider: "compatible", model: "stub", dimensions: dimensions)
    }

    func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let vector = StubVectors.vector(for: question.withLock { $0 }, dimensions: dimensions)
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return EmbeddingReply(outcomes: texts.map { _ in .vector(vector.map { $0 / length }) })
    }
}
