import Accounts
import ChatCore
import HTTPAPI
import UseCases

/// A link for a person, as the operator sends it.
struct AccountLinkReport: Codable, Sendable, Equatable {
    var userID: UserID
    /// The whole address; secret until it is used.
    var address: String
    var expiresAt: Timestamp
}

/// The accounts of the data folder, as the operator manages them.
struct AccountAdministration: Sendable {
    /// The id of the first administrator, with a number if somebody else has it.
    private static let firstAdministrator = "admin"

    let accounts: AccountService
    let keys: any APIKeyRepository
    let audit: any AuditLog
    let settings: NexusSettings
    let address: ServerAddress
    let now: @Sendable () -> Timestamp

    /// Returns all accounts.
    func all() async throws -> [Account] { try await accounts.accounts() }

    /// Makes an account with a link, or a new link for one that was not accepted.
    func invite(_ user: UserID, name: String?, role: AccountRole) async throws -> AccountLinkReport {
        report(on: try await accounts.invite(user, name: name, role: role))
    }

    /// Changes the role of an account, or disables or enables it.
    func change(_ user: UserID, role: AccountRole?, isDisabled: Bool?) async throws -> Account {
        try await accounts.change(user, role: role, isDisabled: isDisabled)
    }

    /// Sets the mail address of an account that the administrator has verified; nil for none.
    ///
    /// - Throws: ``OperatorFailure`` for an unknown account, ``RepositoryError``.
    func setEmail(_ email: String?, of user: UserID, links: PersonLinks) async throws -> Account {
        guard try await links.setEmail(email, from: .administrator, of: user),
            let account = try await accounts.account(user)
        else { throw AccountError.unknownAccount }
        return account
    }

    /// Makes a link with which a person sets a new password.
    func reset(_ user: UserID) async throws -> AccountLinkReport { report(on: try await accounts.reset(user)) }

    /// Returns how callers are authenticated; nil if every caller is trusted.
    ///
    /// Accounts make authentication required, unless `auth.mode` is `none`.
    func authentication() async throws -> AuthenticationSettings? {
        if let authentication = settings.authentication { return authentication }
        guard !settings.isOpenByChoice, try await !accounts.accounts().isEmpty else { return nil }
        return AuthenticationSettings()
    }

    /// Returns warnings for the operator of a server that trusts callers.
    ///
    /// - Parameter authentication: How its callers are authenticated.
    /// - Returns: The warnings; none if callers must authenticate.
    /// - Throws: ``RepositoryError``.
    func warnings(about authentication: AuthenticationSettings?) async throws -> [String] {
        guard authentication == nil else { return [] }
        var warnings: [String] = []
        if try await !accounts.accounts().isEmpty {
            warnings.append("auth.mode is none, so nobody signs in with an account")
        }
        if !Settings.isLoopback(settings.host) {
            warnings.append("auth.mode is none on an address that others can reach: anybody can act as any user")
        }
        return warnings
    }

    /// Returns a link for an administrator of a server that requires authentication, while nobody can sign in as one
    /// and no key has their rights; nil for any other server.
    ///
    /// Where an issuer or OpenID Connect decides who is who, the operator makes one of these people an administrator:
    /// an account whose id they choose would be theirs.
    func firstAdministratorLink() async throws -> AccountLink? {
        guard let authentication = try await authentication(), authentication.tokens == nil,
            authentication.openID == nil,
            try await !keys.keys().contains(where: { $0.role == .admin && $0.isValid(at: now()) })
        else { return nil }
        let known = try await accounts.accounts()
        guard !known.hasAdministrator else { return nil }
        let taken = Set(known.lazy.filter { $0.acceptedAt != nil }.map(\.userID.rawValue))
        var (name, number) = (Self.firstAdministrator, 1)
        while taken.contains(name) {
            number += 1
            name = "\(Self.firstAdministrator)-\(number)"
        }
        let user = UserID(rawValue: name)
        let act = AuditAct(
            id: randomID(), by: .operator, from: .command, operation: "serve",
            changes: [AuditChange(.accountInvited, .user(user), detail: AccountRole.administrator.rawValue)],
            startedAt: now())
        do {
            return try await audit.performing(act) { try await accounts.invite(user, role: .administrator) }
        } catch let error as RepositoryError where error.isAboutStorage {
            return nil
        }
    }

    /// Returns a link with the address of the server.
    private func report(on link: AccountLink) -> AccountLinkReport {
        let own = address.text ?? settings.address(port: settings.port)
        return AccountLinkReport(
            userID: link.userID, address: (settings.publicURL ?? own) + link.path, expiresAt: link.expiresAt)
    }
}
