/// A place where people write to one another.
public struct Conversation: Hashable, Sendable {
    /// The kind of conversation.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Between fixed people; its name is made from the other members' names.
        case direct
        /// A named group or channel.
        case group
    }

    /// The users who may read the conversation.
    public enum Visibility: String, Codable, Sendable, CaseIterable {
        /// Its present members.
        case members
        /// All users of the data folder, but guests and bots only as members; see ``UserKind``.
        case everyone
    }

    /// The part of the history that somebody who joins later may read.
    public enum History: String, Codable, Sendable, CaseIterable {
        /// All of it.
        case all
        /// Only messages of the times in which the person was a member.
        case joined
    }

    /// The id from the chat application.
    public let id: ConversationID
    /// Direct or group.
    public var kind: Kind
    /// The users who may read it.
    public var visibility: Visibility
    /// The part of the history that somebody who joins later may read.
    public var history: History
    /// The name shown; nil for a direct conversation.
    public var name: String?
    /// The IANA name of the time zone in which its members say "Friday"; nil when unknown.
    public var timeZone: String?
    /// When it was created, by the chat application's clock.
    public var createdAt: Timestamp
    /// When it last changed, by our clock.
    public var updatedAt: Timestamp

    public init(
        id: ConversationID, kind: Kind = .group, visibility: Visibility = .members, history: History = .all,
        name: String? = nil, timeZone: String? = nil, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.visibility = visibility
        self.history = history
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// Whether the messages of a conversation are embedded.
public struct ConversationEmbedding: Hashable, Sendable {
    /// The choice of an administrator.
    public enum Choice: String, Codable, Sendable, CaseIterable {
        /// The rule for the kind of conversation decides.
        case standard = "default"
        /// Embedded regardless of the rule.
        case included
        /// Not embedded: its messages are found by their words only.
        case excluded
    }

    /// The choice of an administrator.
    public var choice: Choice
    /// The result of the choice and the rule for its kind.
    public var isExcluded: Bool

    public init(choice: Choice, isExcluded: Bool) {
        self.choice = choice
        self.isExcluded = isExcluded
    }
}

/// One person's membership of one conversation.
public struct Member: Hashable, Sendable {
    /// The user.
    public let userID: UserID
    /// The name shown in this conversation.
    public var displayName: String
    /// Other names that people use for this person.
    public var aliases: [String]
    /// When the person joined.
    public var joinedAt: Timestamp
    /// When the person left; nil for a present member.
    ///
    /// From that moment the person finds nothing here.
    public var leftAt: Timestamp?

    public init(
        userID: UserID, displayName: String, aliases: [String] = [], joinedAt: Timestamp, leftAt: Timestamp? = nil
    ) {
        self.userID = userID
        self.displayName = displayName
        self.aliases = aliases
        self.joinedAt = joinedAt
        self.leftAt = leftAt
    }
}

/// A sender of messages, or a person that messages may be about.
public struct Person: Hashable, Sendable {
    /// The user.
    public let userID: UserID
    /// The names shown in conversations, most often one; ordered.
    public var names: [String]
    /// Other names that people use for this person; ordered.
    public var aliases: [String]
    /// The conversations with this person as a present or past member, within the scope.
    public var conversations: Set<ConversationNumber>

    public init(
        userID: UserID, names: [String], aliases: [String] = [], conversations: Set<ConversationNumber> = []
    ) {
        self.userID = userID
        self.names = names
        self.aliases = aliases
        self.conversations = conversations
    }

    /// The approximate size in memory, in bytes.
    public var byteCount: Int {
        let texts = (names + aliases).reduce(userID.rawValue.utf8.count) { $0 + 48 + $1.utf8.count }
        return 128 + texts + 24 * conversations.count
    }
}

/// A conversation with its present and past members.
public struct ConversationRoster: Hashable, Sendable {
    /// The conversation.
    public var conversation: Conversation
    /// Present and past members, ordered by user id.
    public var members: [Member]
    /// When an import reported exactly these present members; nil if the list may be incomplete.
    ///
    /// It ends all other memberships that imports of this source created.
    public var listedAt: Timestamp?
    /// The reading rights that an import states; nil if they follow from the conversation's ``Conversation/History``.
    public var rights: ReadingRights?

    public init(
        conversation: Conversation, members: [Member], listedAt: Timestamp? = nil, rights: ReadingRights? = nil
    ) {
        self.conversation = conversation
        self.members = members
        self.listedAt = listedAt
        self.rights = rights
    }
}

/// Maps an author of a source to a user of the chat application.
public struct Identity: Hashable, Sendable, Codable {
    /// The source of the author's messages: the name given at the import, `api` for posted messages.
    public var source: String
    /// The author's id in the source.
    public var externalID: String
    /// The user that this author is.
    public var userID: UserID
    /// The author's name in the source, if known.
    public var name: String?
    /// The author's mail address in the source, if known.
    public var email: String?
    /// The address that the source has verified, of a member who is no guest; connectors only.
    public var verifiedEmail: String?
    /// Whether the author is a program.
    public var isBot: Bool
    /// The kind of user according to the source; nil if it does not say.
    public var kind: UserKind?

    public init(
        source: String, externalID: String, userID: UserID, name: String? = nil, email: String? = nil,
        isBot: Bool = false, kind: UserKind? = nil
    ) {
        self.source = source
        self.externalID = externalID
        self.userID = userID
        self.name = name
        self.email = email
        self.isBot = isBot
        self.kind = kind
    }

    /// The kind of a person according to several sources: a guest if one of them says so, a bot if all of them do.
    public static func kind(of identities: some Collection<Identity>) -> UserKind {
        if identities.contains(where: { $0.kind == .guest }) { return .guest }
        let isBot = identities.allSatisfy { $0.kind.map { $0 == .bot } ?? $0.isBot }
        return isBot && !identities.isEmpty ? .bot : .member
    }
}
