public import NexusModel

/// Threads, stored questions, and feedback.
extension NexusAssistant {
    /// Makes a thread of questions; without a title the first question names it.
    public func createThread(title: String? = nil) async throws(SessionError) -> ChatThread {
        try await session.fetch("POST", "/v1/threads", TitleBody(title: title))
    }

    /// Lists the person's threads, the last used first.
    public func threads(after place: String? = nil, limit: Int = 50) async throws(SessionError) -> ChatThreadPage {
        try await session.fetch("GET", "/v1/threads" + NexusSession.query(["limit": "\(limit)", "after": place]))
    }

    /// Renames a thread.
    public func renameThread(_ thread: String, to title: String) async throws(SessionError) -> ChatThread {
        try await session.fetch("PATCH", "/v1/threads/" + NexusSession.encoded(thread), TitleBody(title: title))
    }

    /// Deletes a thread with its questions.
    public func deleteThread(_ thread: String) async throws(SessionError) {
        try await session.change("DELETE", "/v1/threads/" + NexusSession.encoded(thread))
    }

    /// Lists the person's questions, newest first; those of one thread if it is given.
    public func turns(
        of thread: String? = nil, before turn: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> ChatTurnPage {
        let query = NexusSession.query(["limit": "\(limit)", "threadId": thread, "before": turn])
        return try await session.fetch("GET", "/v1/turns" + query)
    }

    /// Lists the person's questions to the assistant of a conversation, newest first.
    public func exchange(
        in conversation: String, before turn: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> ChatTurnPage {
        let query = NexusSession.query(["limit": "\(limit)", "before": turn])
        return try await session.fetch("GET", NexusSession.path(conversation, "assistant") + query)
    }

    /// Deletes the person's questions to the assistant of a conversation.
    public func clearExchange(in conversation: String) async throws(SessionError) {
        try await session.change("DELETE", NexusSession.path(conversation, "assistant"))
    }

    /// Rates an answer; the last rating counts.
    public func rate(
        _ turn: String, _ rating: FeedbackRating, reason: String? = nil
    ) async throws(SessionError) -> ChatTurn {
        try await session.fetch("POST", Self.feedback(turn), FeedbackBody(rating: rating, reason: reason))
    }

    /// Takes the person's rating of an answer back.
    public func removeRating(of turn: String) async throws(SessionError) {
        try await session.change("DELETE", Self.feedback(turn))
    }

    private static func feedback(_ turn: String) -> String { "/v1/turns/\(NexusSession.encoded(turn))/feedback" }
}

/// A title of a thread.
private struct TitleBody: Encodable {
    let title: String?
}

/// A rating.
private struct FeedbackBody: Encodable {
    let rating: FeedbackRating
    let reason: String?
}
