import ChatCore

/// The state of a data folder.
struct WorkspaceStatus: Codable, Sendable {
    /// A generation and its progress.
    struct Generation: Codable, Sendable {
        var number: Int64
        var state: EmbeddingGeneration.State
        var provider: String
        var model: String
        var dimensions: Int
        var queue: QueueStatus
        var failures: [String: Int]
        var report: EmbeddingReport
    }

    var dataFolder: String
    /// Whether a server owns the folder and answered.
    var isServed: Bool
    /// The server's address, once it listens.
    var address: String?
    var generations: [Generation]
    /// Passages that searches can find now.
    var searchablePassages: Int
    /// The code of the embedding service's present failure.
    var embeddingTrouble: String?
    /// A line about each room that is kept from another chat system, and about the system; nil if there is none.
    var sources: [String]?
    /// Notes and advice for the operator.
    var notes: [String]
}
