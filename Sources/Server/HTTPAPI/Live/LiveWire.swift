import ChatCore
import NexusModel

/// The part of a conversation that each person has for himself or herself.
struct OwnPart: Encodable {
    /// The newest message, shortened.
    struct LastMessage: Encodable {
        let id: MessageID
        let senderId: UserID
        let senderName: String
        let text: String
        let attachments: [ChatMessage.Attachment]?
        let timestamp: WireTime
    }

    /// The most characters of a last message.
    static let excerptLength = 150

    let head: Int64
    let lastMessage: LastMessage?
    let activeAt: WireTime
    let readSeq: Int64
    let unreadCount: Int
    let mentionCount: Int
    let firstUnreadId: MessageID?
    let role: MemberRole?
    let admins: [UserID]?
    let preferences: ConversationPreferences

    init(_ entry: InboxEntry) {
        head = entry.head
        lastMessage = entry.lastMessage.map { message in
            LastMessage(
                id: message.key.messageID, senderId: message.senderID, senderName: message.senderName,
                text: String(message.text.prefix(Self.excerptLength)),
                attachments: message.attachments.isEmpty ? nil : message.attachments.map { ChatMessage.Attachment($0) },
                timestamp: WireTime(message.timestamp))
        }
        activeAt = WireTime(entry.activeAt)
        readSeq = entry.readSeq
        unreadCount = entry.unreadCount
        mentionCount = entry.mentionCount
        firstUnreadId = entry.firstUnreadID
        role = entry.role
        admins = entry.admins.isEmpty ? nil : entry.admins
        preferences = entry.preferences
    }
}

/// The state of everything that a person sees, and the position of the feed after it.
struct SyncWire: Encodable {
    let cursor: ChangeCursor
    let conversations: [ConversationWire]
    let notifications: [NotificationWire]
    let settings: PersonalSettingsWire

    init(_ state: PersonalState) {
        cursor = state.cursor
        conversations = state.entries.map { ConversationWire($0) }
        notifications = state.notifications.map { NotificationWire($0) }
        settings = PersonalSettingsWire(state.settings)
    }
}

/// The JSON form of a receipt.
struct ReceiptWire: Encodable {
    let userId: UserID
    let readSeq: Int64
    let readAt: WireTime?
    let deliveredSeq: Int64
    let joinedSeq: Int64

    init(_ receipt: Receipt) {
        userId = receipt.userID
        readSeq = receipt.readSeq
        readAt = receipt.readAt.map { WireTime($0) }
        deliveredSeq = receipt.deliveredSeq
        joinedSeq = receipt.joinedSeq
    }
}

/// The receipts of a conversation.
struct ReceiptList: Encodable {
    let receipts: [ReceiptWire]
}

/// A frame of the feed: everything that changed for its reader between two positions.
struct FeedFrame: Encodable {
    let v = 1
    let lane: Int
    /// The position that the client must be at.
    let prev: Int64
    /// The position after the frame.
    let pos: Int64
    /// The cursor after the frame.
    let cursor: ChangeCursor
    let changes: [FeedChangeWire]
    /// Conversations with too many changes: the client loads their messages again.
    let limited: [ConversationID]?

    init(_ page: FeedPage, after start: ChangeCursor, links: MessageLinkTemplate?) {
        // The log of SQLite has one lane.
        lane = 0
        prev = start.positions[0].rawValue
        pos = page.end.positions[0].rawValue
        cursor = page.end
        changes = page.changes.map { FeedChangeWire(change: $0, links: links) }
        limited = page.limited.isEmpty ? nil : page.limited
    }
}

/// One change of a frame; `type` says what it is.
struct FeedChangeWire: Encodable {
    let change: ChatCore.FeedChange
    let links: MessageLinkTemplate?

    private enum Keys: String, CodingKey {
        case type
        case message
        case seq
        case mentions
        case conversationId
        case messageId
        case conversation
        case members
        case receipts
        case receipt
        case notification
        case notifications
        case settings
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        switch change {
        case .message(let message, let position, let mentions):
            try fields.encode("message", forKey: .type)
            try fields.encode(ChatMessage(message, at: position, links: links), forKey: .message)
            if !mentions.isEmpty { try fields.encode(mentions, forKey: .mentions) }
        case .deletion(let key, let position):
            try fields.encode("deletion", forKey: .type)
            try fields.encode(key.conversationID, forKey: .conversationId)
            try fields.encode(key.messageID, forKey: .messageId)
            try fields.encodeIfPresent(position.seq, forKey: .seq)
        case .conversation(let entry, let members, let receipts):
            try fields.encode("conversation", forKey: .type)
            try fields.encode(ConversationWire(entry), forKey: .conversation)
            try fields.encode(members.map { MemberWire($0) }, forKey: .members)
            try fields.encode(receipts.map { ReceiptWire($0) }, forKey: .receipts)
        case .departure(let id):
            try fields.encode("departure", forKey: .type)
            try fields.encode(id, forKey: .conversationId)
        case .receipt(let receipt, let id):
            try fields.encode("receipt", forKey: .type)
            try fields.encode(id, forKey: .conversationId)
            try fields.encode(ReceiptWire(receipt), forKey: .receipt)
        case .items(let id):
            try fields.encode("items", forKey: .type)
            try fields.encode(id, forKey: .conversationId)
        case .threads: try fields.encode("threads", forKey: .type)
        case .devices: try fields.encode("devices", forKey: .type)
        case .notification(let entry):
            try fields.encode("notification", forKey: .type)
            try fields.encode(NotificationWire(entry), forKey: .notification)
        case .notifications(let entries):
            try fields.encode("notifications", forKey: .type)
            try fields.encode(entries.map { NotificationWire($0) }, forKey: .notifications)
        case .settings(let settings):
            try fields.encode("settings", forKey: .type)
            try fields.encode(PersonalSettingsWire(settings), forKey: .settings)
        }
    }
}

/// A ticket for a socket.
struct TicketWire: Encodable {
    let ticket: String
    /// In seconds.
    let expiresIn: Int
}

/// The event of a feed on which nothing changed.
struct HeartbeatWire: Encodable {
    let cursor: ChangeCursor
}

/// The event of a feed whose client must start again with a snapshot.
struct ResyncWire: Encodable {
    let reason = "cursor_expired"
}
