/// One entry of the change log: it says what changed, not the new state.
///
/// A follower reads the present state of the subject, which may have been deleted since.
public struct Change: Hashable, Sendable {
    /// The changed object and the kind of change.
    public enum Subject: Hashable, Sendable {
        /// A conversation, its members or its visibility changed.
        case conversation
        /// A message was added, edited, mapped to another user, or deleted.
        case message(MessageID)
        /// A passage got its vector in a generation.
        case embedded(PassageNumber, GenerationNumber)
        /// A passage was deleted from every generation.
        case retired(PassageNumber)
        /// Items of the conversation were added, changed or deleted.
        case items
        /// A user's threads, or turns in one of them, were added, changed or deleted; nil in entries of earlier versions.
        case threads(UserID?)
        /// A user became a member of the conversation, or is one no longer.
        case membership(UserID)
        /// A member's read position moved.
        case receipt(UserID)
        /// Something that only this user sees changed: own settings, read position, notifications, or how far own
        /// messages have come.
        case personal(UserID)
        /// A generation was begun, switched to or dropped.
        case generation(GenerationNumber)
        /// An erased message lost its row; only a store that several nodes share reports it.
        case erased(MessageNumber)
        /// An administrator decided about the connection to another chat, or events of one arrived.
        case connections
    }

    /// Its lane in the log, from 0.
    public let lane: Int
    /// Its number in the lane.
    public let number: ChangeNumber
    /// The conversation; nil for changes outside a single conversation.
    public let conversationID: ConversationID?
    /// The changed object and the kind of change.
    public let subject: Subject

    public init(lane: Int = 0, number: ChangeNumber, conversationID: ConversationID?, subject: Subject) {
        self.lane = lane
        self.number = number
        self.conversationID = conversationID
        self.subject = subject
    }
}

extension Change {
    /// The changed message; nil for other changes.
    public var messageKey: MessageKey? {
        guard case .message(let id) = subject, let conversationID else { return nil }
        return MessageKey(conversationID: conversationID, messageID: id)
    }

    /// The message that lost its row; nil for other changes.
    public var erasedMessage: MessageNumber? {
        if case .erased(let number) = subject { number } else { nil }
    }

    /// Whether another generation may serve from here.
    public var concernsGenerations: Bool {
        if case .generation = subject { true } else { false }
    }
}

/// The number of rows that an index of the store has at a position of the change log.
public struct IndexCensus: Hashable, Sendable {
    /// Passages with a vector, or messages with content.
    public let count: Int
    /// The end of the log at that moment.
    public let cursor: ChangeCursor

    public init(count: Int, cursor: ChangeCursor) {
        self.count = count
        self.cursor = cursor
    }
}
