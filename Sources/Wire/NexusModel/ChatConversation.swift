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
        /// Its files; nil for none.
        public var attachments: [ChatMessage.Attachment]?
        /// When it was sent.
        public var timestamp: String

        public init(
            id: String, senderId: String, senderName: String, text: String,
            attachments: [ChatMessage.Attachment]? = nil, timestamp: String
        ) {
            self.id = id
            self.senderId = senderId
            self.senderName = senderName
            self.text = text
            self.attachments = attachments
            self.timestamp = timestamp
        }
    }

    /// The id.
    public var id: String
    /// `direct` or `group`.
    public var kind: String
    /// `members` or `everyone`.
    public var visibility: String
    /// The part of the history that people who join later may read: `all` or `joined`; nil from an older server.
    public var history: String?
    /// Its name; of a direct conversation, the other's.
    public var name: String
    /// The IANA name of its time zone.
    public var timeZone: String?
    /// When it was made, as ISO 8601; nil from an older server.
    public var createdAt: String?
    /// When it was last changed; nil from an older server.
    public var updatedAt: String?
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
    /// The administrators of a group; nil for none.
    public var admins: [String]?
    /// The person's own settings.
    public var preferences: ChatPreferences
    /// The members of a direct conversation.
    public var members: [ChatMember]?

    public init(
        id: String, kind: String, visibility: String, history: String? = nil, name: String, timeZone: String? = nil,
        createdAt: String? = nil, updatedAt: String? = nil, head: Int64, lastMessage: LastMessage? = nil,
        activeAt: String, readSeq: Int64, unreadCount: Int, mentionCount: Int, firstUnreadId: String? = nil,
        role: String? = nil, admins: [String]? = nil, preferences: ChatPreferences, members: [ChatMember]? = nil
    ) {
        self.id = id
        self.kind = kind
        self.visibility = visibility
        self.history = history
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.head = head
        self.lastMessage = lastMessage
        self.activeAt = activeAt
        self.readSeq = readSeq
        self.unreadCount = unreadCount
        self.mentionCount = mentionCount
        self.firstUnreadId = firstUnreadId
        self.role = role
        self.admins = admins
        self.preferences = preferences
        self.members = members
    }
}

/// A page of a person's conversations: pinned ones first, then by last activity.
public struct ChatConversationPage: Hashable, Sendable, Codable {
    /// The conversations.
    public var conversations: [ChatConversation]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(conversations: [ChatConversation], next: String? = nil) {
        self.conversations = conversations
        self.next = next
    }
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

    public init(muted: Bool, archived: Bool, pinned: Bool, notifications: String? = nil) {
        self.muted = muted
        self.archived = archived
        self.pinned = pinned
        self.notifications = notifications
    }
}

/// A member of a conversation.
public struct ChatMember: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name.
    public var name: String
    /// Other names; nil from an older server.
    public var aliases: [String]?
    /// When the member joined, as ISO 8601; nil from an older server.
    public var joinedAt: String?
    /// When the member left; nil for a present one.
    public var leftAt: String?
    /// `admin` for an administrator, in replies that list members.
    public var role: String?

    public init(
        userId: String, name: String, leftAt: String? = nil, aliases: [String]? = nil, joinedAt: String? = nil,
        role: String? = nil
    ) {
        self.userId = userId
        self.name = name
        self.aliases = aliases
        self.joinedAt = joinedAt
        self.leftAt = leftAt
        self.role = role
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

    public init(
        userId: String, readSeq: Int64, deliveredSeq: Int64 = 0, joinedSeq: Int64 = 0, readAt: String? = nil
    ) {
        self.userId = userId
        self.readSeq = readSeq
        self.readAt = readAt
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
    /// The newest notifications; nil from an older server.
    public var notifications: [ChatNotification]?
    /// The person's own settings.
    public var settings: ChatSettings?

    public init(
        cursor: FeedCursor, conversations: [ChatConversation], settings: ChatSettings? = nil,
        notifications: [ChatNotification]? = nil
    ) {
        self.cursor = cursor
        self.conversations = conversations
        self.notifications = notifications
        self.settings = settings
    }
}
