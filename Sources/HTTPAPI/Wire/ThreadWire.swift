public import ChatCore

/// A thread as it goes over the wire.
public struct ThreadWire: Codable, Hashable, Sendable {
    /// Its id.
    public let id: ThreadID
    /// What it is called; empty before the first question, when no title was given.
    public let title: String
    /// The conversation whose own assistant is asked there.
    public let conversationId: ConversationID?
    /// How many turns it has.
    public let turnCount: Int
    /// When it was begun.
    public let createdAt: WireTime
    /// When something was asked in it last.
    public let updatedAt: WireTime

    public init(_ thread: AssistantThread) {
        id = thread.id
        title = thread.title
        conversationId = thread.conversationID
        turnCount = thread.turnCount
        createdAt = WireTime(thread.createdAt)
        updatedAt = WireTime(thread.updatedAt)
    }
}

/// A page of threads; `next` is what `after` takes for those used before, and missing on the last page.
struct ThreadPage: Encodable {
    let threads: [ThreadWire]
    let next: String?

    /// Takes the first `limit` of what was found.
    init(_ found: [AssistantThread], limit: Int) {
        let shown = found.prefix(limit)
        threads = shown.map { ThreadWire($0) }
        next = found.count > limit ? shown.last.map { "\($0.place.updatedAt.microseconds).\($0.id)" } : nil
    }

    /// Reads what `next` of a page said: it stays good when the thread there is used again, or deleted.
    static func place(of text: String) throws(FieldError) -> AssistantThread.Place {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let moment = Int64(parts[0]), let id = ThreadID(validating: String(parts[1])) else {
            throw FieldError(FieldPath("after"), "must be what next of a page said")
        }
        return AssistantThread.Place(updatedAt: Timestamp(microseconds: moment), id: id)
    }
}
