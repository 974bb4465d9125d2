import ChatCore

/// The rows of `source_addresses`, and the addresses of accounts, within one transaction.
///
/// An address joins the one author of a source who has it with the one account that has it. As soon as there are two of
/// either, also one after the other, it joins nobody.
struct AddressRows {
    let db: any SQLSession
    let moment: Timestamp

    private var links: LinkRows { LinkRows(db: db, moment: moment) }

    /// Values: source, a list of authors.
    private static let held = """
        SELECT author_id, address FROM source_addresses
        WHERE source = ?1 AND is_held = 1 AND author_id IN (SELECT value FROM json_each(?2, '$'))
        """

    /// Follows the addresses of authors, as their source tells them.
    func follow(_ authors: [Identity], of source: String) throws {
        let rows = try db.rows(Self.held, [source, authors.map(\.externalID)])
        let known = Dictionary(rows.map { ($0[0] as String, $0[1] as String) }) { first, _ in first }
        let present = authors.map { ($0.externalID, $0.verifiedEmail.flatMap(EmailAddress.normalized)) }
        let changed = present.filter { known[$0.0] != $0.1 }
        // An address that changes hands within the list is one that two authors had.
        for (author, _) in changed { try release(author, in: source) }
        for case (let author, let address?) in changed { try hold(address, author, in: source) }
    }

    /// Notes that an author has no verified address, and ends the link that it made.
    private func release(_ author: String, in source: String) throws {
        try db.run(
            "UPDATE source_addresses SET is_held = 0 WHERE source = ? AND author_id = ?", [source, author])
        if let link = try links.link(of: author, in: source), link.way == .email { try links.end(link) }
    }

    private func hold(_ address: String, _ author: String, in source: String) throws {
        let row = try db.row(
            "SELECT author_id, is_barred FROM source_addresses WHERE source = ? AND address = ?", [source, address])
        guard let row else {
            try db.run(
                """
                INSERT INTO source_addresses (source, address, author_id, is_held, is_barred) VALUES (?, ?, ?, 1, 0)
                """, [source, address, author])
            return try join(address, in: source)
        }
        guard row[0] == author else {
            try db.run(
                "UPDATE source_addresses SET is_barred = 1 WHERE source = ? AND address = ?", [source, address])
            return try endLinks(by: address, in: source)
        }
        try db.run("UPDATE source_addresses SET is_held = 1 WHERE source = ? AND address = ?", [source, address])
        if !(row[1] as Bool) { try join(address, in: source) }
    }

    /// Lets the address of an author join nobody: a person ended the link.
    func bar(_ author: String, in source: String) throws {
        try db.run(
            "UPDATE source_addresses SET is_barred = 1 WHERE source = ? AND author_id = ?", [source, author])
    }

    /// Joins the account with an address and the authors who have it, if that is clear.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - source: The only source; nil for all.
    /// - Throws: Storage errors.
    func join(_ address: String, in source: String? = nil) throws {
        let accounts = try db.rows(
            "SELECT user_id, accepted_at IS NOT NULL AND is_disabled = 0 FROM accounts WHERE email = ?", [address])
        guard accounts.count == 1, let account = accounts.first, account[1] else { return }
        let user: UserID = account.identifier(0)
        let holders = try db.rows(
            """
            SELECT a.source, a.author_id FROM source_addresses a
            JOIN identities i ON i.source = a.source AND i.external_id = a.author_id AND i.user_id = a.author_id
            WHERE a.address = ? AND a.is_held = 1 AND a.is_barred = 0 AND i.is_bot = 0
                AND COALESCE(i.kind, 'member') = 'member'
            """, [address])
        for row in holders where source == nil || row[0] == source {
            // Somebody is joined already, by a code or an administrator.
            guard try links.link(of: user, in: row[0]) == nil else { continue }
            try links.join(row[1], in: row[0], with: user, way: .email, email: address)
        }
    }

    /// Ends links that an address made.
    private func endLinks(by address: String, in source: String? = nil, of user: UserID? = nil) throws {
        let rows = try db.rows("SELECT source, author_id, user_id FROM person_links WHERE email = ?", [address])
        for row in rows where source == nil || row[0] == source {
            guard user == nil || row.identifier(2) == user,
                let link = try links.link(of: row[1] as String, in: row[0])
            else { continue }
            try links.end(link)
        }
    }

    /// Sets the address of an account; returns whether there is one.
    func set(_ email: String?, from origin: EmailOrigin, of user: UserID) throws -> Bool {
        let row = try db.row("SELECT email, email_origin FROM accounts WHERE user_id = ?", [user.rawValue])
        guard let row else { return false }
        let (former, formerOrigin): (String?, String?) = (row[0], row[1])
        let isFixed = origin == .service && formerOrigin == EmailOrigin.administrator.rawValue
        guard !isFixed, former != email || email != nil && formerOrigin != origin.rawValue else { return true }
        let isTaken =
            try email.map {
                try db.number("SELECT 1 FROM accounts WHERE email = ? AND user_id <> ?", [$0, user.rawValue]) != nil
            } ?? false
        if isTaken, origin == .administrator {
            throw RepositoryError.conflict("another account has this mail address")
        }
        try db.run(
            "UPDATE accounts SET email = ?, email_origin = ? WHERE user_id = ?",
            [email, email == nil ? nil : origin.rawValue, user.rawValue])
        guard former != email else { return true }
        if let former { try endLinks(by: former, of: user) }
        guard let email else { return true }
        if isTaken { try endLinks(by: email) } else { try join(email) }
        return true
    }
}
