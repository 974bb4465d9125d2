import ChatCore
import NexusModel

/// Requests and responses of a live chat.
extension JSONSchema {
    private static let asker = identifier.described("The asker, if the caller may name one.")
    static let cursor = string.described("A position of the feed; opaque.")
    fileprivate static let seq = integer(atLeast: 0).described(
        "A position among the live messages of the conversation.")

    static let askerOnly = closed(.maybe("userId", asker)).named("Asker")
    static let newDirect = closed(.always("with", identifier), .maybe("userId", asker)).named("NewDirect")
    static let readMark = closed(
        .maybe("upTo", identifier), .maybe("messageIds", array(of: identifier)), .maybe("userId", asker)
    ).named("ReadMark")
    static let unreadMark = closed(.always("from", identifier), .maybe("userId", asker)).named("UnreadMark")
    static let acknowledgement = closed(.always("cursor", cursor), .maybe("userId", asker)).named("Acknowledgement")
    static let newHistory = closed(
        .always("history", word(Conversation.History.self)), .maybe("userId", asker)
    ).named("NewHistory")

    static let newName = closed(.always("name", string), .maybe("userId", asker)).named("NewName")
    static let newRole = closed(.always("role", word(MemberRole.self)), .maybe("userId", asker)).named("NewRole")

    static let preferencesChange = closed(
        .maybe("muted", flag), .maybe("archived", flag), .maybe("pinned", flag),
        .maybe("notifications", anyOf(word(NotificationLevel.self), null).described("Null for the standard.")),
        .maybe("userId", asker)
    ).named("PreferencesChange")

    static let preferences = reply(ChatPreferences.self)
    static let ownConversations = reply(ChatConversationPage.self)
    static let syncState = reply(ChatSnapshot.self)
    static let receipt = reply(ChatReceipt.self)
    static let receipts = reply(ReceiptList.self)
    static let feedFrame = reply(FeedFrameContent.self)

    /// One schema for each type of change, made from the type that writes them all.
    fileprivate static let feedChange = oneOf(
        ChatCore.FeedChange.words.map { word in
            variant(of: FeedChangeContent.self, word, named: "Feed" + word.prefix(1).uppercased() + word.dropFirst())
        }
    ).described("A later server may send other types: skip them.").named("FeedChange")
    fileprivate static let count = integer(0...InboxEntry.countLimit)
}

extension ChatPreferences: NotedReply {
    static let replyNotes = ReplyNotes("Preferences", ["notifications": .word(NotificationLevel.self)])
}

extension ChatConversation: NotedReply {
    static let replyNotes = ReplyNotes(
        "OwnConversation",
        [
            "kind": .word(Conversation.Kind.self), "visibility": .word(Conversation.Visibility.self),
            "history": .word(Conversation.History.self), "head": .seq, "readSeq": .seq, "unreadCount": .count,
            "mentionCount": .count, "role": .word(MemberRole.self),
            "admins": .array(of: .identifier).described("Of a group."),
            "members": .array(of: .member).described("Present members, of direct conversations only."),
        ], always: ["history", "createdAt", "updatedAt"], description: "A conversation as one person has it.")
}

extension ChatConversation.LastMessage: NotedReply {
    static let replyNotes = ReplyNotes(
        "LastMessage", ["text": .string.described("The first \(ChatConversation.excerptLength) characters.")])
}

extension ChatConversationPage: NotedReply {
    static let replyNotes = ReplyNotes("OwnConversationPage", ["next": .nextAfter])
}

extension ChatSnapshot: NotedReply {
    static let replyNotes = ReplyNotes("Sync", ["cursor": .cursor], always: ["notifications", "settings"])
}

extension ChatReceipt: NotedReply {
    static let replyNotes = ReplyNotes("Receipt", ["readSeq": .seq, "deliveredSeq": .seq, "joinedSeq": .seq])
}

extension ReceiptList: NotedReply {
    static let replyNotes = ReplyNotes("ReceiptList")
}

extension FeedFrameContent: NotedReply {
    static let replyNotes = ReplyNotes(
        "FeedFrame",
        [
            "cursor": .cursor, "changes": .array(of: .feedChange),
            "limited": .array(of: .identifier).described("Conversations whose messages have to be loaded again."),
        ], always: ["v"])
}
