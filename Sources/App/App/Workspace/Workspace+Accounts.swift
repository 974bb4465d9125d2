import Accounts
import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import Synchronization

extension Workspace {
    private static let firstAdministrator: UserID = "admin"

    /// Returns how callers are authenticated; nil if every caller is trusted.
    ///
    /// Accounts make authentication required, unless `auth.mode` is `none`.
    func authentication() async throws -> AuthenticationSettings? {
        if let authentication = settings.authentication { return authentication }
        guard !settings.isOpenByChoice, try await !accounts.accounts().isEmpty else { return nil }
        return AuthenticationSettings()
    }

    /// Returns a link for the first administrator of a server that requires authentication and has no other
    /// credentials; nil for any other server.
    func firstAdministratorLink() async throws -> AccountLink? {
        guard let authentication = try await authentication(), authentication.tokens == nil,
            authentication.openID == nil, try await store.keys().allSatisfy({ !$0.isValid(at: now()) }),
            try await accounts.accounts().allSatisfy({ $0.userID == Self.firstAdministrator && $0.acceptedAt == nil })
        else { return nil }
        do {
            return try await accounts.invite(Self.firstAdministrator, role: .administrator)
        } catch let error as RepositoryError where error.isAboutStorage {
            return nil
        }
    }

    /// Returns a link with the address of the server.
    func report(on link: AccountLink) -> AccountLinkReport {
        let own = address.withLock { $0 } ?? settings.address(port: settings.port)
        return AccountLinkReport(
            userID: link.userID, address: (settings.publicURL ?? own) + link.path, expiresAt: link.expiresAt)
    }
}
