/// A conversation in a person's list.
public struct ChatConversation: Hashable, Sendable, Codable, Identifiable {
    /// The newest message, shortened.
    public struct LastMessage: Hashable, Sendable, Codable {
        /// Its id.
        public var id: String
        /// The sender.
        public var senderId: String
        /// The sender's name.
        public var senderName: String
        /// The beginning of its text.
        public var text: String
        /// When it was sent.
        public var timestamp: String
    }

    /// The id.
    public var id: String
    /// `direct` or `group`.
    public var kind: String
    /// `members` or `everyone`.
    public var visibility: String
    /// Its name; of a direct conversation, the other's.
    public var name: String
    /// The position of its last live message; 0 before the first.
    public var head: Int64
    /// The newest message.
    public var lastMessage: LastMessage?
    /// The time of the newest message, or of the conversation's beginning.
    public var activeAt: String
    /// The position of the last message that the person read.
    public var readSeq: Int64
    /// Messages of others after ``readSeq``, at most 100.
    public var unreadCount: Int
    /// Those that mention the person.
    public var mentionCount: Int
    /// The first unread message.
    public var firstUnreadId: String?
    /// `member` or `admin`; nil for a person who only reads.
    public var role: String?
    /// The person's own settings.
    public var preferences: ChatPreferences
    /// The members of a direct conversation.
    public var members: [ChatMember]?
}

/// A person's own settings for one conversation.
public struct ChatPreferences: Hashable, Sendable, Codable {
    /// Whether it is shown without notice of new messages.
    public var muted: Bool
    /// Whether it is kept apart from the list.
    public var archived: Bool
    /// Whether it is at the top of the list.
    public var pinned: Bool
    /// `all`, `mentions` or `nothing`; nil for the default.
    public var notifications: String?
}

/// A member of a conversation.
public struct ChatMember: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name.
    public var name: String
    /// When the member left; nil for a present one.
    public var leftAt: String?

    public init(userId: String, name: String, leftAt: String? = nil) {
        self.userId = userId
        self.name = name
        self.leftAt = leftAt
    }
}

/// How far a member has read and received a conversation.
public struct ChatReceipt: Hashable, Sendable, Codable {
    /// The member.
    public var userId: String
    /// The position of the last message that the member read.
    public var readSeq: Int64
    /// When the member read it.
    public var readAt: String?
    /// The position of the last message that reached a device of the member.
    public var deliveredSeq: Int64
    /// The head of the conversation when the member joined.
    public var joinedSeq: Int64

    public init(userId: String, readSeq: Int64, deliveredSeq: Int64 = 0, joinedSeq: Int64 = 0) {
        self.userId = userId
        self.readSeq = readSeq
        self.deliveredSeq = deliveredSeq
        self.joinedSeq = joinedSeq
    }
}

/// Everything that a person sees at one moment: the reply of `GET /v1/sync`.
public struct ChatSnapshot: Hashable, Sendable, Codable {
    /// The position of the feed after it.
    public var cursor: FeedCursor
    /// The conversations.
    public var conversations: [ChatConversation]
    /// The person's own settings.
    public var settings: ChatSettings?

    public init(cursor: FeedCursor, conversations: [ChatConversation], settings: ChatSettings? = nil) {
        self.cursor = cursor
        self.conversations = conversations
        self.settings = settings
    }
}
