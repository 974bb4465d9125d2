public import Foundation

/// A conversation as everybody sees it: the reply of `GET /v1/conversations/{conversation}`.
public struct ConversationDetails: Hashable, Sendable, Codable, Identifiable {
    /// The id.
    public var id: String
    /// `direct` or `group`.
    public var kind: ChatConversation.Kind
    /// `members` or `everyone`.
    public var visibility: ChatConversation.Visibility
    /// The part of the history that people who join later may read: `all` or `joined`.
    public var history: ChatConversation.History
    /// Its name.
    public var name: String?
    /// The IANA name of its time zone.
    public var timeZone: String?
    /// When it was made.
    public var createdAt: Date
    /// When it was last changed.
    public var updatedAt: Date
    /// Its members, past ones too; nil in lists.
    public var members: [ChatMember]?
    /// Whether its messages are to be embedded: `default`, `included` or `excluded`; nil where it is not shown.
    public var embedding: EmbeddingChoice.Choice?
    /// Whether its messages are embedded; otherwise only a search by words finds them.
    public var isEmbedded: Bool?

    public init(
        id: String, kind: ChatConversation.Kind, visibility: ChatConversation.Visibility,
        history: ChatConversation.History, name: String?, timeZone: String?,
        createdAt: Date, updatedAt: Date, members: [ChatMember]? = nil, embedding: EmbeddingChoice.Choice? = nil,
        isEmbedded: Bool? = nil
    ) {
        self.id = id
        self.kind = kind
        self.visibility = visibility
        self.history = history
        self.name = name
        self.timeZone = timeZone
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.members = members
        self.embedding = embedding
        self.isEmbedded = isEmbedded
    }
}

/// A page of conversations as everybody sees them.
public struct ConversationDetailsPage: Hashable, Sendable, Codable {
    /// The conversations.
    public var conversations: [ConversationDetails]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(conversations: [ConversationDetails], next: String? = nil) {
        self.conversations = conversations
        self.next = next
    }
}

/// Whether a conversation is embedded, for callers that only write.
public struct EmbeddingChoice: Hashable, Sendable, Codable {
    /// The conversation.
    public var id: String
    /// `default`, `included` or `excluded`.
    public var embedding: Choice
    /// Whether its messages are embedded.
    public var isEmbedded: Bool

    public init(id: String, embedding: Choice, isEmbedded: Bool) {
        self.id = id
        self.embedding = embedding
        self.isEmbedded = isEmbedded
    }
}

/// A page of members, by user.
public struct ChatMemberPage: Hashable, Sendable, Codable {
    /// The members.
    public var members: [ChatMember]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(members: [ChatMember], next: String? = nil) {
        self.members = members
        self.next = next
    }
}

/// A user with the kind that decides what he or she may read.
public struct UserDetails: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// `member`, `guest`, `bot`, or a word of a later server.
    public var kind: Kind

    public init(userId: String, kind: Kind) {
        self.userId = userId
        self.kind = kind
    }
}

extension EmbeddingChoice {
    /// Whether messages are to be embedded.
    public enum Choice: OpenWord {
        /// As the server is set.
        case standard
        /// They are.
        case included
        /// They are not.
        case excluded
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Choice] = [.standard, .included, .excluded]

        /// The word.
        public var rawValue: String {
            switch self {
            case .standard: "default"
            case .included: "included"
            case .excluded: "excluded"
            case .unknown(let word): word
            }
        }
    }
}

extension UserDetails {
    /// What decides what a user may read.
    public enum Kind: OpenWord {
        /// Reads all open conversations.
        case member
        /// Reads open conversations as a member only.
        case guest
        /// A program, which reads as a guest does.
        case bot
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Kind] = [.member, .guest, .bot]

        /// The word.
        public var rawValue: String {
            switch self {
            case .member: "member"
            case .guest: "guest"
            case .bot: "bot"
            case .unknown(let word): word
            }
        }
    }
}
