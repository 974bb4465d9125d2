package import ChatCore
import Crypto
import Foundation
import Synchronization

/// Accounts of the data folder: invitations, sign-in with a password, sessions.
///
/// Errors are ``AccountError`` and those of the store; no error contains a password or a code.
package struct AccountService: Sendable {
    /// How many characters a password has.
    package static let passwordRange = 8...256
    /// How long a link that invites is valid.
    package static let invitationLifetime: Duration = .seconds(7 * 86_400)
    /// How long a link that resets a password is valid.
    package static let resetLifetime: Duration = .seconds(86_400)
    /// How long a session without requests continues.
    package static let sessionLifetime: Duration = .seconds(30 * 86_400)
    /// How long the refresh token before the present one is accepted.
    static let grace: Duration = .seconds(30)

    let store: any AccountRepository
    let hasher: PasswordHasher
    let now: @Sendable () -> Timestamp
    let makeID: @Sendable () -> String
    let reserved: Set<UserID>
    let keys: TokenKeys
    private let sessionsEnded: @Sendable ([AccountSession.ID]) -> Void
    private let disabled: @Sendable (UserID) -> Void

    /// - Parameters:
    ///   - store: Keeps the accounts.
    ///   - hasher: Hashes passwords.
    ///   - reserved: Ids that no person may have.
    ///   - now: The present time.
    ///   - makeID: Makes the ids of sessions.
    ///   - disabled: Called with a person whose account was disabled, so that connections with other tokens close.
    ///   - sessionsEnded: Called with sessions that ended, so that their connections close.
    package init(
        store: any AccountRepository, hasher: PasswordHasher = PasswordHasher(), reserved: Set<UserID> = [],
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String,
        disabled: @escaping @Sendable (UserID) -> Void = { _ in },
        sessionsEnded: @escaping @Sendable ([AccountSession.ID]) -> Void
    ) {
        self.store = store
        self.hasher = hasher
        self.reserved = reserved
        self.now = now
        self.makeID = makeID
        self.disabled = disabled
        self.sessionsEnded = sessionsEnded
        keys = TokenKeys(store: store)
    }

    /// A person who signed in or renewed a session.
    package struct SignedIn: Sendable, MaskedDescription {
        /// The account.
        package let account: Account
        /// The session.
        package let session: AccountSession
        /// The token that renews the session; secret.
        package let refreshToken: String
    }

    /// Signs a person in with a password; a wrong password takes as long as an unknown user.
    ///
    /// - Parameters:
    ///   - id: The person.
    ///   - password: The password.
    ///   - userAgent: What the client says of itself.
    ///   - address: The network address of the client, which shares the hashes with other addresses.
    ///   - isKnown: Whether the device has signed in as this person before, see ``device(of:for:)``.
    /// - Returns: A new session.
    /// - Throws: ``AccountError/signInFailed``, ``AccountError/disabled``, ``AccountError/overloaded``.
    package func signIn(
        _ id: UserID, password: String, userAgent: String?, address: String? = nil, isKnown: Bool = false
    ) async throws -> SignedIn {
        let client = HashClient(address: address, user: id, isKnown: isKnown)
        let account = try await store.account(id)
        let stored = try await store.password(of: id)
        guard password.utf8.count <= Self.passwordByteLimit else { throw AccountError.signInFailed }
        let check = try await hasher.check(password, against: stored, for: client)
        guard let account, let stored, check.isSame else { throw AccountError.signInFailed }
        guard !account.isDisabled else { throw AccountError.disabled }
        var checked = stored
        if check.isOutdated {
            checked = try await hasher.hash(password, for: HashClient(address: address, user: id, isKnown: true))
            try await store.rewritePassword(checked, of: id, insteadOf: stored)
        }
        return try await open(account, userAgent: userAgent, password: checked)
    }

    /// Signs a person in whom another service identified.
    ///
    /// - Parameters:
    ///   - id: The person.
    ///   - name: The name that the service gave; nil for none.
    ///   - userAgent: What the client says of itself.
    /// - Returns: A new session.
    /// - Throws: ``AccountError/disabled``, ``AccountError/reservedID``.
    package func signIn(identified id: UserID, name: String?, userAgent: String?) async throws -> SignedIn {
        guard !reserved.contains(id) else { throw AccountError.reservedID }
        let moment = now()
        let account = try await store.acceptAccount(
            Account(userID: id, name: name.map { TextLimit.name.cut($0) }, createdAt: moment), at: moment)
        guard !account.isDisabled else { throw AccountError.disabled }
        return try await open(account, userAgent: userAgent)
    }

    /// Replaces the password of a person who is signed in, and ends the person's other sessions.
    ///
    /// - Throws: ``AccountError/signInFailed`` if `current` is wrong, ``AccountError/passwordTooShort``,
    ///   ``AccountError/passwordTooLong``,
    ///   ``AccountError/overloaded``.
    package func changePassword(
        of id: UserID, from current: String, to new: String, keeping session: AccountSession.ID?,
        address: String? = nil
    ) async throws {
        try Self.check(new)
        // The session shows that the person was let in.
        let client = HashClient(address: address, user: id, isKnown: true)
        let stored = try await store.password(of: id)
        guard current.utf8.count <= Self.passwordByteLimit,
            try await hasher.check(current, against: stored, for: client).isSame, let stored
        else { throw AccountError.signInFailed }
        let fresh = try await hasher.hash(new, for: client)
        guard let change = try await store.setPassword(fresh, of: id, insteadOf: stored, keeping: session) else {
            throw AccountError.signInFailed
        }
        end(change.endedSessions)
    }

    /// Returns all accounts, ordered by the person's id.
    package func accounts() async throws -> [Account] { try await store.accounts() }

    /// Returns an account; nil for an unknown one.
    package func account(_ id: UserID) async throws -> Account? { try await store.account(id) }

    /// Whether a person has an account that is disabled.
    package func isDisabled(_ id: UserID) async throws -> Bool { try await store.account(id)?.isDisabled ?? false }

    /// Changes the role of an account, or disables or enables it; disabling ends the sessions.
    ///
    /// - Throws: ``AccountError/unknownAccount``.
    package func change(_ id: UserID, role: AccountRole? = nil, isDisabled: Bool? = nil) async throws -> Account {
        guard let change = try await store.changeAccount(id, role: role, isDisabled: isDisabled) else {
            throw AccountError.unknownAccount
        }
        end(change.endedSessions)
        if isDisabled == true { disabled(id) }
        return change.account
    }

    /// Tells the connections of sessions that these have ended.
    func end(_ sessions: [AccountSession.ID]) {
        if !sessions.isEmpty { sessionsEnded(sessions) }
    }

    private static let passwordByteLimit = 4 * passwordRange.upperBound

    /// Checks the length of a new password.
    static func check(_ password: String) throws(AccountError) {
        guard password.utf8.count <= passwordByteLimit, password.count <= passwordRange.upperBound else {
            throw .passwordTooLong
        }
        guard password.count >= passwordRange.lowerBound else { throw .passwordTooShort }
    }
}

/// The keys with which this server signs tokens, derived from one that the store keeps.
final class TokenKeys: Sendable {
    private let store: any AccountRepository
    private let known = Mutex<[UInt8]?>(nil)

    init(store: any AccountRepository) {
        self.store = store
    }

    /// Returns the key for one purpose.
    func key(_ purpose: String) async throws -> SymmetricKey {
        let main: [UInt8]
        if let key = known.withLock({ $0 }) {
            main = key
        } else {
            main = try await store.tokenKey(orStoring: OneTimeCode.random())
            known.withLock { $0 = main }
        }
        return HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: main), info: Data(purpose.utf8), outputByteCount: 32)
    }
}
