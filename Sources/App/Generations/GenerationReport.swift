import ChatCore

/// A generation and how far it is.
struct GenerationReport: Codable, Sendable {
    var number: Int64
    var state: EmbeddingGeneration.State
    var provider: String
    var model: String
    var dimensions: Int
    var baseURL: String?
    /// Older messages are left out; ISO 8601.
    var since: String?
    /// The part that must be embedded before it serves.
    var switchShare: Double
    /// The most messages a second while it is filled.
    var fillRate: Double?
    /// When it began to serve last; ISO 8601.
    var servedAt: String?
    /// The part of its messages that is embedded: 0...1.
    var coverage: Double
    /// The tokens that its messages took so far.
    var tokenCount: Int
    /// What they cost, in the currency of the price; nil when no price is known.
    var cost: Double?
    var queue: QueueStatus
    var failures: [String: Int]

    /// Joins a generation with how far it is.
    ///
    /// - Parameters:
    ///   - generation: Which.
    ///   - queue: How far it is.
    ///   - failures: The codes of given-up messages with their counts.
    ///   - usage: What its messages took.
    ///   - pricePerMillion: What a million tokens cost; nothing for the built-in encoder.
    init(
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
    /// The part of the messages that is embedded: 0...1; 1 when there is none.
    var coverage: Double {
        embeddableCount > 0 ? min(1, Double(embeddedCount) / Double(embeddableCount)) : 1
    }
}
