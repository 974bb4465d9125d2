/// The replies to a message that a reader may see: messages that reply to it, and those of its thread.
public struct ReplySummary: Hashable, Sendable {
    /// How many there are, without deleted ones.
    public let count: Int
    /// When the last one was written.
    public let lastAt: Timestamp

    public init(count: Int, lastAt: Timestamp) {
        self.count = count
        self.lastAt = lastAt
    }
}

extension Message {
    /// Returns the message as a reader sees it: only the sender's devices get the local id.
    public func shown(to reader: UserID?) -> Message {
        guard localID != nil, senderID != reader else { return self }
        var message = self
        message.localID = nil
        return message
    }
}
