/// The role of a person on this server.
package enum AccountRole: String, CaseIterable, Hashable, Sendable, Codable {
    /// Uses the chat and the assistant.
    case member
    /// Also administers the server.
    case administrator
}

/// An account of the data folder: a person who can sign in.
package struct Account: Hashable, Sendable, Codable {
    /// The person.
    package let userID: UserID
    /// The name that the person chose; nil if there is none yet.
    package var name: String?
    /// What the person may do on this server.
    package var role: AccountRole
    /// Whether the person cannot sign in at present.
    package var isDisabled: Bool
    /// When the account was made.
    package let createdAt: Timestamp
    /// When the person accepted the invitation, or first signed in with another service; nil while the account is only
    /// an invitation.
    package var acceptedAt: Timestamp?
    /// When the person last signed in.
    package var lastSignInAt: Timestamp?
    /// Whether the account has a password; those of another service have none.
    package var hasPassword: Bool

    package init(
        userID: UserID, name: String? = nil, role: AccountRole = .member, isDisabled: Bool = false,
        createdAt: Timestamp, acceptedAt: Timestamp? = nil, lastSignInAt: Timestamp? = nil,
        hasPassword: Bool = false
    ) {
        self.userID = userID
        self.name = name
        self.role = role
        self.isDisabled = isDisabled
        self.createdAt = createdAt
        self.acceptedAt = acceptedAt
        self.lastSignInAt = lastSignInAt
        self.hasPassword = hasPassword
    }
}

/// A one-time link with which a person sets a password; never contains the link's code.
package struct AccountInvitation: Hashable, Sendable {
    /// What the link is for.
    package enum Purpose: String, CaseIterable, Hashable, Sendable {
        /// The first password of a new account.
        case invitation
        /// A new password instead of a forgotten one.
        case reset
    }

    /// The person.
    package let userID: UserID
    /// What the link is for.
    package let purpose: Purpose
    /// The SHA-256 of the link's code.
    package let digest: [UInt8]
    /// The moment from which the link is invalid.
    package let expiresAt: Timestamp
    /// When it was made; nil for links of earlier versions.
    package let madeAt: Timestamp?
    /// Who made it, nil for the operator.
    ///
    /// The link is invalid as soon as they may not make it any more.
    package let maker: LinkMaker?

    package init(
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
package enum LinkMaker: Hashable, Sendable {
    /// An administrator with an account.
    case account(UserID)
    /// A key of an administrator.
    case key(APIKey.ID)
}

/// A browser or an app in which a person is signed in; never contains its refresh token.
package struct AccountSession: Hashable, Sendable {
    /// The id of a session; it is not secret.
    package typealias ID = Identifier<AccountSession>

    /// The longest description of a client that is kept.
    package static let userAgentLimit = TextLimit(characters: 256)
    /// The most sessions of a person; the ones that were not used for longest end.
    package static let countLimit = 100

    /// The session's id.
    package let id: ID
    /// The person.
    package let userID: UserID
    /// When the person signed in.
    package let createdAt: Timestamp
    /// When the session was last renewed.
    package var lastUsedAt: Timestamp
    /// The moment at which it ends unless it is renewed.
    package var expiresAt: Timestamp
    /// What the client said of itself; nil if it said nothing.
    package let userAgent: String?

    package init(
        id: ID, userID: UserID, createdAt: Timestamp, lastUsedAt: Timestamp, expiresAt: Timestamp, userAgent: String?
    ) {
        self.id = id
        self.userID = userID
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.userAgent = userAgent.map { Self.userAgentLimit.cut($0) }
    }
}
