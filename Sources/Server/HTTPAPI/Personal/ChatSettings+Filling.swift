import ChatCore
import NexusModel

extension ChatNotification {
    init(_ entry: NotificationEntry) {
        let notification = entry.notification
        self.init(
            id: notification.number, kind: .init(notification.kind),
            conversationId: notification.message.conversationID.rawValue,
            messageId: notification.message.messageID.rawValue, seq: notification.seq,
            senderId: notification.senderID.rawValue, senderName: notification.senderName, text: notification.text,
            createdAt: notification.createdAt.wireDate, quiet: entry.isQuiet)
    }
}

extension ChatSettings {
    init(_ settings: PersonalSettings) {
        self.init(
            timeZone: settings.timeZone,
            quietHours: settings.quietHours.map { QuietHours(start: $0.startText, end: $0.endText) },
            hideReadReceipts: settings.hidesReadReceipts, hideLastSeen: settings.hidesLastSeen)
    }
}

extension MessageReceiptCounts {
    init(_ receipts: MessageReceipts) {
        func people(_ members: [Member]) -> [ChatPerson] {
            members.map { ChatPerson(userId: $0.userID.rawValue, name: $0.displayName) }
        }
        self.init(
            memberCount: receipts.memberCount, readBy: people(receipts.readers),
            deliveredTo: people(receipts.receivers))
    }
}
