import ChatCore

/// Requests and responses about notifications, own settings and the receipts of a message.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    private static let clock = text(5...5).described("A time of the wall clock, such as 22:00.")
    private static let zone = text(1...64).described(
        "The IANA name of the time zone of the quiet hours; UTC if it is missing.")

    static let notification = closed(
        .always("id", integer(atLeast: 1)), .always("kind", word(PersonalNotification.Kind.self)),
        .always("conversationId", identifier), .always("messageId", identifier), .maybe("seq", integer),
        .always("senderId", identifier), .always("senderName", string),
        .always("text", string.described("The present text of the message, shortened; of a task, its title.")),
        .always("createdAt", time),
        .always("quiet", flag.described("Whether it came in the quiet hours: it is shown without sound."))
    ).named("Notification")

    static let notifications = closed(.always("notifications", array(of: notification))).named("NotificationList")

    static let dismissal = open(
        .maybe("ids", array(of: integer(atLeast: 0))), .maybe("all", flag.described("True for all of them.")),
        .maybe("userId", asker)
    ).named("Dismissal")

    private static let quietHours = closed(.always("start", clock), .always("end", clock)).named("QuietHours")

    static let personalSettings = closed(
        .maybe("timeZone", zone), .maybe("quietHours", quietHours), .always("hideReadReceipts", flag),
        .always("hideLastSeen", flag)
    ).named("PersonalSettings")

    static let personalSettingsChange = closed(
        .maybe("hideReadReceipts", flag), .maybe("hideLastSeen", flag), .maybe("timeZone", zone),
        .maybe("quietHours", quietHours), .maybe("userId", asker)
    ).named("PersonalSettingsChange")

    private static let receiver = closed(.always("userId", identifier), .always("name", string)).named("Receiver")

    static let messageReceipts = closed(
        .always(
            "memberCount",
            integer(atLeast: 0).described(
                "Members who had joined before the message and have not left, without its sender.")),
        .always("readCount", integer(atLeast: 0)), .always("deliveredCount", integer(atLeast: 0)),
        .always("readBy", array(of: receiver)), .always("deliveredTo", array(of: receiver))
    ).named("MessageReceipts")
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
            "getMessageReceipts": .json(.messageReceipts),
        ]
    }
}
