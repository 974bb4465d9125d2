import ChatCore
import Connectors
import Histories
import MessageStore
import UseCases

/// Receives events; throws if nobody listens any longer, which ends the command.
typealias Emit = @Sendable (OperatorEvent) async throws -> Void

/// An event of a running command; it crosses the local socket as a line of JSON.
enum OperatorEvent: Codable, Sendable {
    /// The progress.
    case progress(StageProgress)
    /// An item of a history that was not imported.
    case rejected(RejectedItem)
    /// The result; always the last event.
    case done(OperatorOutcome)
    /// The failure; always the last event.
    case failed(OperatorFailure)
}

/// The progress of a long command.
struct StageProgress: Codable, Sendable, Equatable {
    /// The stage, which decides the unit of the counts.
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
        /// Bytes of files that are searched for erased content.
        case searching
    }

    var stage: Stage
    var done: Int
    var total: Int
    /// The cost so far, in the currency of the price; nil if it is unknown or does not apply.
    var cost: Double?
}

/// The result of a command.
enum OperatorOutcome: Codable, Sendable {
    case imported(ImportReport, waiting: Int?)
    case importPreviewed(HistorySummary, memberships: [MembershipPreview])
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
    case mapped(messageCount: Int, conversationCount: Int?)
    case mappedUsers([UserMapping], messageCount: Int)
    /// Nothing was mapped, because the names may be those of several people.
    case mappingUnconfirmed([NamePlaces])
    case users([Identity], kinds: [User])
    case userKind(UserKind)
    case conversations([ConversationOverview])
    case conversation(ConversationReport)
    case keyCreated(CreatedKey)
    case keys([APIKey])
    case accountLink(AccountLinkReport)
    case accounts([Account])
    case backedUp(BackupManifest)
    case erased(ErasureReport)
    case connections([ConnectionOverview])
    case connectionTested([ConnectionCheck])
    case links([PersonLink])
}
