/// The accounts of the data folder with their passwords, links and sessions, all without the secrets themselves.
///
/// The devices that a session registered for push (``PushDeviceRepository``) are removed when it ends.
///
/// All calls throw ``RepositoryError``.
public protocol AccountRepository: Sendable {
    /// Adds an account with the link that invites its person; a person who has not accepted an earlier link gets the
    /// new name, role and link.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - invitation: The link.
    /// - Throws: ``RepositoryError/conflict(_:)`` for an account that was accepted,
    ///   ``RepositoryError/invalid(field:reason:)``.
    func invite(_ account: Account, with invitation: AccountInvitation) async throws

    /// Adds an account of a person whom another service identified; one that exists is accepted, and otherwise
    /// unchanged.
    ///
    /// - Parameters:
    ///   - account: The account, for a person without one.
    ///   - moment: The present time.
    /// - Returns: The account as it is now.
    /// - Throws: ``RepositoryError/invalid(field:reason:)``.
    func acceptAccount(_ account: Account, at moment: Timestamp) async throws -> Account

    /// Returns all accounts, ordered by the person's id.
    func accounts() async throws -> [Account]

    /// Returns an account; nil for an unknown one.
    func account(_ id: UserID) async throws -> Account?

    /// Changes the role of an account, or disables or enables it; nil leaves a value as it is.
    ///
    /// Disabling ends all sessions and links of the account, and removes all devices of the person. An account that is no
    /// enabled administrator's any more also loses the links that it made for others.
    ///
    /// - Returns: The account, and the sessions that ended; nil for an unknown account.
    /// - Throws: Storage errors.
    func changeAccount(_ id: UserID, role: AccountRole?, isDisabled: Bool?) async throws -> AccountChange?

    /// Returns the stored form of an account's password; nil if it has none.
    func password(of id: UserID) async throws -> String?

    /// Sets the stored form of an account's password, and ends the account's links and other sessions.
    ///
    /// - Parameters:
    ///   - password: The stored form.
    ///   - id: The person.
    ///   - old: The stored form that was checked.
    ///   - session: The session that continues.
    /// - Returns: The account, and the sessions that ended; nil for an unknown account, and if the password is another one
    ///   meanwhile.
    /// - Throws: Storage errors.
    func setPassword(
        _ password: String, of id: UserID, insteadOf old: String, keeping session: AccountSession.ID?
    ) async throws -> AccountChange?

    /// Replaces the stored form of an account's password by another form of the same password.
    func rewritePassword(_ password: String, of id: UserID, insteadOf old: String) async throws

    /// Adds a link, and ends the account's earlier ones; returns false for an unknown account.
    func addInvitation(_ invitation: AccountInvitation) async throws -> Bool

    /// Returns the link of a person that is valid at a moment; nil if there is none.
    func invitation(of user: UserID, at moment: Timestamp) async throws -> AccountInvitation?

    /// Returns a link that is valid at a moment, and whose maker may still make it; nil for any other.
    func invitation(_ digest: [UInt8], at moment: Timestamp) async throws -> AccountInvitation?

    /// Uses up a link: sets the password and the name, and ends all sessions of the account.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 of the link's code.
    ///   - password: The stored form of the password.
    ///   - name: The person's name; nil leaves it as it is.
    ///   - moment: The present time.
    /// - Returns: The account, and the sessions that ended; nil for a link that is not valid, or of a disabled account.
    /// - Throws: Storage errors.
    func acceptInvitation(_ digest: [UInt8], password: String, name: String?, at moment: Timestamp) async throws
        -> AccountChange?

    /// Opens a session, and removes those of the account that have expired, or are too many of their kind: the person's,
    /// or those of assistants.
    ///
    /// - Parameters:
    ///   - session: The session; its id is new.
    ///   - digest: The SHA-256 of its refresh token.
    ///   - password: The stored form of the password that was checked; nil if none was.
    /// - Returns: False for an account that is unknown or disabled, and if the password is another one meanwhile.
    /// - Throws: Storage errors.
    func openSession(_ session: AccountSession, digest: [UInt8], password: String?) async throws -> Bool

    /// Returns a session that is valid at a moment with its account; nil for any other, also of a disabled account.
    func session(_ id: AccountSession.ID, at moment: Timestamp) async throws -> (
        session: AccountSession, account: Account
    )?

    /// Returns the valid sessions of a person, the last used first.
    func sessions(of id: UserID, at moment: Timestamp) async throws -> [AccountSession]

    /// Renews a session: its refresh token is replaced.
    ///
    /// The token before the present one is accepted for `grace` after it was replaced, because the reply with the present
    /// one may have been lost; nothing changes then. Any other token ends the session, because two clients use it.
    ///
    /// - Parameters:
    ///   - id: The session.
    ///   - digest: The SHA-256 of the token that the client has.
    ///   - next: The SHA-256 of the token that follows it.
    ///   - grace: How long the token before the present one is accepted.
    ///   - expiry: The new end of the session.
    ///   - moment: The present time.
    /// - Returns: What became of the session.
    /// - Throws: Storage errors.
    func renewSession(
        _ id: AccountSession.ID, digest: [UInt8], next: [UInt8], grace: Duration, until expiry: Timestamp,
        at moment: Timestamp
    ) async throws -> SessionRenewal

    /// Ends a session of a person; returns false if the person has no such session.
    func endSession(_ id: AccountSession.ID, of user: UserID) async throws -> Bool

    /// Records what an assistant read for a person, unless there is no such account.
    func recordReadings(_ readings: [AssistantReading], of user: UserID) async throws

    /// Returns what assistants read for a person, the latest first.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - before: ``AssistantReadingPage/next`` of the page before; nil for the first page.
    ///   - limit: The most records.
    /// - Returns: The page.
    /// - Throws: Storage errors.
    func readings(of user: UserID, before: Int64?, limit: Int) async throws -> AssistantReadingPage

    /// Deletes the record of what assistants read for a person.
    func deleteReadings(of user: UserID) async throws

    /// Returns the key that signs tokens; on the first call stores `new`.
    func tokenKey(orStoring new: [UInt8]) async throws -> [UInt8]
}

/// An account after a change.
public struct AccountChange: Hashable, Sendable {
    /// The account.
    public var account: Account
    /// The sessions that ended with the change.
    public var endedSessions: [AccountSession.ID]

    /// - Parameters:
    ///   - account: The account after the change.
    ///   - endedSessions: The sessions that ended with the change.
    public init(account: Account, endedSessions: [AccountSession.ID]) {
        self.account = account
        self.endedSessions = endedSessions
    }
}

/// What became of a session that a client wanted to renew.
public enum SessionRenewal: Hashable, Sendable {
    /// It is renewed, or was renewed a moment ago.
    case renewed(AccountSession, Account)
    /// There is no such valid session.
    case unknown
    /// The token was used before, so the session ended now.
    case reused
    /// The account is disabled.
    case disabled
}
