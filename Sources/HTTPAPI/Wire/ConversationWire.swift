import ChatCore

/// The JSON form of a conversation.
struct ConversationWire: Encodable {
    let id: ConversationID
    let kind: Conversation.Kind
    let visibility: Conversation.Visibility
    let name: String?
    let timeZone: String?
    let createdAt: WireTime
    let updatedAt: WireTime
    /// Its members, past ones too; left out in lists.
    let members: [MemberWire]?
    /// The requested choice; left out in lists, like the next field.
    let embedding: ConversationEmbedding.Choice?
    /// Whether its messages are embedded; otherwise only a search by words finds them.
    let isEmbedded: Bool?

    init(_ conversation: Conversation, members: [Member]? = nil, embedding: ConversationEmbedding? = nil) {
        id = conversation.id
        kind = conversation.kind
        visibility = conversation.visibility
        name = conversation.name
        timeZone = conversation.timeZone
        createdAt = WireTime(conversation.createdAt)
        updatedAt = WireTime(conversation.updatedAt)
        self.members = members?.map { MemberWire($0) }
        self.embedding = embedding?.choice
        isEmbedded = embedding.map { !$0.isExcluded }
    }
}

/// Whether a conversation is embedded, for callers that write only.
struct EmbeddingChoiceWire: Encodable {
    let id: ConversationID
    let embedding: ConversationEmbedding.Choice
    let isEmbedded: Bool

    init(id: ConversationID, _ embedding: ConversationEmbedding) {
        self.id = id
        self.embedding = embedding.choice
        isEmbedded = !embedding.isExcluded
    }
}

/// A page of conversations; `next` is the `after` of the next page, and missing on the last page.
struct ConversationPage: Encodable {
    let conversations: [ConversationWire]
    let next: ConversationID?
}

/// The JSON form of a member.
struct MemberWire: Encodable {
    let userId: UserID
    let name: String
    let aliases: [String]
    let joinedAt: WireTime
    let leftAt: WireTime?

    init(_ member: Member) {
        userId = member.userID
        name = member.displayName
        aliases = member.aliases
        joinedAt = WireTime(member.joinedAt)
        leftAt = member.leftAt.map { WireTime($0) }
    }
}

/// A page of members; `next` is the `after` of the next page, and missing on the last page.
struct MemberPage: Encodable {
    let members: [MemberWire]
    let next: UserID?
}
