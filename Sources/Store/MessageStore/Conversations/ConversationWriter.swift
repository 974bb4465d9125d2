import ChatCore

/// Changes conversations and members, within one transaction.
struct ConversationWriter {
    let db: any SQLSession
    let moment: Timestamp
    /// The person who adds members; nil if the chat application does it, or an import.
    var adding: KnownAdding?

    /// A conversation as it is stored.
    struct Stored {
        let number: Int64
        let conversation: Conversation

        init(_ row: SQLRow) throws {
            number = row[0]
            conversation = try Conversation(row, from: 1)
        }

        static let byID = "SELECT number, \(Conversation.columns) FROM conversations WHERE id = ?"

        static func find(_ id: ConversationID, in db: any SQLSession) throws -> Stored? {
            try db.row(byID, [id.rawValue]).map(Stored.init)
        }
    }

    /// Stores a conversation with its members; returns whether it was new.
    func store(_ roster: ConversationRoster, source: String, mode: AcceptMode) throws -> Bool {
        try StoreRules.check(roster)
        try db.ahead(
            { _ = try Stored.find(roster.conversation.id, in: db) },
            { _ = try users(of: roster.members, source: source) })
        guard let stored = try Stored.find(roster.conversation.id, in: db) else {
            try insert(roster, giving: MembershipGiving(roster, source: source, mode: mode, at: moment))
            return true
        }
        switch mode {
        case .posting:
            guard try isSame(roster, as: stored, source: source) else {
                throw RepositoryError.conflict("the conversation differs")
            }
        case .importing:
            try renew(
                stored, with: roster,
                giving: MembershipGiving(
                    roster, source: source, mode: mode, at: moment, lastListedAt: try listedAt(stored.number)))
        }
        return false
    }

    private func insert(_ roster: ConversationRoster, giving: MembershipGiving) throws {
        let conversation = roster.conversation
        try db.run(
            """
            INSERT INTO conversations (id, kind, visibility, name, time_zone, created_at, updated_at, history)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                conversation.id.rawValue, conversation.kind.rawValue, conversation.visibility.rawValue,
                conversation.name, conversation.timeZone, conversation.createdAt.microseconds, moment.microseconds,
                conversation.history.rawValue,
            ])
        let number = db.insertedNumber
        try setFirst(roster.members, in: number, isLimited: conversation.history != .all, giving)
        _ = try setRights(of: roster, source: giving.source, in: number, before: nil)
        try recordListing(of: number, giving)
        try ChangeLog.append(.conversation, conversation: number, to: db)
    }

    private func renew(_ stored: Stored, with roster: ConversationRoster, giving: MembershipGiving) throws {
        var renewed = roster.conversation
        renewed.updatedAt = stored.conversation.updatedAt
        if !renewed.createdAt.isKnown { renewed.createdAt = stored.conversation.createdAt }
        // Only an import that states rights knows more than what was set here.
        if roster.rights?.shared == nil || roster.rights?.until != nil && renewed.history == .all {
            renewed.history = stored.conversation.history
        }
        var isChanged = renewed != stored.conversation
        let readers = try ReadingSpanRows(db: db).readers(of: stored.number)
        var hasOtherRights = false
        if isChanged {
            try db.run(
                """
                UPDATE conversations SET kind = ?, visibility = ?, name = ?, time_zone = ?, created_at = ?, history = ?
                WHERE number = ?
                """,
                [
                    renewed.kind.rawValue, renewed.visibility.rawValue, renewed.name, renewed.timeZone,
                    renewed.createdAt.microseconds, renewed.history.rawValue, stored.number,
                ])
            if renewed.timeZone != stored.conversation.timeZone { try tellOfMessages(in: stored.number) }
            if stored.conversation.visibility == .everyone, renewed.visibility != .everyone {
                try logClosing(of: stored)
            }
        }
        for member in roster.members {
            var member = member
            if !member.joinedAt.isKnown { member.joinedAt = renewed.createdAt }
            // A list of members without dates does not tell that somebody was there from the beginning.
            let since = member.joinedAt <= renewed.createdAt ? moment : nil
            if try set(member, in: stored.number, giving, since: since) { isChanged = true }
        }
        if try endMemberships(in: stored.number, allBut: roster.members, giving) { isChanged = true }
        let before = stored.conversation.history
        if before == .joined || renewed.history == .joined {
            let isOther = try setRights(of: roster, source: giving.source, in: stored.number, before: before)
            hasOtherRights = isOther || renewed.history != before
        }
        try takeAnswers(about: stored, before: readers)
        try recordListing(of: stored.number, giving)
        if isChanged || hasOtherRights { try touch(stored.number, hasOtherRights: hasOtherRights) }
    }

    /// Stores the reading rights that an import states; returns whether something changed.
    ///
    /// `before` is the history until now, nil for a new conversation.
    private func setRights(
        of roster: ConversationRoster, source: String, in conversation: Int64, before: Conversation.History?
    ) throws -> Bool {
        guard var rights = roster.rights else { return false }
        // Without earlier limits there is nothing else to go by, later either.
        if before != .joined { rights.until = nil }
        let rows = ReadingSpanRows(db: db)
        // What was limited here stays limited after the time that the import knows.
        guard roster.conversation.history == .joined || rights.until != nil else {
            try rows.lift(conversation)
            return false
        }
        switch before {
        case .all: try rows.share(until: rights.since ?? .distantPast, in: conversation)
        case nil: try rows.lift(conversation)
        case .joined: break
        }
        return try rows.replace(with: rights, source: source, in: conversation)
    }

    /// Sets the part of the history that somebody who joins later may read; returns whether it was another one.
    func setHistory(_ history: Conversation.History, of stored: Stored) throws -> Bool {
        guard stored.conversation.history != history else { return false }
        let readers = try ReadingSpanRows(db: db).readers(of: stored.number)
        try db.run(
            "UPDATE conversations SET history = ? WHERE number = ?", [history.rawValue, stored.number])
        let rows = ReadingSpanRows(db: db)
        if history == .all { try rows.lift(stored.number) } else { try rows.limit(stored.number) }
        try takeAnswers(about: stored, before: readers)
        try touch(stored.number, hasOtherRights: true)
        return true
    }

    /// Takes away answers about the whole conversation from people who may read less of it than before.
    ///
    /// Such an answer does not name the messages that it is based on. `before` is who could read which times, nil for
    /// a history without limits.
    private func takeAnswers(about stored: Stored, before: SpanReaders?) throws {
        guard let after = try ReadingSpanRows(db: db).readers(of: stored.number) else { return }
        let id = stored.conversation.id
        for asker in try TurnRows.askers(ofWhole: id, in: db) {
            let known = before?.spans(of: asker) ?? .always
            guard !after.spans(of: asker).contain(known, before: moment) else { continue }
            try TurnRows.redact(standingOnWhole: id, of: asker, in: db)
        }
    }

    /// Reports all messages as changed, because the time zone decides the day by which a message is found.
    private func tellOfMessages(in conversation: Int64) throws {
        try db.run(
            """
            INSERT INTO changes (kind, conversation, message)
            SELECT ?, conversation, number FROM messages WHERE conversation = ? AND deleted_at IS NULL ORDER BY number
            """, [ChangeKind.message.rawValue, conversation])
    }

    /// Compares a client's conversation with the stored one; times are left out, because the server sets missing ones.
    private func isSame(_ roster: ConversationRoster, as stored: Stored, source: String) throws -> Bool {
        let given = roster.conversation
        let held = stored.conversation
        guard given.kind == held.kind, given.visibility == held.visibility, given.history == held.history,
            given.name == held.name, given.timeZone == held.timeZone
        else { return false }
        let present = try Member.rows(of: stored.number, in: db).filter { $0.leftAt == nil }
        let names = zip(roster.members, try users(of: roster.members, source: source)).map { member, user in
            (user ?? member.userID, [member.displayName] + member.aliases)
        }
        return Dictionary(names, uniquingKeysWith: { $1 })
            == Dictionary(
                present.map { ($0.userID, [$0.displayName] + $0.aliases) }, uniquingKeysWith: { $1 })
    }

    /// Notes for everybody who is no member that an open conversation is closed.
    func logClosing(of stored: Stored) throws {
        try ChangeLog.append(.membership, conversation: stored.number, user: ChangeLog.everybody, to: db)
        try db.run(
            "INSERT INTO departures (user_id, change, conversation_id) VALUES (?, ?, ?)",
            [ChangeLog.everybody.rawValue, db.insertedNumber, stored.conversation.id.rawValue])
    }

    /// Notes that a conversation changed; `hasOtherRights` says that its readers may read other messages than before.
    func touch(_ conversation: Int64, hasOtherRights: Bool = false) throws {
        try db.run("UPDATE conversations SET updated_at = ? WHERE number = ?", [moment.microseconds, conversation])
        guard !hasOtherRights else { return try ReadingSpanRows(db: db).log(ChangeLog.everybody, in: conversation) }
        try ChangeLog.append(.conversation, conversation: conversation, to: db)
    }

    /// Adds or updates a member; returns whether something changed.
    ///
    /// `since` is when a new member begins to read a limited history; nil for the date of joining.
    func set(
        _ given: Member, in conversation: Int64, _ giving: MembershipGiving, since: Timestamp? = nil
    ) throws -> Bool {
        let authorID = given.userID.rawValue
        let source = giving.source
        try db.ahead(
            { _ = try Authors.user(of: authorID, source: source, in: db) },
            { _ = try Membership.find(given.userID, of: conversation, in: db) })
        let known = try Authors.user(of: authorID, source: source, in: db)
        if known == nil { try Authors.register(authorID, source: source, in: db) }
        let user = known ?? given.userID
        let old = try Membership.find(user, of: conversation, in: db)
        return try set(given.renamed(user), over: old, in: conversation, giving, authorID: authorID, since: since)
    }

    /// Returns the users of authors; nil for an author who is not known yet.
    private func users(of members: [Member], source: String) throws -> [UserID?] {
        try db.together(members) { try Authors.user(of: $0.userID.rawValue, source: source, in: db) }
    }

    /// Adds the members of a new conversation.
    private func setFirst(
        _ members: [Member], in conversation: Int64, isLimited: Bool, _ giving: MembershipGiving
    ) throws {
        let known = try users(of: members, source: giving.source)
        let users = zip(members, known).map { $1 ?? $0.userID }
        // Authors may be the same person.
        guard Set(users).count == members.count else {
            for member in members { _ = try set(member, in: conversation, giving) }
            return
        }
        for (member, (user, known)) in zip(members, zip(users, known)) {
            let authorID = member.userID.rawValue
            if known == nil { try Authors.register(authorID, source: giving.source, in: db) }
            _ = try set(
                member.renamed(user), over: nil, in: conversation, giving, authorID: authorID, isLimited: isLimited)
        }
    }

    /// Writes a membership, unless it is as before; `isLimited` says whether the conversation's history is, if known.
    private func set(
        _ member: Member, over old: Membership?, in conversation: Int64, _ giving: MembershipGiving, authorID: String,
        since: Timestamp? = nil, isLimited: Bool? = nil
    ) throws -> Bool {
        let source = giving.source
        let result = giving.membership(member, over: old?.member, importer: old?.importer)
        let membership = Membership(member: result.member, importer: result.importer)
        guard old?.member != membership.member || old?.importer != membership.importer else { return false }
        try write(membership, over: old?.member, in: conversation, source: source, authorID: authorID)
        try ReadingSpanRows(db: db).follow(
            membership.member, before: old?.member, in: conversation, since: since, isLimited: isLimited, at: moment)
        return old?.member != membership.member
    }

    private func write(
        _ membership: Membership, over old: Member?, in conversation: Int64, source: String, authorID: String
    ) throws {
        let member = membership.member
        try db.run(
            """
            INSERT INTO members (conversation, user_id, display_name, aliases, joined_at, left_at, source, author_id,
                importer)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (conversation, user_id) DO UPDATE SET display_name = excluded.display_name,
                aliases = excluded.aliases, joined_at = excluded.joined_at, left_at = excluded.left_at,
                importer = excluded.importer
            """,
            [
                conversation, member.userID.rawValue, member.displayName,
                try JSONColumn.text(member.aliases) ?? "[]", member.joinedAt.microseconds, member.leftAt?.microseconds,
                source, authorID, membership.importer,
            ])
        let isPresent = member.leftAt == nil
        guard isPresent != (old.map { $0.leftAt == nil } ?? false) else { return }
        if isPresent {
            try LiveRows(db: db).join(
                member.userID, in: conversation, invitation: adding?.invitation(of: member.userID, at: moment))
        } else {
            try LiveRows(db: db).handOver(from: member.userID, in: conversation, at: moment)
        }
        try logMembership(of: member.userID, in: conversation, isPresent: isPresent)
    }

    /// Notes that a membership began or ended; `isPresent` says which, nil if it has to be looked up.
    func logMembership(of user: UserID, in conversation: Int64, isPresent: Bool? = nil) throws {
        try ChangeLog.append(.membership, conversation: conversation, user: user, to: db)
        // Only somebody who left loses notifications.
        let notifications = NotificationRows(db: db)
        switch isPresent {
        case true?: return
        case false?: try notifications.remove(ofFormerMember: user, in: conversation, change: db.insertedNumber)
        case nil: try notifications.follow(membershipOf: user, in: conversation, change: db.insertedNumber)
        }
    }

    /// Sets missing times of a conversation and its memberships to the time of the first message.
    func completeTimes(of conversation: Int64) throws {
        try db.run(
            """
            UPDATE conversations SET created_at = (SELECT MIN(timestamp) FROM messages WHERE conversation = ?1)
            WHERE number = ?1 AND created_at = 0 AND EXISTS (SELECT 1 FROM messages WHERE conversation = ?1)
            """, [conversation])
        guard db.changedRowCount > 0 else { return }
        try db.run(
            """
            UPDATE members SET joined_at = (SELECT created_at FROM conversations WHERE number = ?1)
            WHERE conversation = ?1 AND joined_at = 0
            """, [conversation])
        try touch(conversation)
    }

    private func listedAt(_ conversation: Int64) throws -> Timestamp? {
        try db.number("SELECT listed_at FROM conversations WHERE number = ?", [conversation])
            .map { Timestamp(microseconds: $0) }
    }

    private func recordListing(of conversation: Int64, _ giving: MembershipGiving) throws {
        guard let listedAt = giving.completeAt else { return }
        try db.run(
            "UPDATE conversations SET listed_at = ? WHERE number = ?", [listedAt.microseconds, conversation])
    }

    /// Ends the memberships that imports of this source gave, if a complete list does not contain them.
    private func endMemberships(
        in conversation: Int64, allBut named: [Member], _ giving: MembershipGiving
    ) throws -> Bool {
        guard let listedAt = giving.completeAt, let importer = giving.importer else { return false }
        let users = try named.map {
            try Authors.user(of: $0.userID.rawValue, source: giving.source, in: db) ?? $0.userID
        }
        let remaining = Set(users)
        let present = try db.rows(
            "SELECT user_id FROM members WHERE conversation = ? AND importer = ? AND left_at IS NULL",
            [conversation, importer])
        let gone = present.map { $0.identifier(0) as UserID }.filter { !remaining.contains($0) }
        for user in gone {
            try db.run(
                "UPDATE members SET left_at = ? WHERE conversation = ? AND user_id = ?",
                [listedAt.microseconds, conversation, user.rawValue])
            try ReadingSpanRows(db: db).end(of: user, in: conversation, at: listedAt)
            try LiveRows(db: db).handOver(from: user, in: conversation, at: moment)
            try logMembership(of: user, in: conversation)
        }
        return !gone.isEmpty
    }

    /// Gives an author's memberships to a user, and the author's items in these conversations too.
    ///
    /// If the user is a member already, the two memberships are merged.
    func moveMemberships(of identity: Identity) throws {
        let rows = try db.rows(
            """
            SELECT conversation, \(Member.columns), importer FROM members
            WHERE source = ? AND author_id = ? AND user_id <> ? ORDER BY conversation, user_id
            """, [identity.source, identity.externalID, identity.userID.rawValue])
        for row in rows {
            let conversation: Int64 = row[0]
            let moved = try Member(row, from: 1)
            let isAdmin =
                try db.number(
                    "SELECT 1 FROM members WHERE conversation = ? AND user_id = ? AND role <> 'member'",
                    [conversation, moved.userID.rawValue]) != nil
            try db.run(
                "DELETE FROM members WHERE conversation = ? AND user_id = ?", [conversation, moved.userID.rawValue])
            let old = try Membership.find(identity.userID, of: conversation, in: db)
            var membership = old ?? Membership(member: moved.renamed(identity.userID), importer: row[6])
            membership.member.merge(moved)
            try write(
                membership, over: old?.member, in: conversation, source: identity.source,
                authorID: identity.externalID)
            try ReadingSpanRows(db: db).move(from: moved.userID, to: identity.userID, in: conversation)
            if isAdmin, membership.member.leftAt == nil {
                try db.run(
                    "UPDATE members SET role = 'admin' WHERE conversation = ? AND user_id = ?",
                    [conversation, identity.userID.rawValue])
            }
            try logMembership(of: moved.userID, in: conversation)
            try touch(conversation)
            try ItemRows.move(from: moved.userID, to: membership.member, in: conversation, db: db)
        }
    }

    /// Gives an author's messages to a user; returns the number of changed messages.
    func moveMessages(of identity: Identity) throws -> Int {
        let values: [SQLArgument] = [identity.source, identity.externalID, identity.userID.rawValue]
        let rows = try db.rows(
            """
            SELECT number, conversation FROM messages WHERE source = ? AND author_id = ? AND sender_id <> ?
            ORDER BY number
            """, values)
        for row in rows {
            try db.run(
                "UPDATE messages SET sender_id = ? WHERE number = ?", [identity.userID.rawValue, row[0] as Int64])
            try ChangeLog.append(.message, conversation: row[1], message: row[0], to: db)
            try NotificationRows(db: db).follow(
                movedMessage: row[0], to: identity.userID, change: db.insertedNumber)
        }
        return rows.count
    }
}
