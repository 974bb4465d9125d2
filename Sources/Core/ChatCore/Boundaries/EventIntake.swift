/// The state of one message or conversation at a time, as reported by a source that sends its changes.
///
/// Events may arrive repeatedly and in any order.
public struct SourceEvent: Hashable, Sendable {
    /// The message or conversation with its state; nil if it was deleted.
    public enum Subject: Hashable, Sendable {
        /// A message. An empty sender's name means the stored name. If the message already exists, only the sender, the
        /// text and the time are updated.
        case message(MessageKey, Message?)
        /// A conversation with its present members. An empty member's name means the stored name. If the conversation
        /// already exists, its name and members are updated, and nothing else.
        case conversation(ConversationID, ConversationRoster?)
    }

    /// The event's id, unique within its source.
    public let id: String
    /// The source of the event.
    public let source: String
    /// The time since which this state is valid, by the source's clock.
    public let stateTime: Timestamp
    /// The reported state.
    public let subject: Subject

    public init(id: String, source: String, stateTime: Timestamp, subject: Subject) {
        self.id = id
        self.source = source
        self.stateTime = stateTime
        self.subject = subject
    }
}

/// The result for an event.
public enum EventOutcome: Hashable, Sendable {
    /// The state is stored, or was stored already.
    case stored
    /// The subject was deleted, or will not arrive.
    case deleted
    /// The same event arrived before.
    case duplicate
    /// A later state is known.
    case outdated
    /// Its message was deleted or erased before; it stays so.
    case deletedBefore
    /// Its conversation does not exist; the event is not remembered, so that it can be sent again.
    case noSuchConversation
    /// The event breaks a rule; it is not remembered.
    case invalid(field: String, reason: String)
}

/// Stores the changes that a source reports.
public protocol EventIntake: Sendable {
    /// Stores one event, in one transaction.
    ///
    /// A repeated event is recognised for at least seven days. The deletion of a message that never arrived leaves a
    /// tombstone.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - authorSource: The source of the senders' ids; see ``Identity``.
    ///   - moment: The present time.
    /// - Returns: The result for the event.
    /// - Throws: ``RepositoryError``; then the event can be sent again.
    func take(_ event: SourceEvent, authorSource: String, at moment: Timestamp) async throws -> EventOutcome
}

extension SourceEvent {
    /// How long a repeated event is recognised, in microseconds: longer than sources repeat one.
    public static let memory: Int64 = 7 * 86_400 * 1_000_000
    /// The longest id or source that is accepted, in bytes.
    public static let idByteLimit = 1_024

    /// The error in its names; nil when there is none.
    public var refusal: EventOutcome? {
        for (field, text) in [("id", id), ("source", source)] {
            guard !text.isEmpty, text.utf8.count <= Self.idByteLimit, !text.utf8.contains(0) else {
                return .invalid(field: field, reason: "must have 1 to \(Self.idByteLimit) bytes")
            }
        }
        return nil
    }
}
