import ChatCore

/// The JSON form of a conversation.
struct ConversationWire: Encodable {
    let id: ConversationID
    let kind: Conversation.Kind
    let visibility: Conversation.Visibility
    /// The part of the history that people who join later may read.
    let history: Conversation.History
    /// Its name; in a person's list, the names of the others for a direct conversation.
    let name: String?
    let timeZone: String?
    let createdAt: WireTime
    let updatedAt: WireTime
    /// Its members, past ones too; in lists, the present ones of direct conversations.
    let members: [MemberWire]?
    /// The requested choice; left out in lists, like the next field.
    let embedding: ConversationEmbedding.Choice?
    /// Whether its messages are embedded; otherwise only a search by words finds them.
    let isEmbedded: Bool?
    /// The person's part; nil outside of a person's list.
    let own: OwnPart?

    private enum CodingKeys: String, CodingKey {
        case id, kind, visibility, history, name, timeZone, createdAt, updatedAt, members, embedding, isEmbedded
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(visibility, forKey: .visibility)
        try fields.encode(history, forKey: .history)
        try fields.encodeIfPresent(name, forKey: .name)
        try fields.encodeIfPresent(timeZone, forKey: .timeZone)
        try fields.encode(createdAt, forKey: .createdAt)
        try fields.encode(updatedAt, forKey: .updatedAt)
        try fields.encodeIfPresent(members, forKey: .members)
        try fields.encodeIfPresent(embedding, forKey: .embedding)
        try fields.encodeIfPresent(isEmbedded, forKey: .isEmbedded)
        try own?.encode(to: encoder)
    }

    init(
        _ conversation: Conversation, members: [Member]? = nil, admins: Set<UserID> = [],
        embedding: ConversationEmbedding? = nil
    ) {
        id = conversation.id
        kind = conversation.kind
        visibility = conversation.visibility
        history = conversation.history
        name = conversation.name
        timeZone = conversation.timeZone
        createdAt = WireTime(conversation.createdAt)
        updatedAt = WireTime(conversation.updatedAt)
        self.members = members?.map { MemberWire($0, isAdmin: admins.contains($0.userID)) }
        self.embedding = embedding?.choice
        isEmbedded = embedding.map { !$0.isExcluded }
        own = nil
    }

    /// The entry of a person's list.
    init(_ entry: InboxEntry) {
        let conversation = entry.conversation
        id = conversation.id
        kind = conversation.kind
        visibility = conversation.visibility
        history = conversation.history
        name = entry.displayName
        timeZone = conversation.timeZone
        createdAt = WireTime(conversation.createdAt)
        updatedAt = WireTime(conversation.updatedAt)
        members = entry.members.isEmpty ? nil : entry.members.map { MemberWire($0) }
        embedding = nil
        isEmbedded = nil
        own = OwnPart(entry)
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
    /// Set for administrators only.
    let role: MemberRole?

    init(_ member: Member, isAdmin: Bool = false) {
        role = isAdmin ? .admin : nil
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
