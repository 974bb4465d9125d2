import ChatCore
import GRDB

/// Changes conversations and members, within one transaction.
struct ConversationWriter {
    let db: Database
    let moment: Timestamp

    /// A conversation as it is stored.
    struct Stored {
        let number: Int64
        let conversation: Conversation

        init(_ row: Row) throws {
            number = row[0]
            conversation = try Conversation(row, from: 1)
        }

        static func find(_ id: ConversationID, in db: Database) throws -> Stored? {
            try db.row("SELECT number, \(Conversation.columns) FROM conversations WHERE id = ?", [id.rawValue])
                .map(Stored.init)
        }
    }

    /// Stores a conversation with its members; returns whether it was new.
    func store(_ roster: ConversationRoster, source: String, mode: AcceptMode) throws -> Bool {
        try StoreRules.check(roster)
        guard let stored = try Stored.find(roster.conversation.id, in: db) else {
            try insert(roster, source: source)
            return true
        }
        switch mode {
        case .posting:
            guard try isSame(roster, as: stored, source: source) else {
                throw RepositoryError.conflict("the conversation differs")
            }
        case .importing: try renew(stored, with: roster, source: source)
        }
        return false
    }

    private func insert(_ roster: ConversationRoster, source: String) throws {
        let conversation = roster.conversation
        try db.run(
            """
            INSERT INTO conversations (id, kind, visibility, name, time_zone, created_at, updated_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                conversation.id.rawValue, conversation.kind.rawValue, conversation.visibility.rawValue,
                conversation.name, conversation.timeZone, conversation.createdAt.microseconds, moment.microseconds,
            ])
        let number = db.lastInsertedRowID
        for member in roster.members { _ = try set(member, in: number, source: source, keepsDeparture: true) }
        try ChangeLog.append(.conversation, conversation: number, to: db)
    }

    private func renew(_ stored: Stored, with roster: ConversationRoster, source: String) throws {
        var renewed = roster.conversation
        renewed.updatedAt = stored.conversation.updatedAt
        var isChanged = renewed != stored.conversation
        if isChanged {
            try db.run(
                """
                UPDATE conversations SET kind = ?, visibility = ?, name = ?, time_zone = ?, created_at = ?
                WHERE number = ?
                """,
                [
                    renewed.kind.rawValue, renewed.visibility.rawValue, renewed.name, renewed.timeZone,
                    renewed.createdAt.microseconds, stored.number,
                ])
            if renewed.timeZone != stored.conversation.timeZone { try tellOfMessages(in: stored.number) }
        }
        for member in roster.members {
            if try set(member, in: stored.number, source: source, keepsDeparture: true) { isChanged = true }
        }
        if isChanged { try touch(stored.number) }
    }

    /// In another zone messages were written on other days, by which they can be found.
    private func tellOfMessages(in conversation: Int64) throws {
        try db.run(
            """
            INSERT INTO changes (kind, conversation, message)
            SELECT ?, conversation, number FROM messages WHERE conversation = ? AND deleted_at IS NULL ORDER BY number
            """, [ChangeKind.message.rawValue, conversation])
    }

    /// Compares what a client says of a conversation; times are the server's when it says none.
    private func isSame(_ roster: ConversationRoster, as stored: Stored, source: String) throws -> Bool {
        let given = roster.conversation
        let held = stored.conversation
        guard given.kind == held.kind, given.visibility == held.visibility, given.name == held.name,
            given.timeZone == held.timeZone
        else { return false }
        let present = try Member.rows(of: stored.number, in: db).filter { $0.leftAt == nil }
        let names = try roster.members.map { member in
            let user = try Authors.user(of: member.userID.rawValue, source: source, in: db)
            return (user ?? member.userID, [member.displayName] + member.aliases)
        }
        return Dictionary(names, uniquingKeysWith: { $1 })
            == Dictionary(
                present.map { ($0.userID, [$0.displayName] + $0.aliases) }, uniquingKeysWith: { $1 })
    }

    /// Notes that something of a conversation changed.
    func touch(_ conversation: Int64) throws {
        try db.run("UPDATE conversations SET updated_at = ? WHERE number = ?", [moment.microseconds, conversation])
        try ChangeLog.append(.conversation, conversation: conversation, to: db)
    }

    /// Adds or renews a member; returns whether something changed.
    ///
    /// With `keepsDeparture` somebody who left after the joining that is given stays away: a history that is read again
    /// must not bring back who has left since.
    func set(_ given: Member, in conversation: Int64, source: String, keepsDeparture: Bool) throws -> Bool {
        let authorID = given.userID.rawValue
        let known = try Authors.user(of: authorID, source: source, in: db)
        if known == nil { try Authors.register(authorID, source: source, in: db) }
        let user = known ?? given.userID
        let old = try Member.find(user, of: conversation, in: db)
        var member = given.renamed(user)
        if keepsDeparture, member.leftAt == nil, let left = old?.leftAt, member.joinedAt <= left {
            member.leftAt = left
        }
        guard old != member else { return false }
        try write(member, in: conversation, source: source, authorID: authorID)
        return true
    }

    private func write(_ member: Member, in conversation: Int64, source: String, authorID: String) throws {
        try db.run(
            """
            INSERT INTO members (conversation, user_id, display_name, aliases, joined_at, left_at, source, author_id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (conversation, user_id) DO UPDATE SET display_name = excluded.display_name,
                aliases = excluded.aliases, joined_at = excluded.joined_at, left_at = excluded.left_at
            """,
            [
                conversation, member.userID.rawValue, member.displayName,
                try JSONColumn.text(member.aliases) ?? "[]", member.joinedAt.microseconds, member.leftAt?.microseconds,
                source, authorID,
            ])
    }

    /// Gives an author's memberships to a user, with what was found there for the author to do.
    ///
    /// Where the user is a member already the two become one.
    func moveMemberships(of identity: Identity) throws {
        let rows = try db.rows(
            """
            SELECT conversation, \(Member.columns) FROM members
            WHERE source = ? AND author_id = ? AND user_id <> ? ORDER BY conversation, user_id
            """, [identity.source, identity.externalID, identity.userID.rawValue])
        for row in rows {
            let conversation: Int64 = row[0]
            let moved = try Member(row, from: 1)
            try db.run(
                "DELETE FROM members WHERE conversation = ? AND user_id = ?", [conversation, moved.userID.rawValue])
            var member = try Member.find(identity.userID, of: conversation, in: db) ?? moved.renamed(identity.userID)
            member.merge(moved)
            try write(member, in: conversation, source: identity.source, authorID: identity.externalID)
            try touch(conversation)
            try ItemRows.move(from: moved.userID, to: member, in: conversation, db: db)
        }
    }

    /// Gives an author's messages to a user; returns how many changed hands.
    func moveMessages(of identity: Identity) throws -> Int {
        let values: [SQLValue] = [identity.source, identity.externalID, identity.userID.rawValue]
        let rows = try db.rows(
            """
            SELECT number, conversation FROM messages WHERE source = ? AND author_id = ? AND sender_id <> ?
            ORDER BY number
            """, values)
        for row in rows {
            try db.run(
                "UPDATE messages SET sender_id = ? WHERE number = ?", [identity.userID.rawValue, row[0] as Int64])
            try ChangeLog.append(.message, conversation: row[1], message: row[0], to: db)
        }
        return rows.count
    }
}
