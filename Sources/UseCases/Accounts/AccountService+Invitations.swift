package import ChatCore

/// A link that was made, with its code.
package struct AccountLink: Hashable, Sendable, Codable, MaskedDescription {
    /// The person.
    package let userID: UserID
    /// The secret code, which is in the link's fragment and shown once.
    package let code: String
    /// The moment from which the link is invalid.
    package let expiresAt: Timestamp

    /// The link relative to the address of the server; a browser does not send the part behind `#`.
    package var path: String { "/#/invitation/\(code)" }
}

extension AccountService {
    /// Makes an account and a link with which its person sets a password; replaces an earlier link that was not used.
    ///
    /// - Parameters:
    ///   - id: The person.
    ///   - name: The name; nil lets the person choose.
    ///   - role: What the person may do.
    ///   - maker: Who makes it; the link ends with the maker's right. Nil for the operator.
    /// - Returns: The link.
    /// - Throws: ``AccountError/exists``, ``AccountError/reservedID``, ``RepositoryError/invalid(field:reason:)``.
    package func invite(
        _ id: UserID, name: String? = nil, role: AccountRole = .member, by maker: LinkMaker? = nil
    ) async throws -> AccountLink {
        guard !reserved.contains(id) else { throw AccountError.reservedID }
        let moment = now()
        let code = OneTimeCode.random()
        let expiry = moment + Self.invitationLifetime
        do {
            try await store.invite(
                Account(userID: id, name: name, role: role, createdAt: moment),
                with: AccountInvitation(
                    userID: id, purpose: .invitation, digest: OneTimeCode.digest(code), expiresAt: expiry,
                    madeAt: moment, maker: maker))
        } catch RepositoryError.conflict {
            throw AccountError.exists
        }
        return AccountLink(userID: id, code: Base64URL.encode(code), expiresAt: expiry)
    }

    /// Makes a link with which a person sets a new password; the present one stays valid until then.
    ///
    /// The person sees that there is one (``openReset(of:)``).
    ///
    /// - Parameters:
    ///   - id: The person.
    ///   - maker: Who makes it; the link ends with the maker's right. Nil for the operator.
    /// - Returns: The link.
    /// - Throws: ``AccountError/unknownAccount``, ``AccountError/disabled``.
    package func reset(_ id: UserID, by maker: LinkMaker? = nil) async throws -> AccountLink {
        guard let account = try await store.account(id) else { throw AccountError.unknownAccount }
        guard !account.isDisabled else { throw AccountError.disabled }
        let isNew = account.acceptedAt == nil
        let code = OneTimeCode.random()
        let moment = now()
        let expiry = moment + (isNew ? Self.invitationLifetime : Self.resetLifetime)
        let invitation = AccountInvitation(
            userID: id, purpose: isNew ? .invitation : .reset, digest: OneTimeCode.digest(code), expiresAt: expiry,
            madeAt: moment, maker: maker)
        guard try await store.addInvitation(invitation) else { throw AccountError.unknownAccount }
        return AccountLink(userID: id, code: Base64URL.encode(code), expiresAt: expiry)
    }

    /// Returns the link that resets a person's password now; nil for none.
    package func openReset(of id: UserID) async throws -> AccountInvitation? {
        let link = try await store.invitation(of: id, at: now())
        return link?.purpose == .reset ? link : nil
    }

    /// Returns the account of a link, and what the link is for.
    ///
    /// - Throws: ``AccountError/invitationUnknown``.
    package func invitation(_ code: String) async throws -> (account: Account, purpose: AccountInvitation.Purpose) {
        guard let digest = Base64URL.decode(code.utf8).map(OneTimeCode.digest),
            let invitation = try await store.invitation(digest, at: now()),
            let account = try await store.account(invitation.userID)
        else { throw AccountError.invitationUnknown }
        return (account, invitation.purpose)
    }

    /// Uses up a link: sets the password, ends earlier sessions, and signs the person in.
    ///
    /// - Parameters:
    ///   - code: The link's code.
    ///   - password: The new password.
    ///   - name: The name that the person chose; nil leaves it as it is.
    ///   - userAgent: What the client says of itself.
    ///   - address: The network address of the client.
    /// - Returns: A new session.
    /// - Throws: ``AccountError/invitationUnknown``, ``AccountError/passwordTooShort``, ``AccountError/overloaded``,
    ///   ``RepositoryError/invalid(field:reason:)``.
    package func accept(
        _ code: String, password: String, name: String?, userAgent: String?, address: String? = nil
    ) async throws -> SignedIn {
        try Self.check(password)
        // Looked up first, so that a wrong code costs no hash.
        let user = try await invitation(code).account.userID
        let stored = try await hasher.hash(password, for: HashClient(address: address, user: user, isKnown: true))
        guard let digest = Base64URL.decode(code.utf8).map(OneTimeCode.digest),
            let change = try await store.acceptInvitation(digest, password: stored, name: name, at: now())
        else { throw AccountError.invitationUnknown }
        end(change.endedSessions)
        return try await open(change.account, userAgent: userAgent)
    }
}
