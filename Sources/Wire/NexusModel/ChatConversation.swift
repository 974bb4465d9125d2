public import Foundation

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
        public var timestamp: Date

        public init(
            id: String, senderId: String, senderName: String, text: String,
            attachments: [ChatMessage.Attachment]? = nil, timestamp: Date
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
    public var kind: Kind
    /// `members` or `everyone`.
    public var visibility: Visibility
    /// The part of the history that people who join later may read: `all` or `joined`; nil from an older server.
    public var history: History?
    /// Its name; of a direct conversation, the other's.
    public var name: String
    /// The IANA name of its time zone.
    public var timeZone: String?
    /// When it was made; nil from an older server.
    public var createdAt: Date?
    /// When it was last changed; nil from an older server.
    public var updatedAt: Date?
    /// The position of its last live message; 0 before the first.
    public var head: Int64
    /// The newest message.
    public var lastMessage: LastMessage?
    /// The time of the newest message, or of the conversation's beginning.
    public var activeAt: Date
    /// The position of the last message that the person read.
    public var readSeq: Int64
    /// Messages of others after ``readSeq``, at most 100.
    public var unreadCount: Int
    /// Those that mention the person.
    public var mentionCount: Int
    /// The first unread message.
    public var firstUnreadId: String?
    /// `member` or `admin`; nil for a person who only reads.
    public var role: ChatMember.Role?
    /// The administrators of a group; nil for none.
    public var admins: [String]?
    /// The person's own settings.
    public var preferences: ChatPreferences
    /// The members of a direct conversation.
    public var members: [ChatMember]?

    public init(
        id: String, kind: Kind, visibility: Visibility, history: History? = nil, name: String, timeZone: String? = nil,
        createdAt: Date? = nil, updatedAt: Date? = nil, head: Int64, lastMessage: LastMessage? = nil,
        activeAt: Date, readSeq: Int64, unreadCount: Int, mentionCount: Int, firstUnreadId: String? = nil,
        role: ChatMember.Role? = nil, admins: [String]? = nil, preferences: ChatPreferences,
        members: [ChatMember]? = nil
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
    public var notifications: Notifications?

    public init(muted: Bool, archived: Bool, pinned: Bool, notifications: Notifications? = nil) {
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
    /// When the member joined; nil from an older server.
    public var joinedAt: Date?
    /// When the member left; nil for a present one.
    public var leftAt: Date?
    /// `admin` for an administrator, in replies that list members.
    public var role: ChatMember.Role?

    public init(
        userId: String, name: String, leftAt: Date? = nil, aliases: [String]? = nil, joinedAt: Date? = nil,
        role: ChatMember.Role? = nil
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
    public var readAt: Date?
    /// The position of the last message that reached a device of the member.
    public var deliveredSeq: Int64
    /// The head of the conversation when the member joined.
    public var joinedSeq: Int64

    public init(
        userId: String, readSeq: Int64, deliveredSeq: Int64 = 0, joinedSeq: Int64 = 0, readAt: Date? = nil
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

extension ChatConversation {
    /// How many people a conversation is for.
    public enum Kind: OpenWord {
        /// Two people.
        case direct
        /// Any number.
        case group
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Kind] = [.direct, .group]

        /// The word.
        public var rawValue: String {
            switch self {
            case .direct: "direct"
            case .group: "group"
            case .unknown(let word): word
            }
        }
    }

    /// Who may read a conversation.
    public enum Visibility: OpenWord {
        /// Its members.
        case members
        /// Everyone but guests.
        case everyone
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Visibility] = [.members, .everyone]

        /// The word.
        public var rawValue: String {
            switch self {
            case .members: "members"
            case .everyone: "everyone"
            case .unknown(let word): word
            }
        }
    }

    /// What people who join later may read.
    public enum History: OpenWord {
        /// Everything.
        case all
        /// What was written while they were members.
        case joined
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [History] = [.all, .joined]

        /// The word.
        public var rawValue: String {
            switch self {
            case .all: "all"
            case .joined: "joined"
            case .unknown(let word): word
            }
        }
    }
}

extension ChatPreferences {
    /// The messages of which a person is notified.
    public enum Notifications: OpenWord {
        /// All of them.
        case all
        /// Those that mention the person.
        case mentions
        /// None.
        case nothing
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Notifications] = [.all, .mentions, .nothing]

        /// The word.
        public var rawValue: String {
            switch self {
            case .all: "all"
            case .mentions: "mentions"
            case .nothing: "nothing"
            case .unknown(let word): word
            }
        }
    }
}

extension ChatMember {
    /// What a member may do in a group.
    public enum Role: OpenWord {
        /// Reads and writes.
        case member
        /// Renames the group, removes members and names administrators.
        case administrator
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Role] = [.member, .administrator]

        /// The word.
        public var rawValue: String {
            switch self {
            case .member: "member"
            case .administrator: "admin"
            case .unknown(let word): word
            }
        }
    }
}
