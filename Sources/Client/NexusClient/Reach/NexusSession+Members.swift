public import NexusModel

/// Groups and their members.
extension NexusSession {
    /// Lists the members of a conversation, past ones too, 50 a page and by user.
    public func members(
        of conversation: String, after user: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> ChatMemberPage {
        let query = Self.query(["limit": "\(limit)", "after": user])
        return try await fetch("GET", path(conversation, "members") + query)
    }

    /// Finds people of the server by the beginning of a word of the name or the id, best first.
    public func people(matching text: String, limit: Int = 20) async throws(SessionError) -> [ChatPerson] {
        let found: ChatPeople = try await fetch("GET", "/v1/people" + Self.query(["q": text, "limit": "\(limit)"]))
        return found.people
    }

    /// Adds a person to a group, or joins an open one oneself.
    public func addMember(_ user: String, to conversation: String) async throws(SessionError) {
        try await change("PUT", path(conversation, "members", user), [String: String]())
    }

    /// Removes a person from a group.
    public func removeMember(_ user: String, from conversation: String) async throws(SessionError) {
        try await change("DELETE", path(conversation, "members", user))
    }

    /// Leaves a group.
    ///
    /// - Parameter conversation: The group.
    /// - Throws: ``SessionError``; `user_required` if nobody knows yet who the person is.
    public func leave(_ conversation: String) async throws(SessionError) {
        guard let user = state.userID ?? user else {
            throw .refused(status: 400, code: "user_required", detail: "", retryAfter: nil)
        }
        try await removeMember(user, from: conversation)
    }

    /// Makes a member an administrator of a group, or no longer.
    public func setRole(
        _ role: ChatMember.Role, of user: String, in conversation: String
    ) async throws(SessionError) {
        try await change("PUT", path(conversation, "members", user, "role"), ["role": role.rawValue])
    }

    /// Renames a group.
    public func rename(_ conversation: String, to name: String) async throws(SessionError) {
        try await change("PUT", path(conversation, "name"), ["name": name])
    }

    /// Decides whether people who join a group later read what was written before.
    public func setHistory(_ history: ChatConversation.History, of conversation: String) async throws(SessionError) {
        try await change("PUT", path(conversation, "history"), ["history": history.rawValue])
    }

    /// Changes the person's own settings of a conversation, for example that it is muted.
    ///
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - body: Changes the settings as they are known.
    /// - Returns: The settings from now on.
    /// - Throws: ``SessionError``.
    @discardableResult
    public func changePreferences(
        of conversation: String, _ body: @Sendable (inout ChatPreferences) -> Void
    ) async throws(SessionError) -> ChatPreferences {
        var next =
            state.conversations[conversation]?.entry.preferences
            ?? ChatPreferences(muted: false, archived: false, pinned: false)
        body(&next)
        return try await fetch("PUT", path(conversation, "preferences"), next)
    }
}
