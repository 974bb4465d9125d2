import ChatCore
import NexusModel
import UseCases

extension ConversationDetails {
    /// - Parameters:
    ///   - conversation: The conversation.
    ///   - members: Its members, past ones too; nil where they are not shown.
    ///   - admins: Those of them who are administrators.
    ///   - embedding: The requested choice and what follows from it; nil where it is not shown.
    init(
        _ conversation: Conversation, members: [Member]? = nil, admins: Set<UserID> = [],
        embedding: ConversationEmbedding? = nil
    ) {
        self.init(
            id: conversation.id.rawValue, kind: .init(conversation.kind),
            visibility: .init(conversation.visibility), history: .init(conversation.history),
            name: conversation.name, timeZone: conversation.timeZone, createdAt: conversation.createdAt.wireDate,
            updatedAt: conversation.updatedAt.wireDate,
            members: members?.map { ChatMember($0, isAdmin: admins.contains($0.userID)) },
            embedding: embedding.map { .init($0.choice) }, isEmbedded: embedding.map { !$0.isExcluded })
    }
}

extension ConversationDetailsPage {
    init(_ page: ListPage<Conversation>) {
        self.init(
            conversations: page.elements.map { ConversationDetails($0) },
            next: page.hasMore ? page.elements.last?.id.rawValue : nil)
    }
}

extension EmbeddingChoice {
    init(id: ConversationID, _ embedding: ConversationEmbedding) {
        self.init(id: id.rawValue, embedding: .init(embedding.choice), isEmbedded: !embedding.isExcluded)
    }
}

extension ChatMember {
    init(_ member: Member, isAdmin: Bool = false) {
        self.init(
            userId: member.userID.rawValue, name: member.displayName, leftAt: member.leftAt?.wireDate,
            aliases: member.aliases, joinedAt: member.joinedAt.wireDate,
            role: isAdmin ? .administrator : nil)
    }
}

extension ChatConversation {
    /// The most characters of a last message.
    static let excerptLength = 150

    /// The entry of a person's list.
    init(_ entry: InboxEntry) {
        let conversation = entry.conversation
        self.init(
            id: conversation.id.rawValue, kind: .init(conversation.kind),
            visibility: .init(conversation.visibility), history: .init(conversation.history),
            name: entry.displayName, timeZone: conversation.timeZone, createdAt: conversation.createdAt.wireDate,
            updatedAt: conversation.updatedAt.wireDate, head: entry.head,
            lastMessage: entry.lastMessage.map { LastMessage($0) }, activeAt: entry.activeAt.wireDate,
            readSeq: entry.readSeq, unreadCount: entry.unreadCount, mentionCount: entry.mentionCount,
            firstUnreadId: entry.firstUnreadID?.rawValue, role: entry.role.map { .init($0) },
            admins: entry.admins.isEmpty ? nil : entry.admins.map(\.rawValue),
            preferences: ChatPreferences(entry.preferences),
            members: entry.members.isEmpty ? nil : entry.members.map { ChatMember($0) })
    }
}

extension ChatConversation.LastMessage {
    fileprivate init(_ message: Message) {
        self.init(
            id: message.key.messageID.rawValue, senderId: message.senderID.rawValue, senderName: message.senderName,
            text: String(message.text.prefix(ChatConversation.excerptLength)),
            attachments: message.attachments.isEmpty
                ? nil : message.attachments.map { ChatMessage.Attachment($0) },
            timestamp: message.timestamp.wireDate)
    }
}

extension ChatPreferences {
    init(_ preferences: ConversationPreferences) {
        self.init(
            muted: preferences.isMuted, archived: preferences.isArchived, pinned: preferences.isPinned,
            notifications: preferences.notifications.map { .init($0) })
    }
}
