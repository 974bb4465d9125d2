/// A frame as JSON; ``FeedFrame`` is what a client makes of it.
public struct FeedFrameContent: Hashable, Sendable, Codable {
    /// The version of the format; nil from a server that does not say.
    public var v: Int?
    /// The lane of the log.
    public var lane: Int
    /// The position that the client must be at.
    public var prev: Int64
    /// The position after the frame.
    public var pos: Int64
    /// The cursor after the frame.
    public var cursor: FeedCursor
    /// The present state of what changed.
    public var changes: [FeedChangeContent]
    /// Conversations with too many changes: their messages are loaded again; nil for none.
    public var limited: [String]?

    public init(
        v: Int? = 1, lane: Int = 0, prev: Int64, pos: Int64, cursor: FeedCursor, changes: [FeedChangeContent],
        limited: [String]? = nil
    ) {
        self.v = v
        self.lane = lane
        self.prev = prev
        self.pos = pos
        self.cursor = cursor
        self.changes = changes
        self.limited = limited
    }
}

/// A change of a frame as JSON: ``type`` says which of the other fields are there.
public struct FeedChangeContent: Hashable, Sendable, Codable {
    /// The word that tells changes apart; a later server sends more of them.
    public var type: String
    /// Of `message`: its present state.
    public var message: ChatMessage?
    /// Of `message`: the members whom it mentions; nil for none.
    public var mentions: [ChatMessage.Mention]?
    /// Of `deletion`: the position of the deleted message.
    public var seq: Int64?
    /// Of `deletion`, `departure`, `receipt` and `items`.
    public var conversationId: String?
    /// Of `deletion`.
    public var messageId: String?
    /// Of `conversation`: its present state.
    public var conversation: ChatConversation?
    /// Of `conversation`: its present members.
    public var members: [ChatMember]?
    /// Of `conversation`: how far its members have read.
    public var receipts: [ChatReceipt]?
    /// Of `receipt`.
    public var receipt: ChatReceipt?
    /// Of `notification`: a new one.
    public var notification: ChatNotification?
    /// Of `notifications`: all of them.
    public var notifications: [ChatNotification]?
    /// Of `settings`.
    public var settings: ChatSettings?
    /// Of `outdated`: the turn of the answer.
    public var turnId: String?
    /// Of `outdated`: the thread of the turn; nil for a single question.
    public var threadId: String?
    /// Of `outdated`: the later message.
    public var by: MessagePlace?

    public init(type: String) { self.type = type }

    /// Reads the fields of a known type; of an unknown one only the type, because its fields may mean something else.
    ///
    /// - Throws: `DecodingError` for a known type without a field that it must have.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        type = try fields.decode(String.self, forKey: .type)
        switch type {
        case "message":
            message = try fields.decode(ChatMessage.self, forKey: .message)
            mentions = try fields.decodeIfPresent([ChatMessage.Mention].self, forKey: .mentions)
        case "deletion":
            conversationId = try fields.decode(String.self, forKey: .conversationId)
            messageId = try fields.decode(String.self, forKey: .messageId)
            seq = try fields.decodeIfPresent(Int64.self, forKey: .seq)
        case "conversation":
            conversation = try fields.decode(ChatConversation.self, forKey: .conversation)
            members = try fields.decodeIfPresent([ChatMember].self, forKey: .members)
            receipts = try fields.decodeIfPresent([ChatReceipt].self, forKey: .receipts)
        case "departure", "items": conversationId = try fields.decode(String.self, forKey: .conversationId)
        case "receipt":
            conversationId = try fields.decode(String.self, forKey: .conversationId)
            receipt = try fields.decode(ChatReceipt.self, forKey: .receipt)
        case "settings": settings = try fields.decode(ChatSettings.self, forKey: .settings)
        case "outdated":
            turnId = try fields.decode(String.self, forKey: .turnId)
            threadId = try fields.decodeIfPresent(String.self, forKey: .threadId)
            by = try fields.decode(MessagePlace.self, forKey: .by)
        case "notification": notification = try? fields.decode(ChatNotification.self, forKey: .notification)
        case "notifications": notifications = try? fields.decode([ChatNotification].self, forKey: .notifications)
        default: break
        }
    }
}
