public import ChatCore

/// What is to be erased.
public enum ErasureSubject: Hashable, Sendable, Codable {
    /// Everything that a user wrote, asked and is called.
    case user(UserID)
    /// A conversation with everything in it.
    case conversation(ConversationID)
}

/// How much an erasure concerns, or took away.
public struct ErasureCounts: Hashable, Sendable, Codable {
    /// Messages that had content, or the mark of a deletion.
    public var messages = 0
    /// Passages with their vectors, of all generations.
    public var vectors = 0
    /// Entries of the queue.
    public var queued = 0
    /// Turns that the user asked for, or that were asked of the conversation's own assistant.
    public var turns = 0
    /// Turns of others, emptied since they stood on erased messages.
    public var redactedTurns = 0
    /// Memberships.
    public var memberships = 0
    /// Authors of sources, with names and addresses.
    public var identities = 0
    /// Messages of others that lost a reaction.
    public var reactions = 0
    /// Conversations.
    public var conversations = 0

    /// Makes counts of nothing.
    public init() {}

    /// Whether there is nothing of it.
    public var isEmpty: Bool { self == ErasureCounts() }
}
