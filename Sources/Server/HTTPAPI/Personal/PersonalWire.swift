import ChatCore

/// The JSON form of a notification.
struct NotificationWire: Encodable {
    let id: Int64
    let kind: PersonalNotification.Kind
    let conversationId: ConversationID
    let messageId: MessageID
    let seq: Int64?
    let senderId: UserID
    let senderName: String
    let text: String
    let createdAt: WireTime
    /// Whether it is shown without sound.
    let quiet: Bool

    init(_ entry: NotificationEntry) {
        let notification = entry.notification
        id = notification.number
        kind = notification.kind
        conversationId = notification.message.conversationID
        messageId = notification.message.messageID
        seq = notification.seq
        senderId = notification.senderID
        senderName = notification.senderName
        text = notification.text
        createdAt = WireTime(notification.createdAt)
        quiet = entry.isQuiet
    }
}

/// The newest notifications of a person.
struct NotificationList: Encodable {
    let notifications: [NotificationWire]
}

/// The JSON form of a person's own settings.
struct PersonalSettingsWire: Encodable {
    /// Times of the wall clock, such as `22:00`.
    struct QuietHours: Encodable {
        let start: String
        let end: String
    }

    let timeZone: String?
    let quietHours: QuietHours?
    let hideReadReceipts: Bool
    let hideLastSeen: Bool

    init(_ settings: PersonalSettings) {
        timeZone = settings.timeZone
        quietHours = settings.quietHours.map { QuietHours(start: $0.startText, end: $0.endText) }
        hideReadReceipts = settings.hidesReadReceipts
        hideLastSeen = settings.hidesLastSeen
    }

    /// Reads settings, which replace those before: a field that is missing has its standard value.
    static func settings(_ body: JSONField) throws -> PersonalSettings {
        try body.refuseOthers(than: ["timeZone", "quietHours", "hideReadReceipts", "hideLastSeen", "userId"])
        var settings = PersonalSettings(
            timeZone: try AskFields.timeZone(body),
            hidesReadReceipts: try body["hideReadReceipts"].optionalFlag() ?? false,
            hidesLastSeen: try body["hideLastSeen"].optionalFlag() ?? false)
        if body["quietHours"].isPresent {
            let field = try body["quietHours"].object()
            try field.refuseOthers(than: ["start", "end"])
            let hours = PersonalSettings.QuietHours(
                start: try field["start"].string(), end: try field["end"].string())
            guard let hours else { throw field.error("must have two different times such as 22:00 and 07:00") }
            settings.quietHours = hours
        }
        return settings
    }
}

/// Who has received and read a message.
struct MessageReceiptsWire: Encodable {
    struct Person: Encodable {
        let userId: UserID
        let name: String
    }

    /// The members who had joined before the message and have not left, without its sender.
    let memberCount: Int
    let readCount: Int
    let deliveredCount: Int
    let readBy: [Person]
    let deliveredTo: [Person]

    init(_ receipts: MessageReceipts) {
        memberCount = receipts.memberCount
        readCount = receipts.readers.count
        deliveredCount = receipts.receivers.count
        readBy = receipts.readers.map { Person(userId: $0.userID, name: $0.displayName) }
        deliveredTo = receipts.receivers.map { Person(userId: $0.userID, name: $0.displayName) }
    }
}
