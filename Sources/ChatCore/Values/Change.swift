/// One entry of the change sequence: what happened, not what it looks like now.
///
/// A follower reads the present state of what an entry names; an entry may name what has gone since.
public struct Change: Hashable, Sendable {
    /// What happened to what.
    public enum Subject: Hashable, Sendable {
        /// A conversation, its members or its visibility changed.
        case conversation
        /// A message came, was edited, mapped to another user, or was deleted.
        case message(MessageID)
        /// A passage got its vector in a generation.
        case embedded(PassageNumber, GenerationNumber)
        /// A passage has gone, from every generation.
        case retired(PassageNumber)
        /// What was extracted from messages of the conversation came, changed or went.
        case items
        /// Somebody's threads, or turns in one of them, came, changed or went; the entry does not say whose.
        case threads
        /// A generation was begun, switched to or dropped.
        case generation(GenerationNumber)
    }

    /// The lane of the log that it is in, from 0.
    public let lane: Int
    /// Its place in the lane.
    public let number: ChangeNumber
    /// The conversation it happened in; nil for what concerns no single one.
    public let conversationID: ConversationID?
    /// What happened to what.
    public let subject: Subject

    public init(lane: Int = 0, number: ChangeNumber, conversationID: ConversationID?, subject: Subject) {
        self.lane = lane
        self.number = number
        self.conversationID = conversationID
        self.subject = subject
    }
}

extension Change {
    /// The message that it tells of; nil when it tells of something else.
    public var messageKey: MessageKey? {
        guard case .message(let id) = subject, let conversationID else { return nil }
        return MessageKey(conversationID: conversationID, messageID: id)
    }

    /// Whether another generation may serve from here on.
    public var concernsGenerations: Bool {
        if case .generation = subject { true } else { false }
    }
}

/// How many rows an index of the store has at one place of the change sequence.
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
