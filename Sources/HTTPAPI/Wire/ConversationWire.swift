import ChatCore

/// A conversation as it goes over the wire.
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
    /// What was asked for; left out in lists, as what follows.
    let embedding: ConversationEmbedding.Choice?
    /// Whether its messages are embedded; otherwise they are found by their words only.
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

/// A page of conversations; `next` is what `after` takes for the page behind it, and missing on the last one.
struct ConversationPage: Encodable {
    let conversations: [ConversationWire]
    let next: ConversationID?
}

/// One person's part in a conversation as it goes over the wire.
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

/// A page of members; `next` is what `after` takes for the page behind it, and missing on the last one.
struct MemberPage: Encodable {
    let members: [MemberWire]
    let next: UserID?
}
