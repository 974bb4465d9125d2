import ChatCore

/// Requests and responses of a live chat.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    static let cursor = string.described("A position of the feed; opaque.")
    private static let seq = integer(atLeast: 0).described("A position among the live messages of the conversation.")

    static let askerOnly = open(.maybe("userId", asker)).named("Asker")
    static let newDirect = open(.always("with", identifier), .maybe("userId", asker)).named("NewDirect")
    static let readMark = open(
        .maybe("upTo", identifier), .maybe("messageIds", array(of: identifier)), .maybe("userId", asker)
    ).named("ReadMark")
    static let unreadMark = open(.always("from", identifier), .maybe("userId", asker)).named("UnreadMark")
    static let acknowledgement = open(.always("cursor", cursor), .maybe("userId", asker)).named("Acknowledgement")
    static let newHistory = open(
        .always("history", word(Conversation.History.self)), .maybe("userId", asker)
    ).named("NewHistory")

    static let newName = open(.always("name", string), .maybe("userId", asker)).named("NewName")
    static let newRole = open(.always("role", word(MemberRole.self)), .maybe("userId", asker)).named("NewRole")

    static let preferences = closed(
        .always("muted", flag), .always("archived", flag), .always("pinned", flag),
        .maybe("notifications", word(NotificationLevel.self))
    ).named("Preferences")

    static let preferencesChange = closed(
        .maybe("muted", flag), .maybe("archived", flag), .maybe("pinned", flag),
        .maybe("notifications", word(NotificationLevel.self)), .maybe("userId", asker)
    ).named("PreferencesChange")

    private static let lastMessage = closed(
        .always("id", identifier), .always("senderId", identifier), .always("senderName", string),
        .always("text", string.described("The first \(OwnPart.excerptLength) characters.")),
        .maybe("attachments", array(of: attachment)), .always("timestamp", time)
    ).named("LastMessage")

    static let ownConversation = closed(
        .always("id", identifier), .always("kind", word(Conversation.Kind.self)),
        .always("visibility", word(Conversation.Visibility.self)),
        .always("history", word(Conversation.History.self)), .always("name", string),
        .maybe("timeZone", string), .always("createdAt", time), .always("updatedAt", time), .always("head", seq),
        .maybe("lastMessage", lastMessage), .always("activeAt", time), .always("readSeq", seq),
        .always("unreadCount", integer(0...InboxEntry.countLimit)),
        .always("mentionCount", integer(0...InboxEntry.countLimit)), .maybe("firstUnreadId", identifier),
        .maybe("role", word(MemberRole.self)), .maybe("admins", array(of: identifier).described("Of a group.")),
        .always("preferences", preferences),
        .maybe("members", array(of: member).described("Present members, of direct conversations only."))
    ).named("OwnConversation").described("A conversation as one person has it.")

    static let ownConversations = closed(
        .always("conversations", array(of: ownConversation)),
        .maybe("next", identifier.described("The `after` of the next page; missing on the last page."))
    ).named("OwnConversationPage")

    static let syncState = closed(
        .always("cursor", cursor), .always("conversations", array(of: ownConversation)),
        .always("notifications", array(of: notification)), .always("settings", personalSettings)
    ).named("Sync")

    static let receipt = closed(
        .always("userId", identifier), .always("readSeq", seq), .maybe("readAt", time),
        .always("deliveredSeq", seq), .always("joinedSeq", seq)
    ).named("Receipt")

    static let receipts = closed(.always("receipts", array(of: receipt))).named("ReceiptList")

    private static let feedChange = open(
        .always(
            "type",
            word([
                "message", "deletion", "conversation", "departure", "receipt", "items", "threads", "notification",
                "notifications", "settings", "devices",
            ]))
    ).named("FeedChange")

    static let feedFrame = closed(
        .always("v", integer), .always("lane", integer), .always("prev", integer), .always("pos", integer),
        .always("cursor", cursor), .always("changes", array(of: feedChange)),
        .maybe("limited", array(of: identifier).described("Conversations whose messages have to be loaded again."))
    ).named("FeedFrame")

    static let ticket = closed(.always("ticket", string), .always("expiresIn", integer)).named("Ticket")

    static let heartbeat = closed(.always("cursor", cursor)).named("Heartbeat")
    static let resync = closed(.always("reason", string)).named("Resync")
}
