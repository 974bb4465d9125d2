/// The place of a message in its conversation, and the replies to it.
package struct MessagePosition: Hashable, Sendable {
    /// Its number among the live messages of the conversation: dense, from 1, in the order of arrival.
    ///
    /// Messages of an imported history have none.
    package let seq: Int64?
    /// The change with which it arrived; nil for history.
    package let arrival: ChangeNumber?
    /// The replies that the reader may see; nil if there are none, or if nobody asked for them.
    package var replies: ReplySummary?

    package init(seq: Int64?, arrival: ChangeNumber?, replies: ReplySummary? = nil) {
        self.seq = seq
        self.arrival = arrival
        self.replies = replies
    }
}

/// What a reader is shown beside a message.
package struct MessageDetails: Hashable, Sendable {
    /// Its place, and the replies to it.
    package var position: MessagePosition
    /// How far the reader's own live message has come; nil for other messages.
    package var status: MessageStatus?

    package init(position: MessagePosition, status: MessageStatus? = nil) {
        self.position = position
        self.status = status
    }
}

/// A message with its neighbours.
package struct MessageSurroundings: Hashable, Sendable {
    /// The message; nil if it was deleted, or if its reader may not see it.
    package var message: Message?
    /// The messages before it, newest first.
    package var earlier: [Message]
    /// The messages after it, oldest first.
    package var later: [Message]

    package init(message: Message?, earlier: [Message] = [], later: [Message] = []) {
        self.message = message
        self.earlier = earlier
        self.later = later
    }
}

/// The result of sending a message.
package struct PostedMessage: Hashable, Sendable {
    /// What became of it.
    package let outcome: AcceptOutcome
    /// The position of the message, or of the one that was sent before; nil if it is not stored.
    package let seq: Int64?

    package init(outcome: AcceptOutcome, seq: Int64?) {
        self.outcome = outcome
        self.seq = seq
    }
}

/// A member's name in the text of a message, such as `@Ada`.
package struct MemberMention: Hashable, Sendable, Codable {
    /// The most mentions of a message; further ones are plain text.
    package static let limit = 100

    /// The mentioned member.
    package let userID: UserID
    /// The offset of `@` in the text, in Unicode scalars.
    package let start: Int
    /// The offset after the name.
    package let end: Int

    private enum CodingKeys: String, CodingKey {
        case userID = "userId"
        case start
        case end
    }

    package init(userID: UserID, start: Int, end: Int) {
        self.userID = userID
        self.start = start
        self.end = end
    }
}

/// What a member may do in a conversation.
package enum MemberRole: String, Codable, Sendable, CaseIterable {
    /// Writes, adds members of a group, and leaves.
    case member
    /// Also renames the group, removes members and names administrators.
    case admin
}

/// The messages of a conversation that a person is notified of.
package enum NotificationLevel: String, Codable, Sendable, CaseIterable {
    case all
    /// Only messages that mention the person, and replies to the person's messages.
    case mentions
    case nothing
}

/// A person's own settings for one conversation.
package struct ConversationPreferences: Hashable, Sendable, Codable {
    /// Whether the conversation is shown without notice of new messages.
    package var isMuted: Bool
    /// Whether it is kept apart from the list.
    package var isArchived: Bool
    /// Whether it is at the top of the list.
    package var isPinned: Bool
    /// The messages that the person is notified of; nil for all of a direct conversation and the mentions of a group.
    package var notifications: NotificationLevel?

    private enum CodingKeys: String, CodingKey {
        case isMuted = "muted"
        case isArchived = "archived"
        case isPinned = "pinned"
        case notifications
    }

    package init(
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
package struct Receipt: Hashable, Sendable {
    /// The member.
    package let userID: UserID
    /// The position of the last message that the member read; 0 for none.
    package var readSeq: Int64
    /// When the member read it.
    package var readAt: Timestamp?
    /// The position of the last message that reached one of the member's devices; 0 for none.
    package var deliveredSeq: Int64
    /// The head of the conversation when the member joined: earlier messages were not sent to the member.
    package var joinedSeq: Int64

    package init(
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
package struct InboxEntry: Hashable, Sendable {
    /// The conversation.
    package var conversation: Conversation
    /// Its name, for this person: of a direct conversation, the names of the others.
    package var displayName: String
    /// The position of its last live message; 0 before the first.
    package var head: Int64
    /// Its newest message that the person may see.
    package var lastMessage: Message?
    /// The time of the newest message, or of the conversation's beginning.
    package var activeAt: Timestamp
    /// The position of the last message that the person read.
    package var readSeq: Int64
    /// Messages of others after ``readSeq``; at most ``countLimit``.
    package var unreadCount: Int
    /// Unread messages that mention the person; at most ``countLimit``.
    package var mentionCount: Int
    /// The first unread message.
    package var firstUnreadID: MessageID?
    /// The person's role; nil for a person who only reads an open conversation.
    package var role: MemberRole?
    /// The person's own settings.
    package var preferences: ConversationPreferences
    /// Present members of a direct conversation; empty for a group.
    package var members: [Member]
    /// The administrators of a group, by user id.
    package var admins: [UserID]

    /// The most unread messages that are counted.
    package static let countLimit = 100

    package init(
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
    package func precedes(_ other: InboxEntry) -> Bool {
        if preferences.isPinned != other.preferences.isPinned { return preferences.isPinned }
        if activeAt != other.activeAt { return activeAt > other.activeAt }
        return conversation.id < other.conversation.id
    }
}

/// The present state of something that changed, for one reader.
package enum FeedChange: Hashable, Sendable {
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
    /// Devices for push of the reader came or went; a client whose device went registers it again.
    case devices
    /// A notification that is new or changed.
    case notification(NotificationEntry)
    /// Notifications of the reader are gone: these are the newest that are left, newest first, instead of all that the
    /// reader has.
    case notifications([NotificationEntry])
    /// The reader's own settings.
    case settings(PersonalSettings)
}

/// The people whom changes of a conversation concern.
package struct Audience: Hashable, Sendable {
    /// Its present members.
    package var members: Set<UserID>
    /// Whether others read it too.
    package var isOpen: Bool

    package init(members: Set<UserID>, isOpen: Bool) {
        self.members = members
        self.isOpen = isOpen
    }
}

/// A part of the change log that a reader asks for.
package struct FeedRange: Hashable, Sendable {
    /// The position of the reader.
    package var start: ChangeCursor
    /// The last position that the reader asks for; nil for the end of the log.
    package var end: ChangeCursor?
    /// The conversations that changed, if that is known; nil to look at all of the reader's.
    package var conversations: Set<ConversationID>?

    package init(
        after start: ChangeCursor, through end: ChangeCursor? = nil, in conversations: Set<ConversationID>? = nil
    ) {
        self.start = start
        self.end = end
        self.conversations = conversations
    }
}

/// What changed for one reader between two positions of the change log.
package struct FeedPage: Hashable, Sendable {
    /// The present state of everything that changed; within a conversation by the order of the last changes.
    package var changes: [FeedChange]
    /// Conversations with more changes than a page takes: the reader loads them again.
    package var limited: [ConversationID]
    /// The position of this state.
    package var end: ChangeCursor

    package init(changes: [FeedChange], limited: [ConversationID] = [], end: ChangeCursor) {
        self.changes = changes
        self.limited = limited
        self.end = end
    }
}
