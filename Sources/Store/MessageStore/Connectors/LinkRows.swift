import ChatCore
import Foundation

/// The rows of `person_links`, `link_codes` and `link_attempts`, within one transaction.
struct LinkRows {
    let db: any SQLSession
    let moment: Timestamp

    private static let columns = """
        l.source, l.author_id, l.user_id, i.name, l.way, l.linked_at FROM person_links l
        LEFT JOIN identities i ON i.source = l.source AND i.external_id = l.author_id
        """

    private static func link(_ row: SQLRow) throws -> PersonLink {
        PersonLink(
            source: row[0], authorID: row[1], userID: row.identifier(2), name: row[3], way: try row.word(4),
            linkedAt: row.moment(5))
    }

    static func all(of user: UserID?, in db: any SQLSession) throws -> [PersonLink] {
        let condition = user == nil ? "" : "WHERE l.user_id = ?"
        return try db.rows(
            "SELECT \(columns) \(condition) ORDER BY l.source, l.author_id", user.map { [$0.rawValue] } ?? []
        ).map(link)
    }

    func link(of author: String, in source: String) throws -> PersonLink? {
        try db.row("SELECT \(Self.columns) WHERE l.source = ? AND l.author_id = ?", [source, author]).map(Self.link)
    }

    func link(of user: UserID, in source: String) throws -> PersonLink? {
        try db.row("SELECT \(Self.columns) WHERE l.source = ? AND l.user_id = ?", [source, user.rawValue])
            .map(Self.link)
    }

    /// The author as the source describes it.
    private func identity(of author: String, in source: String) throws -> Identity? {
        try db.row(
            "SELECT \(Authors.columns) FROM identities WHERE source = ? AND external_id = ?", [source, author]
        ).map(Authors.identity)
    }

    /// Joins an author with an account, which gets the author's memberships and messages.
    func join(_ author: String, in source: String, with user: UserID, way: PersonLink.Way, email: String? = nil) throws
    {
        try db.run(
            "INSERT INTO person_links (source, author_id, user_id, way, email, linked_at) VALUES (?, ?, ?, ?, ?, ?)",
            [source, author, user.rawValue, way.rawValue, email, moment.microseconds])
        _ = try SQLStore.map(
            Identity(source: source, externalID: author, userID: user), isLinked: true, at: moment, in: db)
    }

    /// Ends a link: memberships and messages are the author's own again.
    func end(_ link: PersonLink) throws {
        try db.run("DELETE FROM person_links WHERE source = ? AND author_id = ?", [link.source, link.authorID])
        _ = try SQLStore.map(
            Identity(source: link.source, externalID: link.authorID, userID: UserID(rawValue: link.authorID)),
            at: moment, in: db)
    }

    /// Ends all links of a source.
    func endAll(of source: String) throws {
        for link in try Self.all(of: nil, in: db) where link.source == source { try end(link) }
    }

    /// Removes what is known of a user who is erased, before the user's identities go.
    static func forget(user id: String, in db: any SQLSession) throws {
        for table in ["source_addresses", "link_attempts", "person_links"] {
            try db.run(
                """
                DELETE FROM \(table) WHERE author_id = ?1 OR EXISTS (
                    SELECT 1 FROM identities i WHERE i.user_id = ?1 AND i.source = \(table).source
                        AND i.external_id = \(table).author_id)
                """, [id])
        }
        try db.run("DELETE FROM person_links WHERE user_id = ?", [id])
        try db.run("DELETE FROM link_codes WHERE user_id = ?", [id])
    }
}

// MARK: - Commands

extension LinkRows {
    /// Keeps the code of a person; returns false if another person has it.
    func keep(_ digest: [UInt8], of user: UserID, until expiry: Timestamp) throws -> Bool {
        try db.run("DELETE FROM link_codes WHERE user_id = ? OR expires_at <= ?", [user.rawValue, moment.microseconds])
        guard try db.number("SELECT 1 FROM link_codes WHERE digest = ?", [Data(digest)]) == nil else { return false }
        try db.run(
            "INSERT INTO link_codes (user_id, digest, expires_at) VALUES (?, ?, ?)",
            [user.rawValue, Data(digest), expiry.microseconds])
        return true
    }

    /// Performs a command of an author.
    func perform(_ command: LinkCommand, by author: String, in source: String) throws -> LinkOutcome {
        switch command {
        case .join(let code): return try use(code, by: author, in: source)
        case .end:
            guard let link = try link(of: author, in: source) else { return .noLink }
            try end(link)
            try AddressRows(db: db, moment: moment).bar(author, in: source)
            return .ended
        }
    }

    /// Uses up a code.
    private func use(_ code: String, by author: String, in source: String) throws -> LinkOutcome {
        let failures = try failures(of: author, in: source)
        guard failures < LinkCode.attemptLimit else { return .tooManyAttempts }
        let digest = Data(LinkCode.digest(code))
        let row = try db.row(
            "SELECT user_id FROM link_codes WHERE digest = ? AND expires_at > ?", [digest, moment.microseconds])
        guard let user: UserID = row.map({ $0.identifier(0) }) else {
            try count(failures + 1, of: author, in: source)
            return .wrongCode
        }
        try db.run("DELETE FROM link_codes WHERE digest = ?", [digest])
        guard let identity = try identity(of: author, in: source), !identity.isBot, identity.kind != .bot,
            try AccountRows(db: db).find(user)?.isDisabled != true
        else { return .wrongCode }
        // An administrator has said who it is, or another code did.
        guard identity.userID.rawValue == author else { return identity.userID == user ? .joined : .authorTaken }
        guard try link(of: user, in: source) == nil else { return .accountTaken }
        try join(author, in: source, with: user, way: .code)
        try db.run("DELETE FROM link_attempts WHERE source = ? AND author_id = ?", [source, author])
        return .joined
    }

    /// How many wrong codes of an author count at present.
    private func failures(of author: String, in source: String) throws -> Int {
        let start = moment + (.zero - LinkCode.attemptWindow)
        try db.run("DELETE FROM link_attempts WHERE since <= ?", [start.microseconds])
        let count = try db.number(
            "SELECT failures FROM link_attempts WHERE source = ? AND author_id = ?", [source, author])
        return Int(count ?? 0)
    }

    private func count(_ failures: Int, of author: String, in source: String) throws {
        try db.run(
            """
            INSERT INTO link_attempts (source, author_id, failures, since) VALUES (?, ?, ?, ?)
            ON CONFLICT (source, author_id) DO UPDATE SET failures = excluded.failures
            """, [source, author, failures, moment.microseconds])
    }
}
