/// The place of a message in its conversation, and what is shown with it.
public struct MessagePosition: Hashable, Sendable {
    /// Its number among the live messages of the conversation: dense, from 1, in the order of arrival.
    ///
    /// Messages of an imported history have none.
    public let seq: Int64?
    /// The change with which it arrived; nil for history.
    public let arrival: ChangeNumber?
    /// The replies that the reader may see; nil if there are none, or if nobody asked for them.
    public var replies: ReplySummary?
    /// Of an answer of the assistant: the later message that makes it wrong, if the reader may see it; nil if there is
    /// none, or if nobody asked for it.
    public var outdated: OutdatedMark?

    public init(
        seq: Int64?, arrival: ChangeNumber?, replies: ReplySummary? = nil, outdated: OutdatedMark? = nil
    ) {
        self.seq = seq
        self.arrival = arrival
        self.replies = replies
        self.outdated = outdated
    }
}

/// What a reader is shown beside a message.
public struct MessageDetails: Hashable, Sendable {
    /// Its place, and the replies to it.
    public var position: MessagePosition
    /// How far the reader's own live message has come; nil for other messages.
    public var status: MessageStatus?

    public init(position: MessagePosition, status: MessageStatus? = nil) {
        self.position = position
        self.status = status
    }
}

/// A message with its neighbours.
public struct MessageSurroundings: Hashable, Sendable {
    /// The message; nil if it was deleted, or if its reader may not see it.
    public var message: Message?
    /// The messages before it, newest first.
    public var earlier: [Message]
    /// The messages after it, oldest first.
    public var later: [Message]

    public init(message: Message?, earlier: [Message] = [], later: [Message] = []) {
        self.message = message
        self.earlier = earlier
        self.later = later
    }
}

/// The result of sending a message.
public struct PostedMessage: Hashable, Sendable {
    /// What became of it.
    public let outcome: AcceptOutcome
    /// The position of the message, or of the one that was sent before; nil if it is not stored.
    public let seq: Int64?

    public init(outcome: AcceptOutcome, seq: Int64?) {
        self.outcome = outcome
        self.seq = seq
    }
}

/// A member's name in the text of a message, such as `@Ada`.
public struct MemberMention: Hashable, Sendable, Codable {
    /// The most mentions of a message; further ones are plain text.
    public static let limit = 100

    /// The mentioned member.
    public let userID: UserID
    /// The offset of `@` in the text, in Unicode scalars.
    public let start: Int
    /// The offset after the name.
    public let end: Int

    private enum CodingKeys: String, CodingKey {
        case userID = "userId"
        case start
        case end
    }

    public init(userID: UserID, start: Int, end: Int) {
        self.userID = userID
        self.start = start
        self.end = end
    }
}

/// What a member may do in a conversation.
public enum MemberRole: String, Codable, Sendable, CaseIterable {
    /// Writes, adds members of a group, and leaves.
    case member
    /// Also renames the group, removes members and names administrators.
    case admin
}

/// The messages of a conversation that a person is notified of.
public enum NotificationLevel: String, Codable, Sendable, CaseIterable {
    case all
    /// Only messages that mention the person, and replies to the person's messages.
    case mentions
    case nothing
}

/// A person's own settings for one conversation.
public struct ConversationPreferences: Hashable, Sendable, Codable {
    /// Whether the conversation is shown without notice of new messages.
    public var isMuted: Bool
    /// Whether it is kept apart from the list.
    public var isArchived: Bool
    /// Whether it is at the top of the list.
    public var isPinned: Bool
    /// The messages that the person is notified of; nil for all of a direct conversation and the mentions of a group.
    public var notifications: NotificationLevel?

    private enum CodingKeys: String, CodingKey {
        case isMuted = "muted"
        case isArchived = "archived"
        case isPinned = "pinned"
        case notifications
    }

    public init(
        isMuted: Bool = false, isArchived: Bool = false, isPinned: Bool = false,
        notifications: NotificationLevel? = nil
    ) {
        self.isMuted = isMuted
        self.isArchived = isArchived
        self.isPinned = isPinned
        self.notifications = notifications
    }
}

/// How far a member has read a conversation, and received it.
public struct Receipt: Hashable, Sendable {
    /// The member.
    public let userID: UserID
    /// The position of the last message that the member read; 0 for none.
    public var readSeq: Int64
    /// When the member read it.
    public var readAt: Timestamp?
    /// The position of the last message that reached one of the member's devices; 0 for none.
    public var deliveredSeq: Int64
    /// The head of the conversation when the member joined: earlier messages were not sent to the member.
    public var joinedSeq: Int64

    public init(
        userID: UserID, readSeq: Int64, readAt: Timestamp? = nil, deliveredSeq: Int64 = 0, joinedSeq: Int64 = 0
    ) {
        self.userID = userID
        self.readSeq = readSeq
        self.readAt = readAt
        self.deliveredSeq = deliveredSeq
        self.joinedSeq = joinedSeq
    }
}

/// A conversation in a person's list.
public struct InboxEntry: Hashable, Sendable {
    /// The conversation.
    public var conversation: Conversation
    /// Its name, for this person: of a direct conversation, the names of the others.
    public var displayName: String
    /// The position of its last live message; 0 before the first.
    public var head: Int64
    /// Its newest message that the person may see.
    public var lastMessage: Message?
    /// The time of the newest message, or of the conversation's beginning.
    public var activeAt: Timestamp
    /// The position of the last message that the person read.
    public var readSeq: Int64
    /// Messages of others after ``readSeq``; at most ``countLimit``.
    public var unreadCount: Int
    /// Unread messages that mention the person; at most ``countLimit``.
    public var mentionCount: Int
    /// The first unread message.
    public var firstUnreadID: MessageID?
    /// The person's role; nil for a person who only reads an open conversation.
    public var role: MemberRole?
    /// The person's own settings.
    public var preferences: ConversationPreferences
    /// Present members of a direct conversation; empty for a group.
    public var members: [Member]
    /// The administrators of a group, by user id.
    public var admins: [UserID]

    /// The most unread messages that are counted.
    public static let countLimit = 100

    public init(
        conversation: Conversation, displayName: String, head: Int64, lastMessage: Message?, activeAt: Timestamp,
        readSeq: Int64, unreadCount: Int, mentionCount: Int, firstUnreadID: MessageID?, role: MemberRole?,
        preferences: ConversationPreferences, members: [Member], admins: [UserID] = []
    ) {
        self.conversation = conversation
        self.displayName = displayName
        self.head = head
        self.lastMessage = lastMessage
        self.activeAt = activeAt
        self.readSeq = readSeq
        self.unreadCount = unreadCount
        self.mentionCount = mentionCount
        self.firstUnreadID = firstUnreadID
        self.role = role
        self.preferences = preferences
        self.members = members
        self.admins = admins
    }

    /// Whether it comes before `other` in a list: pinned ones first, then by last activity.
    public func precedes(_ other: InboxEntry) -> Bool {
        if preferences.isPinned != other.preferences.isPinned { return preferences.isPinned }
        if activeAt != other.activeAt { return activeAt > other.activeAt }
        return conversation.id < other.conversation.id
    }
}

/// The present state of something that changed, for one reader.
public enum FeedChange: Hashable, Sendable {
    /// A message that was written or changed, or whose replies changed.
    case message(Message, MessagePosition, [MemberMention])
    /// A message that was deleted.
    case deletion(MessageKey, MessagePosition)
    /// A conversation whose name, members or settings changed, as the reader sees it, with its present members and their
    /// receipts.
    case conversation(InboxEntry, [Member], [Receipt])
    /// The reader no longer sees a conversation.
    case departure(ConversationID)
    /// A member read on, marked messages as unread, or received the reader's messages.
    case receipt(Receipt, ConversationID)
    /// Items of a conversation changed; the reader asks for them.
    case items(ConversationID)
    /// Threads of the reader changed; the reader asks for them.
    case threads
    /// A later message, which the reader may see, makes the answer of a turn wrong.
    case outdated(TurnID, ThreadID?, by: MessageKey)
    /// Devices for push of the reader came or went; a client whose device went registers it again.
    case devices
    /// Scheduled messages of the reader came, changed, were sent or refused; a client reads the list again.
    case scheduled
    /// A notification that is new or changed.
    case notification(NotificationEntry)
    /// Notifications of the reader are gone: these are the newest that are left, newest first, instead of all that the
    /// reader has.
    case notifications([NotificationEntry])
    /// The reader's own settings.
    case settings(PersonalSettings)
}

/// The people whom changes of a conversation concern.
public struct Audience: Hashable, Sendable {
    /// Its present members.
    public var members: Set<UserID>
    /// Whether others read it too.
    public var isOpen: Bool

    public init(members: Set<UserID>, isOpen: Bool) {
        self.members = members
        self.isOpen = isOpen
    }
}

/// A part of the change log that a reader asks for.
public struct FeedRange: Hashable, Sendable {
    /// The position of the reader.
    public var start: ChangeCursor
    /// The last position that the reader asks for; nil for the end of the log.
    public var end: ChangeCursor?
    /// The conversations that changed, if that is known; nil to look at all of the reader's.
    public var conversations: Set<ConversationID>?

    public init(
        after start: ChangeCursor, through end: ChangeCursor? = nil, in conversations: Set<ConversationID>? = nil
    ) {
        self.start = start
        self.end = end
        self.conversations = conversations
    }
}

/// What changed for one reader between two positions of the change log.
public struct FeedPage: Hashable, Sendable {
    /// The present state of everything that changed; within a conversation by the order of the last changes.
    public var changes: [FeedChange]
    /// Conversations with more changes than a page takes: the reader loads them again.
    public var limited: [ConversationID]
    /// The position of this state.
    public var end: ChangeCursor

    public init(changes: [FeedChange], limited: [ConversationID] = [], end: ChangeCursor) {
        self.changes = changes
        self.limited = limited
        self.end = end
    }
}
