package import ChatCore

/// A generation and its progress.
package struct GenerationReport: Codable, Sendable {
    package var number: Int64
    package var state: EmbeddingGeneration.State
    package var provider: String
    package var model: String
    package var dimensions: Int
    package var baseURL: String?
    /// The time before which messages are left out; ISO 8601.
    package var since: String?
    /// The share that must be embedded before it serves.
    package var switchShare: Double
    /// The most messages per second while it is filled.
    package var fillRate: Double?
    /// When it last began to serve; ISO 8601.
    package var servedAt: String?
    /// The share of its messages that is embedded: 0...1.
    package var coverage: Double
    /// The tokens that its messages used so far.
    package var tokenCount: Int
    /// Their price, in the configured currency; nil without a price.
    package var cost: Double?
    package var queue: QueueStatus
    package var failures: [String: Int]

    /// Joins a generation with its progress.
    ///
    /// - Parameters:
    ///   - generation: The generation.
    ///   - queue: Its progress.
    ///   - failures: The codes of given-up messages with their counts.
    ///   - usage: The tokens that its messages used.
    ///   - pricePerMillion: The price of a million tokens; the built-in encoder costs nothing.
    package init(
        _ generation: EmbeddingGeneration, queue: QueueStatus, failures: [String: Int], usage: EmbeddingUsage,
        pricePerMillion: Double?
    ) {
        number = generation.number.rawValue
        state = generation.state
        provider = generation.space.provider
        model = generation.space.model
        dimensions = generation.space.dimensions
        baseURL = generation.baseURL
        since = generation.since?.iso8601
        switchShare = generation.switchShare
        fillRate = generation.fillRate
        servedAt = generation.servedAt?.iso8601
        coverage = queue.coverage
        tokenCount = usage.tokenCount
        cost = (generation.baseURL == nil ? 0 : pricePerMillion).map { usage.cost(at: $0) }
        self.queue = queue
        self.failures = failures
    }
}

extension QueueStatus {
    /// The share of the messages that is embedded: 0...1; 1 without messages.
    package var coverage: Double {
        embeddableCount > 0 ? min(1, Double(embeddedCount) / Double(embeddableCount)) : 1
    }
}
