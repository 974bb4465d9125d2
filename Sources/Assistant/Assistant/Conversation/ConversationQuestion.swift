package import ChatCore
import Prompting

/// A question to the assistant inside a conversation.
package struct ConversationQuestion: Hashable, Sendable {
    /// The question; nil for a summary.
    package var text: String?
    /// The conversation.
    package var conversationID: ConversationID
    /// The user who asks.
    package var asker: UserID
    /// Selects the messages to use.
    package var filter: ConversationFilter
    /// The IANA name of the asker's time zone; nil for the zone of the conversation.
    package var timeZone: String?
    /// The tag of the answer's language, such as `de`; nil for the language of the question, or of the messages for a
    /// summary.
    package var language: String?
    /// When it was asked; nil for the moment when the answer begins.
    package var askedAt: Timestamp?
    /// Whether the answer is sent piece by piece.
    package var streams: Bool

    package init(
        text: String?, conversationID: ConversationID, asker: UserID, filter: ConversationFilter = ConversationFilter(),
        timeZone: String? = nil, language: String? = nil, streams: Bool = false
    ) {
        self.text = text
        self.conversationID = conversationID
        self.asker = asker
        self.filter = filter
        self.timeZone = timeZone
        self.language = language
        self.streams = streams
    }

    /// Whether a tag names a language that an answer can have, such as `de` or `pt-BR`.
    package static func isLanguage(_ tag: String) -> Bool { AnswerLanguage(tag: tag) != nil }
}

/// Selects messages of a conversation; without conditions it selects all.
package struct ConversationFilter: Hashable, Sendable {
    /// Only messages written at this moment or later.
    package var since: Timestamp?
    /// Only messages after this one.
    package var after: MessageID?
    /// Only messages of others, because the asker has read their own.
    package var isUnread: Bool
    /// Only the thread that begins with this message: it, messages that name it as their thread, and replies to them.
    package var threadRootID: MessageID?
    /// Only messages of this sender.
    package var senderID: UserID?

    package init(
        since: Timestamp? = nil, after: MessageID? = nil, isUnread: Bool = false, threadRootID: MessageID? = nil,
        senderID: UserID? = nil
    ) {
        self.since = since
        self.after = after
        self.isUnread = isUnread
        self.threadRootID = threadRootID
        self.senderID = senderID
    }

    /// Whether every message passes.
    package var isEmpty: Bool { self == ConversationFilter() }

    /// Returns the messages that pass the filter.
    ///
    /// - Parameters:
    ///   - messages: The conversation in order of time.
    ///   - reader: The user who asks.
    ///   - id: The conversation.
    /// - Returns: Some of them, in order.
    /// - Throws: ``RepositoryError/noSuchMessage(_:)`` if the filter names a message that is not among them.
    func admitted(_ messages: [Message], reader: UserID, in id: ConversationID) throws(RepositoryError) -> [Message] {
        var rest = messages[...]
        if let after {
            guard let place = rest.firstIndex(where: { $0.key.messageID == after }) else {
                throw .noSuchMessage(MessageKey(conversationID: id, messageID: after))
            }
            rest = rest[(place + 1)...]
        }
        var thread: Set<MessageID> = []
        if let threadRootID {
            // The first message may be deleted.
            let isKnown = messages.contains { message in
                [message.key.messageID, message.threadRootID, message.replyToID].contains(threadRootID)
            }
            guard isKnown else {
                throw .noSuchMessage(MessageKey(conversationID: id, messageID: threadRootID))
            }
            thread = Self.thread(from: threadRootID, in: messages)
        }
        return rest.filter { message in
            if let since, message.timestamp < since { return false }
            if isUnread, message.senderID == reader { return false }
            if let senderID, message.senderID != senderID { return false }
            return threadRootID == nil || thread.contains(message.key.messageID)
        }
    }

    /// Returns the messages of a thread; a reply comes after the message that it answers.
    private static func thread(from root: MessageID, in messages: [Message]) -> Set<MessageID> {
        messages.reduce(into: [root]) { thread, message in
            guard message.threadRootID == root || message.replyToID.map(thread.contains) == true else { return }
            thread.insert(message.key.messageID)
        }
    }
}
