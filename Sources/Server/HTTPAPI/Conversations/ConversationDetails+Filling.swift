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
            id: conversation.id.rawValue, kind: conversation.kind.rawValue,
            visibility: conversation.visibility.rawValue, history: conversation.history.rawValue,
            name: conversation.name, timeZone: conversation.timeZone, createdAt: conversation.createdAt.iso8601,
            updatedAt: conversation.updatedAt.iso8601,
            members: members?.map { ChatMember($0, isAdmin: admins.contains($0.userID)) },
            embedding: embedding?.choice.rawValue, isEmbedded: embedding.map { !$0.isExcluded })
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
        self.init(id: id.rawValue, embedding: embedding.choice.rawValue, isEmbedded: !embedding.isExcluded)
    }
}

extension ChatMember {
    init(_ member: Member, isAdmin: Bool = false) {
        self.init(
            userId: member.userID.rawValue, name: member.displayName, leftAt: member.leftAt?.iso8601,
            aliases: member.aliases, joinedAt: member.joinedAt.iso8601,
            role: isAdmin ? MemberRole.admin.rawValue : nil)
    }
}

extension ChatConversation {
    /// The most characters of a last message.
    static let excerptLength = 150

    /// The entry of a person's list.
    init(_ entry: InboxEntry) {
        let conversation = entry.conversation
        self.init(
            id: conversation.id.rawValue, kind: conversation.kind.rawValue,
            visibility: conversation.visibility.rawValue, history: conversation.history.rawValue,
            name: entry.displayName, timeZone: conversation.timeZone, createdAt: conversation.createdAt.iso8601,
            updatedAt: conversation.updatedAt.iso8601, head: entry.head,
            lastMessage: entry.lastMessage.map { LastMessage($0) }, activeAt: entry.activeAt.iso8601,
            readSeq: entry.readSeq, unreadCount: entry.unreadCount, mentionCount: entry.mentionCount,
            firstUnreadId: entry.firstUnreadID?.rawValue, role: entry.role?.rawValue,
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
            timestamp: message.timestamp.iso8601)
    }
}

extension ChatPreferences {
    init(_ preferences: ConversationPreferences) {
        self.init(
            muted: preferences.isMuted, archived: preferences.isArchived, pinned: preferences.isPinned,
            notifications: preferences.notifications?.rawValue)
    }
}
