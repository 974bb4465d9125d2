/// The role of a person on this server.
public enum AccountRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// Uses the chat and the assistant.
    case member
    /// Also administers the server.
    case administrator
}

/// An account of the data folder: a person who can sign in.
public struct Account: Hashable, Sendable, Codable {
    /// The person.
    public let userID: UserID
    /// The name that the person chose; nil if there is none yet.
    public var name: String?
    /// What the person may do on this server.
    public var role: AccountRole
    /// Whether the person cannot sign in at present.
    public var isDisabled: Bool
    /// When the account was made.
    public let createdAt: Timestamp
    /// When the person accepted the invitation, or first signed in with another service; nil while the account is only
    /// an invitation.
    public var acceptedAt: Timestamp?
    /// When the person last signed in.
    public var lastSignInAt: Timestamp?
    /// Whether the account has a password; those of another service have none.
    public var hasPassword: Bool
    /// The mail address that an administrator or the service for signing in verified; nil for none.
    public var email: String?

    public init(
        userID: UserID, name: String? = nil, role: AccountRole = .member, isDisabled: Bool = false,
        createdAt: Timestamp, acceptedAt: Timestamp? = nil, lastSignInAt: Timestamp? = nil,
        hasPassword: Bool = false, email: String? = nil
    ) {
        self.userID = userID
        self.name = name
        self.role = role
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.acceptedAt = acceptedAt
        self.lastSignInAt = lastSignInAt
        self.hasPassword = hasPassword
        self.email = email
    }
}

/// A one-time link with which a person sets a password; never contains the link's code.
public struct AccountInvitation: Hashable, Sendable {
    /// What the link is for.
    public enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// The first password of a new account.
        case invitation
        /// A new password instead of a forgotten one.
        case reset
    }

    /// The person.
    public let userID: UserID
    /// What the link is for.
    public let purpose: Purpose
    /// The SHA-256 of the link's code.
    public let digest: [UInt8]
    /// The moment from which the link is invalid.
    public let expiresAt: Timestamp
    /// When it was made; nil for links of earlier versions.
    public let madeAt: Timestamp?
    /// Who made it, nil for the operator.
    ///
    /// The link is invalid as soon as they may not make it any more.
    public let maker: LinkMaker?

    public init(
        userID: UserID, purpose: Purpose, digest: [UInt8], expiresAt: Timestamp, madeAt: Timestamp? = nil,
        maker: LinkMaker? = nil
    ) {
        self.userID = userID
        self.purpose = purpose
        self.digest = digest
        self.expiresAt = expiresAt
        self.madeAt = madeAt
        self.maker = maker
    }
}

/// Who made a link, by a right that may end.
public enum LinkMaker: Hashable, Sendable {
    /// An administrator with an account.
    case account(UserID)
    /// A key of an administrator.
    case key(APIKey.ID)
}

/// A browser, an app or an assistant in which a person is signed in; never contains its refresh token.
public struct AccountSession: Hashable, Sendable {
    /// The id of a session; it is not secret.
    public typealias ID = Identifier<AccountSession>

    /// The longest description of a client that is kept.
    public static let userAgentLimit = TextLimit(characters: 256)
    /// The most sessions of a person, and the most of assistants; the ones that were not used for longest end.
    public static let countLimit = 100

    /// The session's id.
    public let id: ID
    /// The person.
    public let userID: UserID
    /// When the person signed in.
    public let createdAt: Timestamp
    /// When the session was last renewed.
    public var lastUsedAt: Timestamp
    /// The moment at which it ends unless it is renewed.
    public var expiresAt: Timestamp
    /// What the client said of itself; nil if it said nothing.
    public let userAgent: String?
    /// The assistant that the person connected; nil for a session of the person.
    public let assistant: ConnectedAssistant?

    public init(
        id: ID, userID: UserID, createdAt: Timestamp, lastUsedAt: Timestamp, expiresAt: Timestamp, userAgent: String?,
        assistant: ConnectedAssistant? = nil
    ) {
        self.id = id
        self.userID = userID
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.userAgent = userAgent.map { Self.userAgentLimit.cut($0) }
        self.assistant = assistant
    }
}
