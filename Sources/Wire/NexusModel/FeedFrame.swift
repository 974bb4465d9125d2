/// Everything that changed for a reader between two positions of one lane of the log.
public struct FeedFrame: Hashable, Sendable, Decodable {
    /// The lane of the log.
    public var lane: Int
    /// The position that the client must be at.
    public var prev: Int64
    /// The position after the frame.
    public var pos: Int64
    /// The cursor after the frame.
    public var cursor: FeedCursor
    /// The present state of what changed.
    public var changes: [FeedChange]
    /// Conversations with too many changes: their messages are loaded again.
    public var limited: [String]?

    public init(
        lane: Int = 0, prev: Int64, pos: Int64, cursor: FeedCursor, changes: [FeedChange], limited: [String]? = nil
    ) {
        self.lane = lane
        self.prev = prev
        self.pos = pos
        self.cursor = cursor
        self.changes = changes
        self.limited = limited
    }
}

/// The present state of something that changed.
public enum FeedChange: Hashable, Sendable {
    /// A message that was written or changed.
    case message(ChatMessage, mentions: [ChatMessage.Mention])
    /// A message that was deleted.
    case deletion(conversationId: String, messageId: String, seq: Int64?)
    /// A conversation with its present members and their receipts.
    case conversation(ChatConversation, members: [ChatMember], receipts: [ChatReceipt])
    /// The person no longer sees a conversation.
    case departure(conversationId: String)
    /// A member read on, or marked messages as unread.
    case receipt(ChatReceipt, conversationId: String)
    /// Items of a conversation changed.
    case items(conversationId: String)
    /// The person's own settings.
    case settings(ChatSettings)
    /// Threads of the person changed.
    case threads
    /// A change of a type that a later server sends; it has no effect here.
    case unknown(type: String)

    /// The conversation that it is about.
    public var conversationId: String? {
        switch self {
        case .message(let message, _): message.conversationId
        case .conversation(let conversation, _, _): conversation.id
        case .deletion(let id, _, _), .departure(let id), .receipt(_, let id), .items(let id): id
        case .settings, .threads, .unknown: nil
        }
    }
}

extension FeedChange: Decodable {
    private enum Keys: String, CodingKey {
        case type
        case message
        case mentions
        case seq
        case conversationId
        case messageId
        case conversation
        case members
        case receipts
        case receipt
        case settings
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        func id() throws -> String { try fields.decode(String.self, forKey: .conversationId) }
        let type = try fields.decode(String.self, forKey: .type)
        switch type {
        case "message":
            self = .message(
                try fields.decode(ChatMessage.self, forKey: .message),
                mentions: try fields.decodeIfPresent([ChatMessage.Mention].self, forKey: .mentions) ?? [])
        case "deletion":
            self = .deletion(
                conversationId: try id(), messageId: try fields.decode(String.self, forKey: .messageId),
                seq: try fields.decodeIfPresent(Int64.self, forKey: .seq))
        case "conversation":
            self = .conversation(
                try fields.decode(ChatConversation.self, forKey: .conversation),
                members: try fields.decodeIfPresent([ChatMember].self, forKey: .members) ?? [],
                receipts: try fields.decodeIfPresent([ChatReceipt].self, forKey: .receipts) ?? [])
        case "departure": self = .departure(conversationId: try id())
        case "receipt":
            self = .receipt(try fields.decode(ChatReceipt.self, forKey: .receipt), conversationId: try id())
        case "items": self = .items(conversationId: try id())
        case "settings": self = .settings(try fields.decode(ChatSettings.self, forKey: .settings))
        case "threads": self = .threads
        default: self = .unknown(type: type)
        }
    }
}
