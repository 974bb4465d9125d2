/// A place where people write to one another.
public struct Conversation: Hashable, Sendable {
    /// What kind of talk it is.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// Between fixed people; it bears the other members' names.
        case direct
        /// A named group or channel.
        case group
    }

    /// Who may read it.
    public enum Visibility: String, Codable, Sendable, CaseIterable {
        /// Its present members.
        case members
        /// Every user of the data folder, but guests and bots only as members; see ``UserKind``.
        case everyone
    }

    /// The id that the chat application gave.
    public let id: ConversationID
    /// Direct or group.
    public var kind: Kind
    /// Who may read it.
    public var visibility: Visibility
    /// The name shown; nil for a direct conversation.
    public var name: String?
    /// The IANA name of the zone in which its people say "Friday"; nil when unknown.
    public var timeZone: String?
    /// When it was made, by the chat application's clock.
    public var createdAt: Timestamp
    /// When something of it last changed, by ours.
    public var updatedAt: Timestamp

    public init(
        id: ConversationID, kind: Kind = .group, visibility: Visibility = .members, name: String? = nil,
        timeZone: String? = nil, createdAt: Timestamp, updatedAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.visibility = visibility
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }
}

/// Whether the messages of a conversation are embedded.
public struct ConversationEmbedding: Hashable, Sendable {
    /// What was asked for.
    public enum Choice: String, Codable, Sendable, CaseIterable {
        /// As the rule for its kind says.
        case standard = "default"
        /// Embedded, whatever the rule says.
        case included
        /// Not embedded: its messages are found by their words only.
        case excluded
    }

    /// What was asked for.
    public var choice: Choice
    /// What follows from it and from the rule for its kind.
    public var isExcluded: Bool

    public init(choice: Choice, isExcluded: Bool) {
        self.choice = choice
        self.isExcluded = isExcluded
    }
}

/// One person's part in one conversation.
public struct Member: Hashable, Sendable {
    /// Who it is.
    public let userID: UserID
    /// The name shown in this conversation.
    public var displayName: String
    /// Other names that people use for this person.
    public var aliases: [String]
    /// Since when.
    public var joinedAt: Timestamp
    /// When this person left; nil for a present member.
    ///
    /// Who has left finds nothing here from that moment on.
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

/// Somebody whom messages may be by or about.
public struct Person: Hashable, Sendable {
    /// Who it is.
    public let userID: UserID
    /// The names shown in conversations, most often one; ordered.
    public var names: [String]
    /// Other names that people use for this person; ordered.
    public var aliases: [String]
    /// Where this person is or was, as far as the scope goes.
    public var conversations: Set<ConversationNumber>

    public init(
        userID: UserID, names: [String], aliases: [String] = [], conversations: Set<ConversationNumber> = []
    ) {
        self.userID = userID
        self.names = names
        self.aliases = aliases
        self.conversations = conversations
    }

    /// About how many bytes it takes in memory.
    public var byteCount: Int {
        let texts = (names + aliases).reduce(userID.rawValue.utf8.count) { $0 + 48 + $1.utf8.count }
        return 128 + texts + 24 * conversations.count
    }
}

/// A conversation together with everybody who is or was in it.
public struct ConversationRoster: Hashable, Sendable {
    /// The conversation.
    public var conversation: Conversation
    /// Its members, past ones too, ordered by user id.
    public var members: [Member]
    /// When exactly these were the present members, as an import tells it; nil where the list may be incomplete.
    ///
    /// It ends the other memberships that this source's imports gave.
    public var listedAt: Timestamp?

    public init(conversation: Conversation, members: [Member], listedAt: Timestamp? = nil) {
        self.conversation = conversation
        self.members = members
        self.listedAt = listedAt
    }
}

/// Who an author in some source is: joins imported history to the users of the chat application.
public struct Identity: Hashable, Sendable, Codable {
    /// Where the author wrote: the name given at the import, `api` for messages that were posted.
    public var source: String
    /// The author's id there.
    public var externalID: String
    /// The user that this author is.
    public var userID: UserID
    /// The author's name there, when known.
    public var name: String?
    /// The author's mail address there, when known.
    public var email: String?
    /// Whether the author is a program.
    public var isBot: Bool
    /// What kind of user the source says that the author is; nil when it does not tell.
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

    /// What kind of user a person is of whom sources say this: a guest if one of them does, a bot if all of them do.
    public static func kind(of identities: some Collection<Identity>) -> UserKind {
        if identities.contains(where: { $0.kind == .guest }) { return .guest }
        let isBot = identities.allSatisfy { $0.kind.map { $0 == .bot } ?? $0.isBot }
        return isBot && !identities.isEmpty ? .bot : .member
    }
}
