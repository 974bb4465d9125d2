import ChatCore
import Synchronization

/// The simplest store that keeps the promises of the boundary protocols: everything is searched from end to end.
///
/// For the tests of other modules, and as the model that the real store is compared with.
package final class InMemoryStore: Store {
    private let state = Mutex(InMemoryState())
    let candidateReads = Mutex(0)
    let latest = ChangeSignal(.position(ChangeNumber(rawValue: 0)))

    /// Makes an empty store.
    package init() {}

    /// How many messages were read for searches.
    package var candidateReadCount: Int { candidateReads.withLock { $0 } }

    /// Returns a store that holds now what this one holds, as a backup that is restored.
    package func copied() -> InMemoryStore {
        let copy = InMemoryStore()
        let present = state.withLock { $0 }
        copy.state.withLock { $0 = present }
        copy.latest.tell(present.end)
        return copy
    }

    func read<Value: Sendable>(_ body: (InMemoryState) throws(RepositoryError) -> Value) throws(RepositoryError)
        -> Value
    {
        try state.withLock { state throws(RepositoryError) in try body(state) }
    }

    /// Changes the state; a failure leaves everything as it was.
    func write<Value: Sendable>(
        _ body: (inout InMemoryState) throws(RepositoryError) -> Value
    ) throws(RepositoryError) -> Value {
        try change(body)
    }

    /// Changes the state unless it fails, also with an error of another kind.
    func change<Value: Sendable, Fault: Error>(
        _ body: (inout InMemoryState) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        try state.withLock { state throws(Fault) in
            var draft = state
            let value = try body(&draft)
            state = draft
            latest.tell(draft.end)
            return value
        }
    }
}

/// Everything that the store in memory knows.
struct InMemoryState: Sendable {
    struct StoredMessage: Sendable {
        var message: Message
        var arrival: Int
        var revision = 1
        var source: String
        var authorID: String
        /// Whether it turned out to have nothing to embed.
        var isEmpty = false
        var textChangedAt: Timestamp?

        var number: MessageNumber { MessageNumber(rawValue: Int64(arrival)) }

        var isEmbeddable: Bool {
            !isEmpty && message.deletedAt == nil && message.kind.isTalk
                && !message.searchableText.trimmingWhitespace().isEmpty
        }
    }

    struct StoredConversation: Sendable {
        struct Membership: Sendable {
            var member: Member
            var source: String
            var authorID: String
            var importer: String?
        }

        var conversation: Conversation
        /// When the last complete list of its members was made.
        var listedAt: Timestamp?
        var number: ConversationNumber
        var members: [UserID: Membership] = [:]
        /// When people may read, with a limited history; "" for everybody.
        var spans: [UserID: [ReadingSpan]] = [:]
        var embedding = ConversationEmbedding(choice: .standard, isExcluded: false)
    }

    struct Author: Hashable, Sendable {
        var source: String
        var id: String
    }

    struct QueueEntry: Sendable {
        enum State: Sendable, Equatable {
            case ready
            case leased(until: Timestamp)
            case waiting(until: Timestamp)
            case failed(code: String, reason: String, at: Timestamp)
        }

        var state = State.ready
        var attempts = 0
        var isBacklog: Bool
        var queuedAt: Timestamp
    }

    struct StoredPassage: Sendable {
        var key: MessageKey
        var generation: GenerationNumber
        var range: Range<Int>
        var contentHash: [UInt8]
        var vector: [Float]
    }

    var conversations: [ConversationID: StoredConversation] = [:]
    var identities: [Author: UserID] = [:]
    var authors: [Author: Identity] = [:]
    /// Users whose kind was stated.
    var statedKinds: [UserID: UserKind] = [:]
    var messages: [MessageKey: StoredMessage] = [:]
    var generations: [EmbeddingGeneration] = []
    var queue: [GenerationNumber: [MessageKey: QueueEntry]] = [:]
    /// Whether a history is read at present.
    var isImporting = false
    var passages: [PassageNumber: StoredPassage] = [:]
    var passageCount: Int64 = 0
    /// What embedding took, by day.
    var usage: [Int: [GenerationNumber: EmbeddingUsage]] = [:]
    /// What questions took, by day.
    var questionUsage: [Int: [GenerationNumber: EmbeddingUsage]] = [:]
    var items: [ExtractedItem] = []
    var summaries: [SpanSummary] = []
    /// The change that told of an item last.
    var itemChanges: [ItemID: ChangeNumber] = [:]
    /// The same of threads, and of turns in threads.
    var threadChanges: [ThreadID: ChangeNumber] = [:]
    var turnChanges: [TurnID: ChangeNumber] = [:]
    /// What went from lists that are followed.
    var removals: [Removal] = []
    var mentions: [MessageKey: StoredMention] = [:]
    /// What answers of the assistant stand on, by answer.
    var mentionSources: [MessageKey: Set<MessageKey>] = [:]
    var deliveries: [MessageKey: StoredDelivery] = [:]
    var mentionWatermark: ChangeNumber?
    var outdated: [OutdatedNote] = []
    var outdatedWatermark: ChangeNumber?
    var verdicts: [StoredVerdict] = []
    var extractions: [ExtractionPlace: StoredExtraction] = [:]
    /// What users' questions took of a language model, by day.
    var userTokens: [Int: [UserID: Int]] = [:]
    var arrivalCount = 0
    var changes: [Change] = []
    var turns: [Turn] = []
    /// The last message that had arrived when a turn that stands on a whole conversation was kept.
    var turnBounds: [TurnID: Int] = [:]
    var threads: [AssistantThread] = []
    var traces: [TurnID: TurnTrace] = [:]
    var snapshots: [GenerationNumber: SnapshotRecord] = [:]
    var wordSnapshot: SnapshotRecord?
    var excludesDirect = false
    var keys: [APIKey.ID: StoredAPIKey] = [:]
    /// Entries of the audit log, each with the id of its act.
    var audit: [(act: String, entry: AuditEntry)] = []
    var tombstones: Set<MessageKey> = []
    var events: [EventName: Timestamp] = [:]
    /// The states that events told of last.
    var messageTimes: [MessageKey: Timestamp] = [:]
    var conversationTimes: [ConversationID: Timestamp] = [:]

    mutating func append(_ subject: Change.Subject, in conversationID: ConversationID?) {
        let number = ChangeNumber(rawValue: Int64(changes.count) + 1)
        changes.append(Change(number: number, conversationID: conversationID, subject: subject))
    }

    /// Returns the user behind an author, who becomes known if need be.
    mutating func user(of author: Author) -> UserID {
        if let known = identities[author] { return known }
        let user = UserID(rawValue: author.id)
        identities[author] = user
        return user
    }

    func isPresent(_ user: UserID, in stored: StoredConversation, at moment: Timestamp) -> Bool {
        guard let member = stored.members[user]?.member else { return false }
        return member.leftAt.map { $0 > moment } ?? true
    }

    func mayRead(_ user: UserID, _ id: ConversationID, at moment: Timestamp) -> Bool {
        guard let stored = conversations[id] else { return false }
        let isOpen = stored.conversation.visibility == .everyone && kind(of: user) == .member
        return isOpen || isPresent(user, in: stored, at: moment)
    }
}
