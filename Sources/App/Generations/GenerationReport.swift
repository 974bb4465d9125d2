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
    var queue: QueueStatus
    var failures: [String: Int]

    /// Joins a generation with how far it is.
    init(_ generation: EmbeddingGeneration, queue: QueueStatus, failures: [String: Int]) {
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
