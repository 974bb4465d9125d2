package import ChatCore
import Synchronization

extension SQLStore: LiveChatRepository {
    package func create(
        _ roster: ConversationRoster, by maker: UserID?, source: String, at moment: Timestamp
    ) async throws -> Bool {
        try await create(roster, by: maker, adding: nil, source: source, at: moment)
    }

    /// Stores a posted conversation; a person's limits hold for one that is new.
    func create(
        _ roster: ConversationRoster, by maker: UserID?, adding: KnownAdding?, source: String, at moment: Timestamp
    ) async throws -> Bool {
        let excludesDirect = excludesDirect.withLock { $0 }
        return try await write { db in
            let id = roster.conversation.id
            let shares = adding.map { GroupShares(db: db, adding: $0.adding, moment: moment) }
            if let shares, try ConversationWriter.Stored.find(id, in: db) == nil {
                try shares.checkMaking()
                try shares.checkAdding(roster.members.count { $0.userID != shares.adding.person })
            }
            let isNew = try ConversationWriter(db: db, moment: moment, adding: adding)
                .store(roster, source: source, mode: .posting)
            if isNew, let shares {
                try shares.recordMaker(id)
            } else if isNew, let maker {
                // No share of a person is used up, so no time is kept.
                try db.run("UPDATE conversations SET made_by = ? WHERE id = ?", [maker.rawValue, id.rawValue])
            }
            _ = try ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment).apply(to: id)
            guard isNew, let maker, roster.conversation.kind == .group else { return isNew }
            try db.run(
                """
                UPDATE members SET role = ? WHERE user_id = ? AND left_at IS NULL
                    AND conversation = (SELECT number FROM conversations WHERE id = ?)
                """, [MemberRole.admin.rawValue, maker.rawValue, id.rawValue])
            return true
        }
    }

    package func openDirect(
        _ asker: UserID, _ other: UserID, names: [UserID: String], newID: ConversationID, limits: GroupLimits,
        at moment: Timestamp
    ) async throws -> (roster: ConversationRoster, isNew: Bool) {
        let adding = try await known(to: MemberAdding(by: asker, limits: limits), among: [other], source: "api")
        let excludesDirect = excludesDirect.withLock { $0 }
        let pair = Self.pair(asker, other)
        return try await write { db in
            try db.ahead(
                { _ = try Self.direct(pair, in: db) }, { _ = try ConversationWriter.Stored.find(newID, in: db) })
            if let found = try Self.direct(pair, in: db) { return (found, false) }
            var members = [asker, other].map { user in
                Member(userID: user, displayName: names[user] ?? user.rawValue, joinedAt: moment)
            }
            if asker == other { members.removeLast() }
            let shares = GroupShares(db: db, adding: adding.adding, moment: moment)
            try shares.checkMaking()
            try shares.checkAdding(members.count - 1)
            let roster = ConversationRoster(
                conversation: Conversation(id: newID, kind: .direct, createdAt: moment, updatedAt: moment),
                members: members.sorted { $0.userID < $1.userID })
            let stored = try Self.insertDirect(
                roster, of: pair, by: ConversationWriter(db: db, moment: moment, adding: adding),
                excludesDirect: excludesDirect)
            try shares.recordMaker(newID)
            return (
                ConversationRoster(
                    conversation: stored.conversation, members: try Member.rows(of: stored.number, in: db)), true
            )
        }
    }

    /// The ids of two people in the order in which `direct_pairs` has them.
    static func pair(_ one: UserID, _ other: UserID) -> [String] {
        [one.rawValue, other.rawValue].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Stores the new conversation of a pair.
    static func insertDirect(
        _ roster: ConversationRoster, of pair: [String], by writer: ConversationWriter, excludesDirect: Bool
    ) throws -> ConversationWriter.Stored {
        let (db, id) = (writer.db, roster.conversation.id)
        guard try writer.store(roster, source: "api", mode: .posting),
            let stored = try ConversationWriter.Stored.find(id, in: db)
        else { throw RepositoryError.conflict("the conversation exists already") }
        try db.run(
            "INSERT INTO direct_pairs (first_id, second_id, conversation) VALUES (?, ?, ?)",
            [pair[0], pair[1], stored.number])
        _ = try ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: writer.moment).apply(to: id)
        return stored
    }

    /// The number of the conversation of a pair, as a value of a statement; values: the two, and how many they are.
    private static let numberOfPair = """
        COALESCE(
            (SELECT conversation FROM direct_pairs WHERE first_id = ?1 AND second_id = ?2),
            (SELECT c.number FROM conversations c JOIN members a ON a.conversation = c.number AND a.user_id = ?1
            JOIN members b ON b.conversation = c.number AND b.user_id = ?2
            WHERE c.kind = 'direct' AND a.left_at IS NULL AND b.left_at IS NULL AND (
                SELECT COUNT(*) FROM members m WHERE m.conversation = c.number) = ?3
            ORDER BY c.number LIMIT 1))
        """

    private static let conversationOfPair =
        "SELECT \(Conversation.columns) FROM conversations WHERE number = \(numberOfPair)"

    private static let membersOfPair =
        "SELECT \(Member.columns) FROM members WHERE conversation = \(numberOfPair) ORDER BY user_id"

    /// Returns the conversation of a pair: the one that was opened for it, or the oldest one of exactly these two.
    static func direct(_ pair: [String], in db: any SQLSession) throws -> ConversationRoster? {
        let values: [SQLArgument] = [pair[0], pair[1], pair[0] == pair[1] ? 1 : 2]
        try db.ahead({ _ = try db.row(conversationOfPair, values) }, { _ = try db.rows(membersOfPair, values) })
        guard let row = try db.row(conversationOfPair, values) else { return nil }
        return ConversationRoster(
            conversation: try Conversation(row, from: 0),
            members: try db.rows(membersOfPair, values).map { try Member($0, from: 0) })
    }

    /// Returns the number of the conversation of two people; nil if there is none.
    static func directNumber(_ one: UserID, _ other: UserID, in db: any SQLSession) throws -> Int64? {
        let pair = pair(one, other)
        return try db.number(
            "SELECT number FROM conversations WHERE number = \(numberOfPair)", [pair[0], pair[1], one == other ? 1 : 2])
    }

    package func inbox(
        of user: UserID, matching query: String?, at moment: Timestamp
    ) async throws -> (entries: [InboxEntry], cursor: ChangeCursor) {
        let query = query.flatMap { $0.isEmpty ? nil : InboxQuery($0) }
        let found = try await readInbox(of: user, matching: query, at: moment)
        guard !found.unnamed.isEmpty else { return (found.entries, found.cursor) }
        try await makeNames(of: found.unnamed)
        let named = try await readInbox(of: user, matching: query, at: moment)
        return (named.entries, named.cursor)
    }

    /// Reads a list, and the conversations whose members have to be named first, of which usually there are none.
    private func readInbox(
        of user: UserID, matching query: InboxQuery?, at moment: Timestamp
    ) async throws -> (entries: [InboxEntry], cursor: ChangeCursor, unnamed: [Int64]) {
        try await read { db in
            func unnamed() throws -> [Int64] {
                guard query?.beginning != nil else { return [] }
                return try db.rows(Permission.unnamed, [user.rawValue, moment.microseconds]).map { $0[0] }
            }
            var reading = InboxReading(user, at: moment, in: db)
            try db.ahead(
                { [reading] in
                    var reading = reading
                    _ = try query.map { try reading.entries(matching: $0) } ?? reading.entries()
                },
                { _ = try ChangeLog.end(in: db) }, { _ = try unnamed() })
            let entries = try query.map { try reading.entries(matching: $0) } ?? reading.entries()
            return (entries.sorted { $0.precedes($1) }, try ChangeLog.end(in: db), try unnamed())
        }
    }

    package func inboxEntry(
        of id: ConversationID, for user: UserID, at moment: Timestamp
    ) async throws -> InboxEntry {
        try await read { db in
            var reading = InboxReading(user, at: moment, in: db)
            guard let entry = try reading.entry(of: id) else { throw RepositoryError.noSuchConversation(id) }
            return entry
        }
    }

    package func positions(of keys: [MessageKey]) async throws -> [MessageKey: MessagePosition] {
        try await read { db in
            let keys = Set(keys)
            let found = try db.together(keys) { try FeedReading.place(of: $0, in: db)?.position }
            return zip(keys, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    package func memberMentions(of keys: [MessageKey]) async throws -> [MessageKey: [MemberMention]] {
        try await read { db in
            let keys = Set(keys)
            let found = try db.together(keys) { key in
                try StoredMessage.find(key, in: db).map { try FeedReading.mentions(in: $0.number, db) } ?? []
            }
            return zip(keys, found).reduce(into: [:]) { if !$1.1.isEmpty { $0[$1.0] = $1.1 } }
        }
    }

    package func markRead(
        _ messages: [MessageID], in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> (receipt: Receipt, isMoved: Bool) {
        try await write { db in
            let keys = messages.map { MessageKey(conversationID: id, messageID: $0) }
            try db.ahead(
                { try Self.prepareMembership(of: user, in: id, at: moment, db) },
                { _ = try db.together(keys) { try Self.place(of: $0, seenBy: user, at: moment, db) } },
                { _ = try PersonalSettingsRows.hidesRead(user, in: db) })
            let (number, old) = try Self.membership(of: user, in: id, at: moment, db)
            var isKnown = false
            var seq: Int64 = 0
            let places = try db.together(keys) { try Self.place(of: $0, seenBy: user, at: moment, db) }
            // After all reads, whose answers it would make void.
            try LiveRows(db: db).accept(user, in: number)
            for place in places {
                guard let place else { continue }
                isKnown = true
                // History counts as read.
                seq = max(seq, place.position.seq ?? 0)
            }
            guard isKnown else {
                throw RepositoryError.noSuchMessage(
                    MessageKey(conversationID: id, messageID: messages.first ?? MessageID(rawValue: "")))
            }
            guard seq > old.readSeq else { return (old, false) }
            return (try Self.setRead(seq, after: old, in: number, at: moment, db), true)
        }
    }

    package func markUnread(
        from message: MessageID, in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> Receipt {
        try await write { db in
            let key = MessageKey(conversationID: id, messageID: message)
            try db.ahead(
                { try Self.prepareMembership(of: user, in: id, at: moment, db) },
                { _ = try Self.place(of: key, seenBy: user, at: moment, db) },
                { _ = try PersonalSettingsRows.hidesRead(user, in: db) })
            let (number, old) = try Self.membership(of: user, in: id, at: moment, db)
            let place = try Self.place(of: key, seenBy: user, at: moment, db)
            // After all reads, whose answers it would make void.
            try LiveRows(db: db).accept(user, in: number)
            guard let place else { throw RepositoryError.noSuchMessage(key) }
            guard let seq = place.position.seq else {
                throw RepositoryError.invalid(
                    field: "from", reason: "is a message of an imported history, which always counts as read")
            }
            // What was written before the person joined stays read.
            let position = max(seq - 1, old.joinedSeq)
            guard position != old.readSeq else { return old }
            return try Self.setRead(position, after: old, in: number, at: moment, db)
        }
    }

    /// Returns the place of a message; nil for one that is missing or hidden: the two cannot be told apart.
    private static func place(
        of key: MessageKey, seenBy user: UserID, at moment: Timestamp, _ db: any SQLSession
    ) throws -> FeedReading.Place? {
        try db.ahead({ _ = try StoredMessage.find(key, in: db) }, { _ = try FeedReading.place(of: key, in: db) })
        var reading = MessageReading(reader: user, moment: moment, db: db)
        guard let stored = try StoredMessage.find(key, in: db), try !reading.hides(stored) else { return nil }
        return try FeedReading.place(of: key, in: db)
    }

    /// Reads what ``membership(of:in:at:_:)`` needs.
    private static func prepareMembership(
        of user: UserID, in id: ConversationID, at moment: Timestamp, _ db: any SQLSession
    ) throws {
        try db.ahead(
            { _ = try Permission.number(of: id, for: user, at: moment, in: db) },
            { _ = try LiveRows(db: db).ownReceipt(of: user, in: id, at: moment) })
    }

    /// Returns the conversation's number and the member's receipt.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` for somebody who may not see the conversation;
    ///   ``RepositoryError/invalid(field:reason:)`` for somebody who only reads an open one.
    private static func membership(
        of user: UserID, in id: ConversationID, at moment: Timestamp, _ db: any SQLSession
    ) throws -> (number: Int64, receipt: Receipt) {
        let number = try Permission.number(of: id, for: user, at: moment, in: db)
        guard let receipt = try LiveRows(db: db).ownReceipt(of: user, in: id, at: moment) else {
            throw RepositoryError.invalid(field: "userId", reason: "is no member of the conversation: join it first")
        }
        return (number, receipt)
    }

    /// Moves a member's read position; returns the receipt that follows.
    private static func setRead(
        _ seq: Int64, after old: Receipt, in conversation: Int64, at moment: Timestamp, _ db: any SQLSession
    ) throws -> Receipt {
        let user = old.userID
        try db.run(
            """
            UPDATE members SET read_seq = ?, read_at = ?,
                reached_seq = CASE WHEN reached_seq < read_seq THEN read_seq ELSE reached_seq END
            WHERE conversation = ? AND user_id = ?
            """,
            [seq, moment.microseconds, conversation, user.rawValue])
        // Others are not even woken by somebody who hides it.
        let kind: ChangeKind = try PersonalSettingsRows.hidesRead(user, in: db) ? .personal : .receipt
        try ChangeLog.append(kind, conversation: conversation, user: user, to: db)
        try NotificationRows(db: db).remove(
            readBy: user, through: seq, in: conversation, change: db.insertedNumber)
        // What was read was delivered, too, also if it is unread now.
        return Receipt(
            userID: user, readSeq: seq, readAt: moment, deliveredSeq: max(seq, old.deliveredSeq),
            joinedSeq: old.joinedSeq)
    }

    package func receipts(in id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> [Receipt] {
        try await read { db in
            try db.ahead(
                { _ = try Permission.number(of: id, for: asker, at: moment, in: db) },
                { _ = try PersonalSettingsRows.hidesRead(asker, in: db) })
            let number = try Permission.number(of: id, for: asker, at: moment, in: db)
            return try LiveRows(db: db).receipts(in: number, for: asker, at: moment)
        }
    }

    package func changePreferences(
        of id: ConversationID, for user: UserID, at moment: Timestamp,
        _ change: @escaping @Sendable (inout ConversationPreferences) -> Void
    ) async throws -> ConversationPreferences {
        try await write { db in
            let number = try Permission.number(of: id, for: user, at: moment, in: db)
            var preferences: ConversationPreferences =
                try db.row(
                    "SELECT content FROM preferences WHERE conversation = ? AND user_id = ?", [number, user.rawValue]
                ).map { try JSONColumn.value($0[0]) } ?? .init()
            change(&preferences)
            try db.run(
                """
                INSERT INTO preferences (conversation, user_id, content) VALUES (?, ?, ?)
                ON CONFLICT (conversation, user_id) DO UPDATE SET content = excluded.content
                """,
                [number, user.rawValue, try JSONColumn.text(of: preferences)])
            try ChangeLog.append(.personal, conversation: number, user: user, to: db)
            return preferences
        }
    }

    package func roles(in id: ConversationID) async throws -> [UserID: MemberRole] {
        try await read { db in
            // A conversation without such members has one row with nulls.
            let rows = try db.rows(
                """
                SELECT m.user_id, m.role FROM conversations c LEFT JOIN members m
                    ON m.conversation = c.number AND m.left_at IS NULL AND m.role <> 'member' WHERE c.id = ?
                """, [id.rawValue])
            guard !rows.isEmpty else { throw RepositoryError.noSuchConversation(id) }
            return try rows.reduce(into: [:]) { roles, row in
                if let user = row[0] as String? { roles[UserID(rawValue: user)] = try row.word(1) }
            }
        }
    }

    package func setRole(
        _ role: MemberRole, of user: UserID, in id: ConversationID, at moment: Timestamp
    ) async throws {
        try await write { db in
            guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            try db.run(
                """
                UPDATE members SET role = ?1 WHERE conversation = ?2 AND user_id = ?3 AND role <> ?1
                    AND (left_at IS NULL OR left_at > ?4)
                """, [role.rawValue, stored.number, user.rawValue, moment.microseconds])
            if db.changedRowCount > 0 { try ConversationWriter(db: db, moment: moment).touch(stored.number) }
        }
    }

    package func setHistory(
        _ history: Conversation.History, of id: ConversationID, at moment: Timestamp
    ) async throws {
        try await write { db in
            guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            _ = try ConversationWriter(db: db, moment: moment).setHistory(history, of: stored)
        }
    }

    package func rename(_ id: ConversationID, to name: String, at moment: Timestamp) async throws {
        try await write { db in
            guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            guard stored.conversation.name != name else { return }
            var renamed = stored.conversation
            renamed.name = name
            try StoreRules.check(ConversationRoster(conversation: renamed, members: []))
            try db.run("UPDATE conversations SET name = ? WHERE number = ?", [name, stored.number])
            try ConversationWriter(db: db, moment: moment).touch(stored.number)
        }
    }

    package func react(
        _ emoji: String, isSet: Bool, to key: MessageKey, by user: UserID, at moment: Timestamp
    ) async throws -> Message {
        try await write { db in
            let stored = try WritingRights(of: .trusted(user), at: moment, in: db).seen(key)
            guard stored.message.deletedAt == nil else { throw RepositoryError.noSuchMessage(key) }
            try LiveRows(db: db).accept(user, in: stored.conversation)
            var message = stored.message
            message.react(emoji, isSet: isSet, by: user)
            guard message != stored.message else { return message }
            // Histories may have more than may be added.
            if isSet, let refusal = StoreRules.refusal(of: message) {
                if case .invalid(let field, let reason) = refusal {
                    throw RepositoryError.invalid(field: field, reason: reason)
                }
                throw RepositoryError.invalid(field: "reactions", reason: "cannot be stored")
            }
            try db.run(
                "UPDATE messages SET reactions = ? WHERE number = ?",
                [try JSONColumn.text(message.reactions), stored.number])
            try ChangeLog.append(.message, conversation: stored.conversation, message: stored.number, to: db)
            return message
        }
    }
}
