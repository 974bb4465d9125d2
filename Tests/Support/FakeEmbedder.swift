package import ChatCore
import Synchronization

/// An embedder whose vectors can be stated by hand: one component a word of its vocabulary, 1 where the text holds
/// it, and a last one of 0.1 so that no vector is zero; then unit length.
package final class FakeEmbedder: Embedder {
    private struct State {
        var failures: [ModelServiceError] = []
        var standing: ModelServiceError?
        var batches: [[String]] = []
    }

    private let words: [String]
    private let model: String
    private let passageTokenCount: Int
    private let badTexts: @Sendable (String) -> ModelServiceError?
    private let tokenCount: @Sendable (String) -> Int?
    private let state = Mutex(State())

    /// Makes an embedder.
    ///
    /// - Parameters:
    ///   - words: Its vocabulary, lower-case; vectors have one dimension more.
    ///   - model: Its name in the space.
    ///   - passageTokenCount: How many tokens a passage may have, by estimate.
    ///   - badTexts: A text for which this gives an error fails any batch that holds it.
    ///   - tokenCount: The tokens of a text, as the service counts them; nil if it counts none.
    package init(
        words: [String] = ["pilot", "berth", "cat", "money"], model: String = "fake",
        passageTokenCount: Int = PassageLimit.defaultTokenCount,
        badTexts: @escaping @Sendable (String) -> ModelServiceError? = { _ in nil },
        tokenCount: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) {
        self.words = words
        self.model = model
        self.passageTokenCount = passageTokenCount
        self.badTexts = badTexts
        self.tokenCount = tokenCount
    }

    /// The batches that were embedded or refused, in order.
    package var batches: [[String]] { state.withLock { $0.batches } }

    /// Lets the next calls fail, one error each.
    package func failNext(_ errors: ModelServiceError...) {
        state.withLock { $0.failures += errors }
    }

    /// Lets all calls fail until nil is given.
    package func failAlways(_ error: ModelServiceError?) {
        state.withLock { $0.standing = error }
    }

    /// The vector of a text.
    package func vector(of text: String) -> [Float] {
        let lower = text.lowercased()
        let components = words.map { lower.contains($0) ? Float(1) : 0 } + [0.1]
        let length = components.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return components.map { $0 / length }
    }

    /// See `Embedder`.
    package func space() async throws -> EmbeddingSpace {
        if let error = state.withLock({ $0.standing }) { throw error }
        return EmbeddingSpace(provider: "fake", model: model, dimensions: words.count + 1)
    }

    /// See `Embedder`.
    package func passageLimit() async throws -> PassageLimit { PassageLimit(tokenCount: passageTokenCount) }

    /// See `Embedder`.
    package func embed(_ texts: [String], as purpose: EmbeddingPurpose) async throws -> EmbeddingReply {
        let failure = state.withLock { state -> ModelServiceError? in
            state.batches.append(texts)
            return state.standing ?? (state.failures.isEmpty ? nil : state.failures.removeFirst())
        }
        if let failure { throw failure }
        for text in texts { if let error = badTexts(text) { throw error } }
        let counts = texts.compactMap(tokenCount)
        return EmbeddingReply(
            outcomes: texts.map { .vector(vector(of: $0)) },
            tokenCount: counts.count == texts.count ? counts.reduce(0, +) : nil)
    }
}

/// Knows one embedder for everything, or one a generation.
package struct FakeEmbedderSource: EmbedderSource {
    /// See `EmbedderSource`.
    package let configured: any Embedder
    /// See `EmbedderSource`.
    package let configuredBaseURL: String?
    private let others: [String: any Embedder]

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - configured: The embedder of new generations, and of all models that are not named.
    ///   - others: Embedders by their model's name.
    ///   - baseURL: The address of the configured embedder's service; nil for none.
    package init(_ configured: any Embedder, others: [String: any Embedder] = [:], baseURL: String? = nil) {
        self.configured = configured
        configuredBaseURL = baseURL
        self.others = others
    }

    /// See `EmbedderSource`.
    package func embedder(for generation: EmbeddingGeneration) async throws -> any Embedder {
        others[generation.space.model] ?? configured
    }
}
