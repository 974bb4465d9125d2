package import ChatCore
package import NexusModel

extension ChatThread {
    package init(_ thread: AssistantThread) {
        self.init(
            id: thread.id.rawValue, title: thread.title, conversationId: thread.conversationID?.rawValue,
            turnCount: thread.turnCount, createdAt: thread.createdAt.wireDate, updatedAt: thread.updatedAt.wireDate)
    }
}

extension ChatThreadPage {
    /// Shows the first `limit` threads.
    init(_ found: [AssistantThread], limit: Int) {
        let shown = found.prefix(limit)
        self.init(
            threads: shown.map { ChatThread($0) },
            next: found.count > limit ? shown.last.map { "\($0.place.updatedAt.microseconds).\($0.id)" } : nil)
    }

    /// Reads the `next` of a page, which stays valid if its thread is used again or deleted.
    static func place(of text: String) throws(FieldError) -> AssistantThread.Place {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let moment = Int64(parts[0]), let id = ThreadID(validating: String(parts[1])) else {
            throw FieldError(FieldPath("after"), "must be next of an earlier page")
        }
        return AssistantThread.Place(updatedAt: Timestamp(microseconds: moment), id: id)
    }
}
