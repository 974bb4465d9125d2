import ChatCore
import NexusModel

/// Requests and responses about notifications, own settings and the receipts of a message.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    fileprivate static let clock = text(5...5).described("A time of the wall clock, such as 22:00.")
    fileprivate static let quietZone = text(1...64).described(
        "The IANA name of the time zone of the quiet hours; UTC if it is missing.")

    static let notifications = reply(ChatNotificationList.self)
    static let personalSettings = reply(ChatSettings.self)
    static let messageReceipts = reply(MessageReceiptCounts.self)

    static let dismissal = closed(
        .maybe("ids", array(of: integer(atLeast: 0))), .maybe("all", flag.described("True for all of them.")),
        .maybe("userId", asker)
    ).named("Dismissal")

    private static let quietHours = reply(ChatSettings.QuietHours.self).named("NewQuietHours")

    static let personalSettingsChange = closed(
        .maybe("hideReadReceipts", flag), .maybe("hideLastSeen", flag), .maybe("timeZone", anyOf(quietZone, null)),
        .maybe("quietHours", anyOf(quietHours, null)), .maybe("userId", asker)
    ).named("PersonalSettingsChange")

    fileprivate static let saving = closed(
        .maybe(
            "remindAt",
            anyOf(time, null).described(
                "When the asker is reminded: in the future, at most \(SavedMessage.reminderDayLimit) days ahead. "
                    + "Null ends the reminder; without it nothing changes.")),
        .maybe("userId", asker)
    ).named("NewSaving")

    fileprivate static let people = array(of: reply(ChatPerson.self, notes: ReplyNotes("Receiver")))
}

extension ChatNotification: NotedReply {
    static let replyNotes = ReplyNotes(
        "Notification",
        [
            "id": .integer(atLeast: 1), "kind": .word(PersonalNotification.Kind.self),
            "text": .string.described("The present text of the message, shortened; of a task, its title."),
            "quiet": .flag.described("Whether it came in the quiet hours: it is shown without sound."),
        ])
}

extension ChatNotificationList: NotedReply {
    static let replyNotes = ReplyNotes("NotificationList")
}

extension ChatSettings: NotedReply {
    static let replyNotes = ReplyNotes("PersonalSettings", ["timeZone": .quietZone])
}

extension ChatSettings.QuietHours: NotedReply {
    static let replyNotes = ReplyNotes("QuietHours", ["start": .clock, "end": .clock])
}

extension MessageReceiptCounts: NotedReply {
    static let replyNotes = ReplyNotes(
        "MessageReceipts",
        [
            "memberCount": .integer(atLeast: 0).described(
                "Members who had joined before the message and have not left, without its sender."),
            "readCount": .integer(atLeast: 0), "deliveredCount": .integer(atLeast: 0), "readBy": .people,
            "deliveredTo": .people,
        ])
}

extension API {
    /// The requests and responses of ``personalRoutes``.
    var personalDocuments: [String: RouteDocument] {
        [
            "listNotifications": .json(
                .notifications,
                query: [
                    .init(
                        name: "limit",
                        schema: .integer(Self.notificationRange).standard(.integer(Int64(NotificationEntry.limit))))
                ]),
            "dismissNotifications": RouteDocument(request: .dismissal, replies: [204: [:]], failures: [507]),
            "getSettings": .json(.personalSettings),
            "setSettings": .json(.personalSettings, request: .personalSettingsChange, failures: [507]),
            "changeSettings": .json(.personalSettings, request: .personalSettingsChange, failures: [507]),
            "getMessageReceipts": .json(.messageReceipts),
            "listSaved": .json(
                .reply(SavedMessagePage.self),
                query: [
                    Self.pageLimit, .init(name: "before", schema: .integer.described("`next` of the page before.")),
                    .init(name: "reminders", schema: .flag.described("True for only those with a reminder.")),
                ]),
            "saveMessage": RouteDocument.json(.reply(MessageSaving.self), request: .saving, failures: [507]).or(201)
                .withOptionalBody,
            "endSaving": .empty(failures: [507]),
        ]
    }
}

extension MessageSaving: NotedReply {
    static let replyNotes = ReplyNotes("MessageSaving")
}

extension SavedChatMessage: NotedReply {
    static let replyNotes = ReplyNotes("SavedMessage")
}

extension SavedMessagePage: NotedReply {
    static let replyNotes = ReplyNotes(
        "SavedMessagePage",
        ["next": .integer(atLeast: 1).described("The `before` of the next page; missing on the last.")])
}
