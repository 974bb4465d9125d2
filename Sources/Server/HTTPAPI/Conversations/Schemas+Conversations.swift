import ChatCore
import NexusModel

/// Replies about conversations, members and users.
extension JSONSchema {
    static let conversation = reply(ConversationDetails.self)
    /// The response to a key with the role ingest, which may not read.
    static let embeddingChoice = reply(EmbeddingChoice.self)
    static let conversations = reply(ConversationDetailsPage.self)
    static let member = reply(ChatMember.self)
    static let members = reply(ChatMemberPage.self)
    static let user = reply(UserDetails.self)
}

extension ConversationDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "Conversation",
        [
            "kind": .word(Conversation.Kind.self), "visibility": .word(Conversation.Visibility.self),
            "history": .word(Conversation.History.self),
            "members": .array(of: .member).described("Present and past members; not in lists."),
            "embedding": .word(ConversationEmbedding.Choice.self),
            "isEmbedded": .flag.described("False: found by words only."),
        ])
}

extension ConversationDetailsPage: NotedReply {
    static let replyNotes = ReplyNotes("ConversationPage", ["next": .nextAfter])
}

extension EmbeddingChoice: NotedReply {
    static let replyNotes = ReplyNotes("EmbeddingChoice", ["embedding": .word(ConversationEmbedding.Choice.self)])
}

extension ChatMember: NotedReply {
    static let replyNotes = ReplyNotes(
        "Member",
        ["role": .word(["admin"]).described("Of an administrator, in replies that list members.")],
        always: ["aliases", "joinedAt"])
}

extension ChatMemberPage: NotedReply {
    static let replyNotes = ReplyNotes("MemberPage", ["next": .nextAfter])
}

extension UserDetails: NotedReply {
    static let replyNotes = ReplyNotes(
        "User",
        [
            "kind": .word(UserKind.self).described("Guests and bots read open conversations only if they are members.")
        ])
}
