/// Links between authors of connected sources and accounts.
///
/// A link gives the account the memberships and messages of the author, and nothing to the author: questions in the rooms of
/// the source are answered with what the source lets the author read. An author has one account, and an account one
/// author of a source. It checks no permission. All calls throw ``RepositoryError``.
public protocol PersonLinkRepository: Sendable {
    /// Returns the links of a person, or all for nil, ordered by source and author.
    func links(of user: UserID?) async throws -> [PersonLink]

    /// Keeps the code of a person, instead of an earlier one.
    ///
    /// - Parameters:
    ///   - digest: The SHA-256 of the code.
    ///   - user: The person.
    ///   - expiry: Until when it is valid.
    ///   - moment: The present time.
    /// - Returns: False for a code that another person has; then nothing changed.
    /// - Throws: Storage errors.
    func keepLinkCode(_ digest: [UInt8], of user: UserID, until expiry: Timestamp, at moment: Timestamp) async throws
        -> Bool

    /// Ends a link: from the commit on the account reads nothing of the author any more.
    ///
    /// The two are not joined by their mail address again, but may be with a code.
    ///
    /// - Parameters:
    ///   - author: The author's id in the source; nil for the one that is joined with the person.
    ///   - source: The source.
    ///   - user: The person; nil for anyone.
    ///   - moment: The present time.
    /// - Returns: The link that ended; nil if there is none.
    /// - Throws: Storage errors.
    func endLink(of author: String?, in source: String, user: UserID?, at moment: Timestamp) async throws -> PersonLink?

    /// Sets the verified mail address of an account, and joins the account with the authors who have it.
    ///
    /// Links by another address end. An address that several accounts have joins nobody.
    ///
    /// - Parameters:
    ///   - email: The address; nil for none.
    ///   - origin: Who verified it. What an administrator set stays when a service says something else.
    ///   - user: The person.
    ///   - moment: The present time.
    /// - Returns: Whether there is such an account.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for an unusable address,
    ///   ``RepositoryError/conflict(_:)`` if an administrator sets the address of another account.
    func setEmail(_ email: String?, from origin: EmailOrigin, of user: UserID, at moment: Timestamp) async throws
        -> Bool
}

/// Who verified the mail address of an account.
public enum EmailOrigin: String, Hashable, Sendable, CaseIterable {
    /// An administrator.
    case administrator
    /// The service with which the person signs in (OpenID Connect, `email_verified`).
    case service
}
