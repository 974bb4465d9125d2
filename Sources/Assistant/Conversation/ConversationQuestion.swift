public import ChatCore
import Prompting

/// Something that is asked of the assistant inside a conversation.
public struct ConversationQuestion: Hashable, Sendable {
    /// What is asked; nil for a summary.
    public var text: String?
    /// Where.
    public var conversationID: ConversationID
    /// Who asks.
    public var asker: UserID
    /// Which of its messages are meant.
    public var filter: ConversationFilter
    /// The IANA name of the asker's zone; nil for the conversation's.
    public var timeZone: String?
    /// The tag of the language of the answer, as `de`; nil for that of the question, and for a summary that of the
    /// messages.
    public var language: String?
    /// When it was asked; nil for the moment when the answer begins.
    public var askedAt: Timestamp?
    /// Whether the answer is wanted piece by piece.
    public var streams: Bool

    public init(
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

    /// Whether a tag names a language that an answer can be asked for in, as `de` or `pt-BR`.
    public static func isLanguage(_ tag: String) -> Bool { AnswerLanguage(tag: tag) != nil }
}

/// Which messages of a conversation are meant; without any condition all.
public struct ConversationFilter: Hashable, Sendable {
    /// Those written at this moment or later.
    public var since: Timestamp?
    /// Those that stand behind this message.
    public var after: MessageID?
    /// Those of others: what the asker wrote is not unread.
    public var isUnread: Bool
    /// Those of the thread that begins with this message: it, those that name it as their thread, and replies to them.
    public var threadRootID: MessageID?
    /// Those of this person.
    public var senderID: UserID?

    public init(
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
    public var isEmpty: Bool { self == ConversationFilter() }

    /// Returns the messages that pass.
    ///
    /// - Parameters:
    ///   - messages: The conversation in order of time.
    ///   - reader: Who asks.
    ///   - id: The conversation.
    /// - Returns: Some of them, in order.
    /// - Throws: ``RepositoryError/noSuchMessage(_:)`` when a message that is named is not among them.
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
            guard messages.contains(where: { $0.key.messageID == threadRootID }) else {
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

    /// Returns the messages of a thread; a reply stands behind what it answers.
    private static func thread(from root: MessageID, in messages: [Message]) -> Set<MessageID> {
        messages.reduce(into: [root]) { thread, message in
            guard message.threadRootID == root || message.replyToID.map(thread.contains) == true else { return }
            thread.insert(message.key.messageID)
        }
    }
}
