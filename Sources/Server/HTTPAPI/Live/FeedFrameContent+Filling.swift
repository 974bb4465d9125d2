import ChatCore
import NexusModel

extension FeedCursor {
    init(_ cursor: ChangeCursor) {
        let text = cursor.description
        self.init(
            text: text, epoch: String(text.prefix { $0 != "-" }), positions: cursor.positions.map(\.rawValue))
    }
}

extension ChatSnapshot {
    init(_ state: PersonalState) {
        self.init(
            cursor: FeedCursor(state.cursor), conversations: state.entries.map { ChatConversation($0) },
            settings: ChatSettings(state.settings), notifications: state.notifications.map { ChatNotification($0) })
    }
}

extension ChatReceipt {
    init(_ receipt: Receipt) {
        self.init(
            userId: receipt.userID.rawValue, readSeq: receipt.readSeq, deliveredSeq: receipt.deliveredSeq,
            joinedSeq: receipt.joinedSeq, readAt: receipt.readAt?.wireDate)
    }
}

extension FeedFrameContent {
    /// A page with no changes yet, which are filled one by one; see ``FeedChangeContent``.
    init(_ page: FeedPage, after start: ChangeCursor, changes: [FeedChangeContent]) {
        // The log of SQLite has one lane.
        self.init(
            prev: start.positions[0].rawValue, pos: page.end.positions[0].rawValue, cursor: FeedCursor(page.end),
            changes: changes, limited: page.limited.isEmpty ? nil : page.limited.map(\.rawValue))
    }
}

extension FeedChangeContent {
    init(_ change: ChatCore.FeedChange, links: MessageLinkTemplate?) {
        self.init(type: change.word)
        switch change {
        case .message(let message, let position, let mentions):
            self.message = ChatMessage(message, at: position, links: links)
            if !mentions.isEmpty {
                self.mentions = mentions.map {
                    ChatMessage.Mention(userId: $0.userID.rawValue, start: $0.start, end: $0.end)
                }
            }
        case .deletion(let key, let position):
            conversationId = key.conversationID.rawValue
            messageId = key.messageID.rawValue
            seq = position.seq
        case .conversation(let entry, let members, let receipts):
            conversation = ChatConversation(entry)
            self.members = members.map { ChatMember($0) }
            self.receipts = receipts.map { ChatReceipt($0) }
        case .receipt(let receipt, let id):
            conversationId = id.rawValue
            self.receipt = ChatReceipt(receipt)
        case .departure(let id), .items(let id): conversationId = id.rawValue
        case .threads, .devices, .scheduled: break
        case .outdated(let turn, let thread, let message):
            turnId = turn.rawValue
            threadId = thread?.rawValue
            by = MessagePlace(message)
        case .notification(let entry): notification = ChatNotification(entry)
        case .notifications(let entries): notifications = entries.map { ChatNotification($0) }
        case .settings(let settings): self.settings = ChatSettings(settings)
        }
    }
}

extension ChatCore.FeedChange {
    /// The `type` of a change, for each kind of it.
    static let words = [
        "message", "deletion", "conversation", "departure", "receipt", "items", "threads", "notification",
        "notifications", "settings", "devices", "scheduled", "outdated",
    ]

    fileprivate var word: String {
        switch self {
        case .message: "message"
        case .deletion: "deletion"
        case .conversation: "conversation"
        case .departure: "departure"
        case .receipt: "receipt"
        case .items: "items"
        case .threads: "threads"
        case .devices: "devices"
        case .scheduled: "scheduled"
        case .outdated: "outdated"
        case .notification: "notification"
        case .notifications: "notifications"
        case .settings: "settings"
        }
    }
}
