public import NexusModel

/// Action items, decisions, deadlines, and help inside a conversation.
extension NexusAssistant {
    /// Lists items: open ones first, then earlier dates first.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - conversation: The conversation; nil for all of the person.
    ///   - assignee: Only those of this person; `me` for the caller. Decisions have none.
    ///   - status: `open` or `done`; decisions have none.
    ///   - item: The last item of the page before.
    ///   - limit: The most items.
    /// - Returns: A page.
    /// - Throws: ``SessionError``.
    public func items(
        _ kind: ChatItemKind, in conversation: String? = nil, assignee: String? = nil, status: String? = nil,
        after item: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> ChatItemPage {
        let path = conversation.map { NexusSession.path($0, kind.rawValue) } ?? "/v1/\(kind.rawValue)"
        let query = NexusSession.query(
            ["limit": "\(limit)", "assignee": assignee, "status": status, "after": item])
        return try await session.fetch("GET", path + query)
    }

    /// Reads the new messages of a conversation and returns all items of a kind; needs a language model.
    public func extract(
        _ kind: ChatItemKind, in conversation: String, timeZone: String? = nil
    ) async throws(SessionError) -> ChatExtraction {
        try await session.fetch(
            "POST", NexusSession.path(conversation, kind.rawValue, "extract"), ZoneBody(timeZone: timeZone),
            timeout: .seconds(300))
    }

    /// Changes an item; what a person changed is not overwritten by the assistant.
    public func change(
        _ item: ChatItem, of kind: ChatItemKind, _ change: ChatItemChange
    ) async throws(SessionError) -> ChatItem {
        try await session.fetch("PATCH", NexusSession.path(item.conversationId, kind.rawValue, item.id), change)
    }

    /// Deletes an item for good.
    public func dismiss(_ item: ChatItem, of kind: ChatItemKind) async throws(SessionError) {
        try await session.change("DELETE", NexusSession.path(item.conversationId, kind.rawValue, item.id))
    }

    /// Suggests replies to the last message of a conversation.
    public func smartReplies(
        in conversation: String, timeZone: String? = nil
    ) async throws(SessionError) -> SmartReplies {
        try await session.fetch(
            "POST", NexusSession.path(conversation, "smart-replies"), ZoneBody(timeZone: timeZone))
    }

    /// Returns prompts to offer to people in a conversation.
    public func suggestions(in conversation: String) async throws(SessionError) -> [PromptSuggestion] {
        let list: PromptSuggestionList = try await session.fetch(
            "GET", NexusSession.path(conversation, "assistant", "suggestions"))
        return list.suggestions
    }

    /// Judges how urgent the messages of others after a message are, the most urgent first; needs a language model.
    public func priorities(
        in conversation: String, after message: String
    ) async throws(SessionError) -> [MessagePriority] {
        let list: MessagePriorityList = try await session.fetch(
            "POST", NexusSession.path(conversation, "priorities"), ["after": message], timeout: .seconds(300))
        return list.messages
    }
}

/// The zone of a request.
private struct ZoneBody: Encodable {
    let timeZone: String?
}
