package import ChatCore

extension SQLStore: PersonLinkRepository {
    /// Returns the links of a person, or all.
    package func links(of user: UserID?) async throws -> [PersonLink] {
        try await read { db in try LinkRows.all(of: user, in: db) }
    }

    /// Keeps the code of a person, instead of an earlier one.
    package func keepLinkCode(
        _ digest: [UInt8], of user: UserID, until expiry: Timestamp, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in try LinkRows(db: db, moment: moment).keep(digest, of: user, until: expiry) }
    }

    /// Ends a link.
    package func endLink(
        of author: String?, in source: String, user: UserID?, at moment: Timestamp
    ) async throws -> PersonLink? {
        try await write { db in
            let rows = LinkRows(db: db, moment: moment)
            let found =
                if let author {
                    try rows.link(of: author, in: source)
                } else {
                    try user.flatMap { try rows.link(of: $0, in: source) }
                }
            guard let found, user == nil || found.userID == user else { return nil }
            try rows.end(found)
            try AddressRows(db: db, moment: moment).bar(found.authorID, in: source)
            return found
        }
    }

    /// Sets the verified mail address of an account.
    package func setEmail(
        _ email: String?, from origin: EmailOrigin, of user: UserID, at moment: Timestamp
    ) async throws -> Bool {
        let address = email.flatMap(EmailAddress.normalized)
        if email != nil, address == nil {
            throw RepositoryError.invalid(field: "email", reason: "is no mail address of ASCII characters")
        }
        return try await write { db in
            try AddressRows(db: db, moment: moment).set(address, from: origin, of: user)
        }
    }
}
