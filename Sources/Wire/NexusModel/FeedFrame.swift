/// Everything that changed for a reader between two positions of one lane of the log.
public struct FeedFrame: Hashable, Sendable {
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
    /// A new notification of the person, or the present state of a known one.
    case notification(ChatNotification)
    /// All notifications of the person, because some were removed.
    case notifications([ChatNotification])
    /// The person's own settings.
    case settings(ChatSettings)
    /// Devices of the person for push came or went.
    case devices
    /// Scheduled messages of the person came, changed, were sent or refused.
    case scheduled
    /// Threads of the person changed.
    case threads
    /// The answer of a turn is no longer true, because of a later message.
    case outdated(turnId: String, threadId: String?, by: MessagePlace)
    /// A change of a type that a later server sends; it has no effect here.
    case unknown(type: String)

    /// The conversation that it is about.
    public var conversationId: String? {
        switch self {
        case .message(let message, _): message.conversationId
        case .conversation(let conversation, _, _): conversation.id
        case .deletion(let id, _, _), .departure(let id), .receipt(_, let id), .items(let id): id
        case .notification, .notifications, .settings, .devices, .scheduled, .threads, .outdated, .unknown: nil
        }
    }
}

extension FeedFrame: Decodable {
    public init(from decoder: any Decoder) throws {
        let content = try FeedFrameContent(from: decoder)
        self.init(
            lane: content.lane, prev: content.prev, pos: content.pos, cursor: content.cursor,
            changes: content.changes.map { FeedChange($0) }, limited: content.limited)
    }
}

extension FeedChange: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try FeedChangeContent(from: decoder)) }

    /// The change that a frame has the fields of.
    init(_ content: FeedChangeContent) {
        switch (content.type, content.conversationId) {
        case ("message", _):
            guard let message = content.message else { break }
            self = .message(message, mentions: content.mentions ?? [])
            return
        case ("deletion", let id?):
            guard let message = content.messageId else { break }
            self = .deletion(conversationId: id, messageId: message, seq: content.seq)
            return
        case ("conversation", _):
            guard let conversation = content.conversation else { break }
            self = .conversation(conversation, members: content.members ?? [], receipts: content.receipts ?? [])
            return
        case ("departure", let id?):
            self = .departure(conversationId: id)
            return
        case ("receipt", let id?):
            guard let receipt = content.receipt else { break }
            self = .receipt(receipt, conversationId: id)
            return
        case ("items", let id?):
            self = .items(conversationId: id)
            return
        case ("notification", _):
            guard let notification = content.notification else { break }
            self = .notification(notification)
            return
        case ("notifications", _):
            guard let notifications = content.notifications else { break }
            self = .notifications(notifications)
            return
        case ("devices", _):
            self = .devices
            return
        case ("scheduled", _):
            self = .scheduled
            return
        case ("settings", _):
            guard let settings = content.settings else { break }
            self = .settings(settings)
            return
        case ("threads", _):
            self = .threads
            return
        case ("outdated", _):
            guard let turn = content.turnId, let message = content.by else { break }
            self = .outdated(turnId: turn, threadId: content.threadId, by: message)
            return
        default: break
        }
        self = .unknown(type: content.type)
    }
}
