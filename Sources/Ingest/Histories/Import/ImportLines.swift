import ChatCore

/// A conversation as a line of JSON.
struct ConversationLine: Decodable {
    /// Someone in the conversation.
    struct Participant: Decodable {
        var id: UserID
        var name: String?
        var aliases: [String]?
        var joinedAt: LineTimestamp?
        var leftAt: LineTimestamp?
    }

    var id: ConversationID
    var kind: Conversation.Kind?
    var visibility: Conversation.Visibility?
    var name: String?
    var timeZone: String?
    var createdAt: LineTimestamp?
    /// The people, under either name.
    var participants: [Participant]?
    var members: [Participant]?

    /// Whether it says nothing of a conversation but an id, as objects of other programs do.
    var isBare: Bool {
        participants == nil && members == nil && kind == nil && visibility == nil && name == nil && timeZone == nil
            && createdAt == nil
    }

    /// Members without a date were there from the start.
    func roster() -> ConversationRoster {
        let created = createdAt?.value ?? Timestamp(microseconds: 0)
        let people = (participants ?? []) + (members ?? [])
        let conversation = Conversation(
            id: id, kind: kind ?? .group, visibility: visibility ?? .members, name: name, timeZone: timeZone,
            createdAt: created, updatedAt: created)
        return ConversationRoster(
            conversation: conversation,
            members: people.map {
                Member(
                    userID: $0.id, displayName: $0.name ?? $0.id.rawValue, aliases: $0.aliases ?? [],
                    joinedAt: $0.joinedAt?.value ?? created, leftAt: $0.leftAt?.value)
            })
    }
}

/// A message as a line of JSON.
struct MessageLine: Decodable {
    var id: MessageID
    var conversationId: ConversationID
    var senderId: UserID
    var senderName: String?
    var text: String
    var timestamp: LineTimestamp
    var kind: Message.Kind?
    var editedAt: LineTimestamp?
    var deletedAt: LineTimestamp?
    var replyTo: MessageID?
    var threadRoot: MessageID?
    var attachments: [Message.Attachment]?
    var reactions: [Message.Reaction]?
    var localId: String?
    var url: String?

    /// The reactions, with emoji instead of their standard names.
    private var namedReactions: [Message.Reaction] {
        (reactions ?? []).map { reaction in
            Message.Reaction(emoji: EmojiName.emoji(reaction.emoji) ?? reaction.emoji, userIDs: reaction.userIDs)
        }
    }

    /// A deleted message has neither text nor attachments: nothing of it is stored, not even for a moment.
    func message() -> Message {
        let isDeleted = deletedAt != nil
        return Message(
            key: MessageKey(conversationID: conversationId, messageID: id), senderID: senderId,
            senderName: senderName ?? senderId.rawValue, text: isDeleted ? "" : text, kind: kind ?? .text,
            timestamp: timestamp.value, editedAt: editedAt?.value, replyToID: replyTo, threadRootID: threadRoot,
            attachments: isDeleted ? [] : attachments ?? [], reactions: namedReactions, localID: localId,
            url: isDeleted ? nil : url)
    }
}

/// A moment as ISO 8601 text with a zone, or as milliseconds since 1970.
struct LineTimestamp: Decodable {
    let value: Timestamp

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let milliseconds = try? container.decode(Int64.self) {
            guard let value = HistoryTime.moment(milliseconds: milliseconds) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "not a time of the years 1 to 9999")
            }
            self.value = value
            return
        }
        guard let value = HistoryTime.moment(iso8601: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not a time such as 2025-10-23T10:30:00Z")
        }
        self.value = value
    }
}
