/// What a source that sends its changes tells of one message or conversation: its state at a time.
///
/// Events may come more than once and in any order.
public struct SourceEvent: Hashable, Sendable {
    /// What has which state; nil where it has been deleted.
    public enum Subject: Hashable, Sendable {
        /// A message. An empty sender's name stands for the one that is known here. Of a message that exists already
        /// the sender, the text and the time are renewed, all else stays.
        case message(MessageKey, Message?)
        /// A conversation with its present members. An empty name of a member stands for the one that is known here.
        /// Of a conversation that exists already its name is renewed, and members come and go; all else stays.
        case conversation(ConversationID, ConversationRoster?)
    }

    /// The event's id, unique within its source.
    public let id: String
    /// Where events come from.
    public let source: String
    /// Since when it is so, by the source's clock.
    public let stateTime: Timestamp
    /// What is so.
    public let subject: Subject

    public init(id: String, source: String, stateTime: Timestamp, subject: Subject) {
        self.id = id
        self.source = source
        self.stateTime = stateTime
        self.subject = subject
    }
}

/// What became of an event.
public enum EventOutcome: Hashable, Sendable {
    /// What it told of is stored, or was so already.
    case stored
    /// What it told of was deleted, or does not come any more.
    case deleted
    /// It came before.
    case duplicate
    /// A later state is known.
    case outdated
    /// Its message was deleted or erased before; it stays so.
    case deletedBefore
    /// Its conversation does not exist; the event is not remembered, so that it can be sent again.
    case noSuchConversation
    /// Something of it breaks a rule; the event is not remembered.
    case invalid(field: String, reason: String)
}

/// Takes in what a source tells of its changes.
public protocol EventIntake: Sendable {
    /// Takes in one event, in one transaction.
    ///
    /// It is known again for at least seven days. The deletion of a message that never came leaves a tombstone.
    ///
    /// - Parameters:
    ///   - event: What is told.
    ///   - authorSource: Where the senders' ids come from; see ``Identity``.
    ///   - moment: The present time.
    /// - Returns: What became of it.
    /// - Throws: ``RepositoryError``; the event can be sent again then.
    func take(_ event: SourceEvent, authorSource: String, at moment: Timestamp) async throws -> EventOutcome
}

extension SourceEvent {
    /// How long an event is known again, in microseconds: longer than sources send one again.
    public static let memory: Int64 = 7 * 86_400 * 1_000_000
    /// The longest id or source that is taken, in bytes.
    public static let idByteLimit = 1_024

    /// What is wrong with its names; nil when nothing is.
    public var refusal: EventOutcome? {
        for (field, text) in [("id", id), ("source", source)] {
            guard !text.isEmpty, text.utf8.count <= Self.idByteLimit, !text.utf8.contains(0) else {
                return .invalid(field: field, reason: "must have 1 to \(Self.idByteLimit) bytes")
            }
        }
        return nil
    }
}
