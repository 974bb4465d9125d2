/// Messages that people wrote to be sent later: nobody else learns of them before.
///
/// A message and the end of its schedule are stored in one transaction. So it is sent once, however many nodes look, and
/// also if a process is killed. Whether its author may write is asked when it is sent. All calls throw
/// ``RepositoryError``.
public protocol ScheduledMessageRepository: Sendable {
    /// Returns a person's scheduled messages, the next one first.
    ///
    /// - Parameters:
    ///   - author: The person.
    ///   - place: The place of the last message of the page before; nil for the first page.
    ///   - limit: The most messages.
    /// - Returns: The messages.
    /// - Throws: Storage errors.
    func scheduledMessages(
        of author: UserID, after place: ScheduledMessage.Place?, limit: Int
    ) async throws -> [ScheduledMessage]

    /// Stores a scheduled message.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - limit: The most scheduled messages of its author.
    ///   - moment: The present time.
    /// - Returns: Whether it is new; false if the same one is stored already.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` if the author does not see the conversation;
    ///   ``RepositoryError/conflict(_:)`` if its id has other content; ``RepositoryError/invalid(field:reason:)``, also
    ///   if the author has reached the limit.
    func schedule(_ message: ScheduledMessage, limit: Int, at moment: Timestamp) async throws -> Bool

    /// Gives a scheduled message another text or time; nil keeps it. Another time lets one that was refused wait again.
    ///
    /// - Returns: The message as it is now.
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``, also if it was sent meanwhile;
    ///   ``RepositoryError/invalid(field:reason:)``.
    func changeScheduled(
        _ id: MessageID, of author: UserID, text: String?, sendAt: Timestamp?
    ) async throws -> ScheduledMessage

    /// Deletes a scheduled message.
    ///
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``, also if it was sent meanwhile.
    func deleteScheduled(_ id: MessageID, of author: UserID) async throws

    /// Sends a scheduled message now, also one that was refused.
    ///
    /// - Parameters:
    ///   - id: The message.
    ///   - author: Its author.
    ///   - moment: The present time, which the message gets.
    /// - Returns: What became of it; unless it was stored, the scheduled message stays as it was.
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``, also if it was sent meanwhile.
    func sendScheduled(
        _ id: MessageID, of author: UserID, at moment: Timestamp
    ) async throws -> (message: Message, posted: PostedMessage)

    /// Sends the scheduled message that has been due longest, as its author.
    ///
    /// One that is refused stays with the reason, and is not tried again.
    ///
    /// - Parameters:
    ///   - lateLimit: A message that was due longer ago is refused.
    ///   - moment: The present time, which the message gets.
    /// - Returns: What became of it; nil if none is due.
    /// - Throws: ``RepositoryError``.
    func sendNextScheduled(lateLimit: Duration, at moment: Timestamp) async throws -> ScheduledSending?

    /// Returns when the next scheduled message is due; nil if none waits.
    func nextScheduledMessage() async throws -> Timestamp?
}

/// A message that its author wrote to be sent later.
public struct ScheduledMessage: Hashable, Sendable {
    /// Why it was not sent.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// The author does not see the conversation any more.
        case conversationLeft = "conversation_left"
        /// The author's account is disabled.
        case accountDisabled = "account_disabled"
        /// The author does not see the message any more to which it replies.
        case replyGone = "reply_gone"
        /// The server was down for too long.
        case missed
        /// It breaks another rule for messages.
        case notAccepted = "not_accepted"
    }

    /// The place of a message in the list of its author: it stays the same if others are sent or deleted.
    public struct Place: Hashable, Sendable {
        /// When the message is to be sent: the first order.
        public let sendAt: Timestamp
        /// When it was scheduled: the order among those of the same time.
        public let createdAt: Timestamp
        /// Its id: the last order.
        public let id: MessageID

        public init(sendAt: Timestamp, createdAt: Timestamp, id: MessageID) {
            (self.sendAt, self.createdAt, self.id) = (sendAt, createdAt, id)
        }
    }

    /// The place of this message.
    public var place: Place { Place(sendAt: sendAt, createdAt: createdAt, id: id) }

    /// The most scheduled messages of a person.
    public static let limit = 100
    /// The most days between now and the time of a scheduled message.
    public static let dayLimit = 366

    /// Its id, which the message keeps.
    public let id: MessageID
    /// Its author.
    public let authorID: UserID
    /// The author's name outside of the conversation; nil if it is unknown.
    public let authorName: String?
    /// The conversation.
    public let conversationID: ConversationID
    /// The text.
    public var text: String
    /// The message to which it replies; nil if there is none.
    public let replyToID: MessageID?
    /// The first message of its thread; nil outside of threads.
    public let threadRootID: MessageID?
    /// When it is to be sent.
    public var sendAt: Timestamp
    /// Why it was not sent; nil while it waits.
    public var refusal: Refusal?
    /// When it was scheduled.
    public let createdAt: Timestamp

    public init(
        id: MessageID, authorID: UserID, authorName: String? = nil, conversationID: ConversationID, text: String,
        replyToID: MessageID? = nil, threadRootID: MessageID? = nil, sendAt: Timestamp, refusal: Refusal? = nil,
        createdAt: Timestamp
    ) {
        self.id = id
        self.authorID = authorID
        self.authorName = authorName
        self.conversationID = conversationID
        self.text = text
        self.replyToID = replyToID
        self.threadRootID = threadRootID
        self.sendAt = sendAt
        self.refusal = refusal
        self.createdAt = createdAt
    }

    /// Returns the message as it is sent at a moment.
    public func message(at moment: Timestamp) -> Message {
        Message(
            key: MessageKey(conversationID: conversationID, messageID: id), senderID: authorID,
            senderName: authorID.rawValue, text: text, timestamp: moment, replyToID: replyToID,
            threadRootID: threadRootID)
    }
}

/// What became of a scheduled message whose time has come.
public enum ScheduledSending: Hashable, Sendable {
    /// It is in the conversation.
    case sent
    /// It stays with the reason.
    case refused(ScheduledMessage.Refusal)
    /// It was sent, changed or deleted a moment before.
    case outdated
}

extension ScheduledMessageRepository {
    /// Returns all scheduled messages of a person, the next one first.
    public func scheduledMessages(of author: UserID) async throws -> [ScheduledMessage] {
        try await scheduledMessages(of: author, after: nil, limit: .max)
    }

    /// Returns a scheduled message of a person.
    ///
    /// - Throws: ``RepositoryError/noSuchScheduledMessage(_:)``.
    public func scheduledMessage(_ id: MessageID, of author: UserID) async throws -> ScheduledMessage {
        guard let found = try await scheduledMessages(of: author).first(where: { $0.id == id }) else {
            throw RepositoryError.noSuchScheduledMessage(id)
        }
        return found
    }
}
