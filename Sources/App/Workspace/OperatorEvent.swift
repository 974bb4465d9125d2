import ChatCore
import Foundation
import HTTPAPI
import Ingest

/// What comes back while a command is performed; crosses the local socket as lines of JSON.
package enum OperatorEvent: Codable, Sendable {
    /// How far it is.
    case progress(StageProgress)
    /// A line of a history that was not taken.
    case rejected(RejectedLine)
    /// It is done; always the last event.
    case done(OperatorOutcome)
    /// It failed; always the last event.
    case failed(OperatorFailure)
}

/// How far a long command is.
package struct StageProgress: Codable, Sendable, Equatable {
    /// What is counted.
    package enum Stage: String, Codable, Sendable {
        /// Bytes of histories.
        case importing
        /// Messages with their vectors.
        case embedding
    }

    package var stage: Stage
    package var done: Int
    package var total: Int
}

/// What a command brought.
package enum OperatorOutcome: Codable, Sendable {
    case imported(ImportReport, waiting: Int)
    case embedded(QueueStatus)
    case found([SearchWire.Found])
    case answered(AnswerWire)
    case status(WorkspaceStatus)
    case examined([Finding])
    case mapped(messageCount: Int)
    case users([Identity])
}

/// Why a command failed: one line for the operator.
package struct OperatorFailure: Codable, Sendable, Error, Equatable {
    package var message: String
}

/// How a data folder stands.
package struct WorkspaceStatus: Codable, Sendable {
    /// A generation and how far it is.
    package struct Generation: Codable, Sendable {
        package var number: Int64
        package var state: EmbeddingGeneration.State
        package var provider: String
        package var model: String
        package var dimensions: Int
        package var queue: QueueStatus
        package var failures: [String: Int]
    }

    package var dataFolder: String
    /// Whether a server owns the folder and answered.
    package var isServed: Bool
    package var generations: [Generation]
    /// Passages that searches can find now.
    package var searchablePassages: Int
    /// The code of the embedding service's present failure.
    package var embeddingTrouble: String?
    /// What an operator should know or do.
    package var notes: [String]
}

/// One thing that `nexus doctor` looked at.
package struct Finding: Codable, Sendable, Equatable {
    /// How bad it is.
    package enum Verdict: String, Codable, Sendable {
        case good
        case warning
        case bad
    }

    package var subject: String
    package var verdict: Verdict
    package var detail: String
}
