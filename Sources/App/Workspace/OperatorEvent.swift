import ChatCore
import Foundation
import Histories
import MessageStore

/// What comes back while a command is performed; crosses the local socket as lines of JSON.
enum OperatorEvent: Codable, Sendable {
    /// How far it is.
    case progress(StageProgress)
    /// Something of a history that was not taken.
    case rejected(RejectedItem)
    /// It is done; always the last event.
    case done(OperatorOutcome)
    /// It failed; always the last event.
    case failed(OperatorFailure)
}

/// How far a long command is.
struct StageProgress: Codable, Sendable, Equatable {
    /// What is counted.
    enum Stage: String, Codable, Sendable {
        /// Bytes of histories.
        case importing
        /// Messages with their vectors.
        case embedding
        /// Questions of an evaluation.
        case asking
        /// Parts of a conversation.
        case summarizing
        /// Steps of an erasure.
        case erasing
        /// Bytes of files that are searched for what was erased.
        case searching
    }

    var stage: Stage
    var done: Int
    var total: Int
    /// What it has cost so far, in the currency of the price; nil where that is not known or not asked.
    var cost: Double?
}

/// What a command brought.
enum OperatorOutcome: Codable, Sendable {
    case imported(ImportReport, waiting: Int?)
    case embedded(QueueStatus)
    case failedMessages([FailedMessage])
    case retried(count: Int)
    case reembedded(GenerationReport)
    case reembeddingEstimated(ReembeddingEstimate)
    case generations([GenerationReport])
    case generationDropped(number: Int64, freedByteCount: Int)
    case compared(GenerationComparison)
    case feedbackWritten(FeedbackReport)
    case status(WorkspaceStatus)
    case examined([Finding])
    case mapped(messageCount: Int)
    case mappedUsers([UserMapping], messageCount: Int)
    case users([Identity], kinds: [User])
    case userKind(UserKind)
    case conversations([ConversationOverview])
    case conversation(ConversationReport)
    case membersPreviewed([MembershipPreview])
    case keyCreated(CreatedKey)
    case keys([APIKey])
    case backedUp(BackupManifest)
    case erased(ErasureReport)
}

/// Why a command failed: one line for the operator.
struct OperatorFailure: Codable, Sendable, Error, Equatable {
    var message: String
}

/// How a data folder stands.
struct WorkspaceStatus: Codable, Sendable {
    /// A generation and how far it is.
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
    /// What an operator should know or do.
    var notes: [String]
}

/// One thing that `nexus doctor` looked at.
struct Finding: Codable, Sendable, Equatable {
    /// How bad it is.
    enum Verdict: String, Codable, Sendable {
        case good
        case warning
        case bad
    }

    var subject: String
    var verdict: Verdict
    var detail: String
}
