import Accounts
import ChatCore

/// A person who signed in.
struct SessionUserWire: Encodable {
    let userId: UserID
    let name: String
    let role: AccountRole
    let hasPassword: Bool

    init(userId: UserID, name: String, role: AccountRole, hasPassword: Bool) {
        self.userId = userId
        self.name = name
        self.role = role
        self.hasPassword = hasPassword
    }

    init(_ account: Account) {
        self.init(
            userId: account.userID, name: account.name ?? account.userID.rawValue, role: account.role,
            hasPassword: account.hasPassword)
    }
}

/// The body of `GET /v1/session`.
struct SessionWire: Encodable {
    let user: SessionUserWire
    /// The link with which the user's password can be replaced now.
    let passwordLink: PasswordLinkWire?
}

/// A link that resets a password, for the person concerned.
struct PasswordLinkWire: Encodable {
    let madeAt: WireTime?
    let expiresAt: WireTime
    /// The administrator who made it; nil for an operator or a key.
    let madeBy: UserID?

    init(_ link: AccountInvitation) {
        madeAt = link.madeAt.map { WireTime($0) }
        expiresAt = WireTime(link.expiresAt)
        madeBy = if case .account(let id) = link.maker { id } else { nil }
    }
}

/// The body of a sign-in.
struct SignedInWire: Encodable {
    let accessToken: String
    let expiresAt: WireTime
    let user: SessionUserWire
}

/// The body of `GET /v1/session/methods`.
struct SignInMethodsWire: Encodable {
    struct User: Encodable {
        let userId: UserID
        let name: String
    }

    struct Service: Encodable {
        let name: String
    }

    let authentication: String
    let users: [User]
    let defaultUser: OrNull<String>
    let password: Bool
    let oidc: OrNull<Service>
    let isFirstStart: Bool
}

/// The body of `GET /v1/invitations/{code}`.
struct InvitationWire: Encodable {
    let userId: UserID
    let name: String?
    let purpose: String
}

/// A session in the list of its person.
struct AccountSessionWire: Encodable {
    let id: AccountSession.ID
    let createdAt: WireTime
    let lastUsedAt: WireTime
    let userAgent: String?
    let isCurrent: Bool

    init(_ session: AccountSession, isCurrent: Bool) {
        id = session.id
        createdAt = WireTime(session.createdAt)
        lastUsedAt = WireTime(session.lastUsedAt)
        userAgent = session.userAgent
        self.isCurrent = isCurrent
    }
}

/// The body of `GET /v1/sessions`.
struct SessionList: Encodable {
    let sessions: [AccountSessionWire]
}

/// An account as administrators see it.
struct AccountWire: Encodable {
    let userId: UserID
    let name: String
    let role: AccountRole
    let isDisabled: Bool
    let createdAt: WireTime
    let lastSignInAt: WireTime?
    let isInvited: Bool

    init(_ account: Account) {
        userId = account.userID
        name = account.name ?? account.userID.rawValue
        role = account.role
        isDisabled = account.isDisabled
        createdAt = WireTime(account.createdAt)
        lastSignInAt = account.lastSignInAt.map { WireTime($0) }
        isInvited = account.acceptedAt == nil
    }
}

/// The body of `GET /v1/accounts`.
struct AccountList: Encodable {
    let accounts: [AccountWire]
}

/// A link for a person, relative to the address of the server.
struct AccountLinkWire: Encodable {
    let userId: UserID
    let link: String
    let expiresAt: WireTime

    init(_ link: AccountLink) {
        userId = link.userID
        self.link = link.path
        expiresAt = WireTime(link.expiresAt)
    }
}
