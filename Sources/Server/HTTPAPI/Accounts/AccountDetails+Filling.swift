import Accounts
import ChatCore
import NexusModel

extension SessionUser {
    init(_ account: Account) {
        self.init(
            userId: account.userID.rawValue, name: account.name ?? account.userID.rawValue,
            role: .init(account.role), hasPassword: account.hasPassword)
    }
}

extension PasswordLink {
    init(_ link: AccountInvitation) {
        self.init(madeAt: link.madeAt?.wireDate, expiresAt: link.expiresAt.wireDate)
        if case .account(let id) = link.maker { madeBy = id.rawValue }
    }
}

extension SessionDetails {
    init(_ session: AccountSession, isCurrent: Bool) {
        self.init(
            id: session.id.rawValue, createdAt: session.createdAt.wireDate, lastUsedAt: session.lastUsedAt.wireDate,
            userAgent: session.userAgent, isCurrent: isCurrent,
            assistant: session.assistant.map { assistant in
                Assistant(name: assistant.name, scopes: assistant.scopes.inOrder.map(\.rawValue))
            })
    }
}

extension AccountDetails {
    init(_ account: Account) {
        self.init(
            userId: account.userID.rawValue, name: account.name ?? account.userID.rawValue,
            role: .init(account.role), isDisabled: account.isDisabled, createdAt: account.createdAt.wireDate,
            lastSignInAt: account.lastSignInAt?.wireDate, isInvited: account.acceptedAt == nil)
    }
}

extension AccountLinkDetails {
    init(_ link: AccountLink) {
        self.init(userId: link.userID.rawValue, link: link.path, expiresAt: link.expiresAt.wireDate)
    }
}
