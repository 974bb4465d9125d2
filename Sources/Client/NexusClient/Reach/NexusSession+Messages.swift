public import NexusModel

/// More of single messages.
extension NexusSession {
    /// Marks a message and all later ones as unread.
    public func markUnread(from message: String, in conversation: String) async throws(SessionError) {
        try await change("POST", path(conversation, "unread"), ["from": message])
    }

    /// Returns who has received and read a message.
    public func receipts(
        of message: String, in conversation: String
    ) async throws(SessionError) -> MessageReceiptCounts {
        try await fetch("GET", path(conversation, "messages", message, "receipts"))
    }

    /// Returns everybody who reacted to a message.
    public func reactions(
        to message: String, in conversation: String
    ) async throws(SessionError) -> [ReactionList.Reaction] {
        let list: ReactionList = try await fetch("GET", path(conversation, "messages", message, "reactions"))
        return list.reactions
    }

    /// Lists the replies to a message and those of its thread, oldest first.
    public func replies(
        to message: String, in conversation: String, after reply: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> ReplyPage {
        let query = Self.query(["limit": "\(limit)", "after": reply])
        return try await fetch("GET", path(conversation, "messages", message, "replies") + query)
    }
}
