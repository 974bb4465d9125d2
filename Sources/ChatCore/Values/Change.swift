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

    /// Its place in the sequence.
    public let number: ChangeNumber
    /// The conversation it happened in; nil for what concerns no single one.
    public let conversationID: ConversationID?
    /// What happened to what.
    public let subject: Subject

    /// Makes an entry from its parts.
    public init(number: ChangeNumber, conversationID: ConversationID?, subject: Subject) {
        self.number = number
        self.conversationID = conversationID
        self.subject = subject
    }
}

/// How many rows an index of the store has at one place of the change sequence.
public struct IndexCensus: Hashable, Sendable {
    /// Passages with a vector, or messages with content.
    public let count: Int
    /// The newest change at that moment.
    public let change: ChangeNumber

    /// Makes the value from its parts.
    public init(count: Int, change: ChangeNumber) {
        self.count = count
        self.change = change
    }
}
