public import Foundation

/// A person who signed in.
public struct SessionUser: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name to show.
    public var name: String
    /// `member` or `administrator`.
    public var role: SessionUser.Role
    /// Whether the person signs in with a password.
    public var hasPassword: Bool

    public init(userId: String, name: String, role: SessionUser.Role, hasPassword: Bool) {
        self.userId = userId
        self.name = name
        self.role = role
        self.hasPassword = hasPassword
    }
}

/// Who the caller is: the reply of `GET /v1/session`.
public struct SessionState: Hashable, Sendable, Codable {
    /// The person.
    public var user: SessionUser
    /// The link with which the person's password can be replaced now; nil for none.
    public var passwordLink: PasswordLink?

    public init(user: SessionUser, passwordLink: PasswordLink? = nil) {
        self.user = user
        self.passwordLink = passwordLink
    }
}

/// A link that resets a password, for the person concerned.
public struct PasswordLink: Hashable, Sendable, Codable {
    /// When it was made.
    public var madeAt: Date?
    /// When it expires.
    public var expiresAt: Date
    /// The administrator who made it; nil for an operator or a key.
    public var madeBy: String?

    public init(madeAt: Date? = nil, expiresAt: Date, madeBy: String? = nil) {
        self.madeAt = madeAt
        self.expiresAt = expiresAt
        self.madeBy = madeBy
    }
}

/// The reply of a sign-in.
public struct SignedInSession: Hashable, Sendable, Codable {
    /// For `Authorization: Bearer`.
    public var accessToken: String
    /// When the token expires.
    public var expiresAt: Date
    /// The person.
    public var user: SessionUser

    public init(accessToken: String, expiresAt: Date, user: SessionUser) {
        self.accessToken = accessToken
        self.expiresAt = expiresAt
        self.user = user
    }
}

/// How people sign in: the reply of `GET /v1/session/methods`.
public struct SignInMethods: Hashable, Sendable, Codable {
    /// `none` or `required`.
    public var authentication: String
    /// The people to pick from, without authentication.
    public var users: [ChatPerson]
    /// The user who is picked at first.
    public var defaultUser: String?
    /// Whether anybody signs in with a password.
    public var password: Bool
    /// The service for signing in; nil for none.
    public var oidc: Service?
    /// Whether nobody can sign in as an administrator yet.
    public var isFirstStart: Bool
    /// Whether a language model writes answers; nil for servers that do not say.
    public var hasLanguageModel: Bool?

    public init(
        authentication: String, users: [ChatPerson], defaultUser: String? = nil, password: Bool, oidc: Service? = nil,
        isFirstStart: Bool, hasLanguageModel: Bool? = nil
    ) {
        self.authentication = authentication
        self.users = users
        self.defaultUser = defaultUser
        self.password = password
        self.oidc = oidc
        self.isFirstStart = isFirstStart
        self.hasLanguageModel = hasLanguageModel
    }

    /// A service for signing in.
    public struct Service: Hashable, Sendable, Codable {
        /// Its name.
        public var name: String

        public init(name: String) { self.name = name }
    }

    /// Writes null for a missing user and a missing service.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(authentication, forKey: .authentication)
        try fields.encode(users, forKey: .users)
        try fields.encode(defaultUser, forKey: .defaultUser)
        try fields.encode(password, forKey: .password)
        try fields.encode(oidc, forKey: .oidc)
        try fields.encode(isFirstStart, forKey: .isFirstStart)
        try fields.encodeIfPresent(hasLanguageModel, forKey: .hasLanguageModel)
    }
}

/// Whom a link is for: the reply of `GET /v1/invitations/{code}`.
public struct AccountInvitationDetails: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name, if it is known.
    public var name: String?
    /// `invitation` or `reset`.
    public var purpose: Purpose

    public init(userId: String, name: String? = nil, purpose: Purpose) {
        self.userId = userId
        self.name = name
        self.purpose = purpose
    }
}

/// Where a person is signed in.
public struct SessionDetails: Hashable, Sendable, Codable, Identifiable {
    /// The session.
    public var id: String
    /// When the person signed in.
    public var createdAt: Date
    /// When it was last used.
    public var lastUsedAt: Date
    /// How the client named itself when the person signed in.
    public var userAgent: String?
    /// Whether it is the session of this request.
    public var isCurrent: Bool
    /// The assistant that the person connected; nil for a session of the person.
    public var assistant: Assistant?

    /// A program that acts as the person.
    public struct Assistant: Hashable, Sendable, Codable {
        /// The name that it gave itself.
        public var name: String
        /// What the person allowed: `read`, `ask`, `write`.
        public var scopes: [String]

        public init(name: String, scopes: [String]) { (self.name, self.scopes) = (name, scopes) }
    }

    public init(
        id: String, createdAt: Date, lastUsedAt: Date, userAgent: String? = nil, isCurrent: Bool,
        assistant: Assistant? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.userAgent = userAgent
        self.isCurrent = isCurrent
        self.assistant = assistant
    }
}

/// The sessions of a person.
public struct SessionDetailsList: Hashable, Sendable, Codable {
    /// The sessions.
    public var sessions: [SessionDetails]

    public init(sessions: [SessionDetails]) {
        self.sessions = sessions
    }
}

/// An account as administrators see it.
public struct AccountDetails: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// The name to show.
    public var name: String
    /// `member` or `administrator`.
    public var role: SessionUser.Role
    /// Whether the person cannot sign in.
    public var isDisabled: Bool
    /// When it was made.
    public var createdAt: Date
    /// When the person last signed in.
    public var lastSignInAt: Date?
    /// Whether the person has not accepted the invitation yet.
    public var isInvited: Bool

    public init(
        userId: String, name: String, role: SessionUser.Role, isDisabled: Bool, createdAt: Date,
        lastSignInAt: Date? = nil,
        isInvited: Bool
    ) {
        self.userId = userId
        self.name = name
        self.role = role
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.lastSignInAt = lastSignInAt
        self.isInvited = isInvited
    }
}

/// The accounts of a server.
public struct AccountDetailsList: Hashable, Sendable, Codable {
    /// The accounts.
    public var accounts: [AccountDetails]

    public init(accounts: [AccountDetails]) {
        self.accounts = accounts
    }
}

/// A link for a person with which a password is set.
public struct AccountLinkDetails: Hashable, Sendable, Codable {
    /// The user.
    public var userId: String
    /// Relative to the address of the server.
    public var link: String
    /// When it expires.
    public var expiresAt: Date

    public init(userId: String, link: String, expiresAt: Date) {
        self.userId = userId
        self.link = link
        self.expiresAt = expiresAt
    }
}

extension SessionUser {
    /// What an account may do.
    public enum Role: OpenWord {
        /// Uses the chat.
        case member
        /// Administers the server too.
        case administrator
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Role] = [.member, .administrator]

        /// The word.
        public var rawValue: String {
            switch self {
            case .member: "member"
            case .administrator: "administrator"
            case .unknown(let word): word
            }
        }
    }
}

extension AccountInvitationDetails {
    /// What a link is for.
    public enum Purpose: OpenWord {
        /// It opens an account.
        case invitation
        /// It sets another password.
        case reset
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Purpose] = [.invitation, .reset]

        /// The word.
        public var rawValue: String {
            switch self {
            case .invitation: "invitation"
            case .reset: "reset"
            case .unknown(let word): word
            }
        }
    }
}
