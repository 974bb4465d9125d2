package import ChatCore

/// What people and administrators do with links between accounts and people of connected sources.
package struct PersonLinks: Sendable {
    /// A code that a person writes in a source.
    package struct Code: Sendable, MaskedDescription {
        /// The code; secret until it is used.
        package let code: String
        /// Until when it is valid.
        package let expiresAt: Timestamp
    }

    let store: any PersonLinkRepository
    /// The sources to which this server is connected, ordered.
    package let sources: [String]
    let now: @Sendable () -> Timestamp

    package init(store: any PersonLinkRepository, sources: [String], now: @escaping @Sendable () -> Timestamp) {
        (self.store, self.sources, self.now) = (store, sources, now)
    }

    /// Returns the links of a person, or all for nil.
    package func links(of user: UserID?) async throws -> [PersonLink] { try await store.links(of: user) }

    /// Makes a code for a person, and ends an earlier one.
    package func makeCode(for user: UserID) async throws -> Code {
        while true {
            let code = LinkCode.make(of: randomBytes(LinkCode.length))
            let (moment, normal) = (now(), code.filter { $0 != "-" })
            let expiry = moment + LinkCode.lifetime
            guard try await store.keepLinkCode(LinkCode.digest(normal), of: user, until: expiry, at: moment) else {
                continue
            }
            return Code(code: code, expiresAt: expiry)
        }
    }

    /// Ends the link of a person in a source; returns whether there was one.
    package func end(_ source: String, of user: UserID) async throws -> Bool {
        try await store.endLink(of: nil, in: source, user: user, at: now()) != nil
    }

    /// Ends the link of an author, for administrators; returns whether there was one.
    package func end(_ author: String, in source: String) async throws -> Bool {
        try await store.endLink(of: author, in: source, user: nil, at: now()) != nil
    }

    /// Sets the verified address of an account; an address of a service that cannot be used counts as none.
    ///
    /// - Returns: Whether there is such an account.
    /// - Throws: As ``PersonLinkRepository/setEmail(_:from:of:at:)`` does.
    package func setEmail(_ email: String?, from origin: EmailOrigin, of user: UserID) async throws -> Bool {
        let usable = origin == .service ? email.flatMap(EmailAddress.normalized) : email
        return try await store.setEmail(usable, from: origin, of: user, at: now())
    }
}
