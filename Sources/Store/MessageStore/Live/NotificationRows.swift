import ChatCore

/// Changes the rows of `notifications`, within one transaction.
///
/// The feed of a person sends new and changed rows one by one. After rows were removed, it sends the remaining ones:
/// the person's row in `notification_marks` says when that was. Each change of a row needs an entry in the change log
/// that wakes the person: of the message, of the person's membership or read position, or one that is only for the
/// person.
struct NotificationRows {
    /// In larger conversations nobody is notified of every message.
    static let memberLimit = 500
    /// The most replies that are followed back to the beginning of a thread.
    private static let replyLimit = 50

    let db: any SQLSession

    /// Tells people of a message that was just placed.
    ///
    /// `mentions` are the members whom it mentions; nil if they are only in the table.
    func announce(
        _ number: Int64, _ message: Message, in place: MessagePlace, mentioning mentions: [MemberMention]? = nil,
        change: Int64, at moment: Timestamp
    ) throws {
        guard message.deletedAt == nil else { return }
        let mentioned = mentions.map { Set($0.map(\.userID)) }
        let kinds = try recipients(of: number, message, in: place, mentioning: mentioned)
        for (user, kind) in kinds.sorted(by: { $0.key < $1.key }) {
            try db.run(
                Self.insertion,
                [
                    user.rawValue, kind.rawValue, place.number, number, nil, place.lastSeq, change,
                    moment.microseconds,
                ])
        }
    }

    private static let insertion = """
        INSERT INTO notifications (user_id, kind, conversation, message, item, seq, change, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// Follows another text of a message: those who are mentioned now are told of it, unless they have read it.
    ///
    /// - Parameters:
    ///   - number: The message.
    ///   - message: The new content.
    ///   - conversation: The conversation.
    ///   - before: The members whom the old text mentioned.
    ///   - tells: Whether people are told of it at all; not for a history.
    ///   - change: The change of the message.
    ///   - moment: The present time.
    /// - Throws: Storage errors.
    func follow(
        edited number: Int64, _ message: Message, in conversation: Int64, mentioning before: Set<UserID>, tells: Bool,
        change: Int64, at moment: Timestamp
    ) throws {
        try db.run("UPDATE notifications SET change = ?1 WHERE message = ?2", [change, number])
        let after = try mentioned(in: number)
        guard before != after, let place = try MessagePlace.find(conversation, in: db) else { return }
        let kinds = try recipients(of: number, message, in: place, mentioning: after)
        for user in before.subtracting(after).sorted() {
            guard try self.kind(of: number, for: user) == .mention else { continue }
            if let kind = kinds[user] {
                try db.run(
                    "UPDATE notifications SET kind = ? WHERE message = ? AND user_id = ?",
                    [kind.rawValue, number, user.rawValue])
            } else {
                try remove("message = ?2 AND user_id = ?3", [number, user.rawValue], change: change)
            }
        }
        for user in after.subtracting(before).sorted() where tells {
            guard let kind = kinds[user], try isUnread(number, in: conversation, by: user) else { continue }
            try replace(with: kind, number, in: conversation, for: user, change: change, at: moment)
        }
    }

    /// Removes all notifications of a message.
    func remove(message: Int64, change: Int64) throws { try remove("message = ?2", [message], change: change) }

    /// Tells a person of a message of which the person wanted to be reminded, also if the person was told of it before.
    func remind(_ user: UserID, of number: Int64, in conversation: Int64, at moment: Timestamp) throws {
        try ChangeLog.append(.personal, user: user, to: db)
        let change = db.insertedNumber
        try remove("message = ?2 AND user_id = ?3", [number, user.rawValue], change: change)
        try insert(.reminder, number, in: conversation, for: user, change: change, at: moment)
    }

    /// Removes a person's notifications of messages up to a position; tasks and reminders stay.
    func remove(readBy user: UserID, through seq: Int64, in conversation: Int64, change: Int64) throws {
        try remove(
            "conversation = ?2 AND user_id = ?3 AND seq <= ?4 AND kind NOT IN ('item', 'reminder')",
            [conversation, user.rawValue, seq], change: change)
    }

    /// Removes what a person who is not a present member was told of a conversation.
    func follow(membershipOf user: UserID, in conversation: Int64, change: Int64) throws {
        guard try !isMember(user, of: conversation) else { return }
        try remove(ofFormerMember: user, in: conversation, change: change)
    }

    /// Removes what a person was told of a conversation.
    func remove(ofFormerMember user: UserID, in conversation: Int64, change: Int64) throws {
        try remove("conversation = ?2 AND user_id = ?3", [conversation, user.rawValue], change: change)
    }

    /// Removes all notifications of a conversation.
    func remove(conversation: Int64, change: Int64) throws {
        try remove("conversation = ?2", [conversation], change: change)
    }

    /// Follows a message that was given to another user, who is not told of own messages.
    func follow(movedMessage number: Int64, to user: UserID, change: Int64) throws {
        try db.run("UPDATE notifications SET change = ?1 WHERE message = ?2", [change, number])
        try remove(
            "message = ?2 AND user_id = ?3 AND kind NOT IN ('item', 'reminder')", [number, user.rawValue],
            change: change)
    }

    /// Removes notifications of a person by their numbers.
    func dismiss(_ numbers: [Int64], of user: UserID) throws {
        try removeForUser(
            user, "user_id = ?2 AND number IN (SELECT value FROM json_each(?3))",
            [user.rawValue, numbers])
    }

    /// Removes all notifications of a person.
    func dismissAll(of user: UserID) throws { try removeForUser(user, "user_id = ?2", [user.rawValue]) }

    /// Lets a person's clients ask for all notifications again.
    func mark(_ user: UserID, change: Int64) throws {
        try db.run(
            """
            INSERT INTO notification_marks (user_id, change) VALUES (?, ?)
            ON CONFLICT (user_id) DO UPDATE SET change = excluded.change
            """, [user.rawValue, change])
    }

    /// Removes rows with an entry of the log that is only for the person; none if there is nothing to remove.
    private func removeForUser(_ user: UserID, _ condition: String, _ values: [SQLArgument]) throws {
        guard try db.number("SELECT ?1 FROM notifications WHERE \(condition) LIMIT 1", [0] + values) != nil else {
            return
        }
        try ChangeLog.append(.personal, user: user, to: db)
        try remove(condition, values, change: db.insertedNumber)
    }

    /// Removes the rows of a condition, whose values begin with `?2`, and marks their people.
    private func remove(_ condition: String, _ values: [SQLArgument], change: Int64) throws {
        try db.run(
            """
            INSERT INTO notification_marks (user_id, change)
            SELECT DISTINCT user_id, ?1 FROM notifications WHERE \(condition)
            ON CONFLICT (user_id) DO UPDATE SET change = excluded.change
            """, [change] + values)
        // Also when there are none: the number of marks would cost a round trip.
        try db.run("DELETE FROM notifications WHERE ?1 IS NOT NULL AND \(condition)", [change] + values)
    }

    private func insert(
        _ kind: PersonalNotification.Kind, _ number: Int64, item: ItemID? = nil, in conversation: Int64,
        for user: UserID, change: Int64, at moment: Timestamp
    ) throws {
        try db.run(
            """
            INSERT INTO notifications (user_id, kind, conversation, message, item, seq, change, created_at)
            SELECT ?1, ?2, ?3, number, ?5, seq, ?6, ?7 FROM messages WHERE number = ?4
            """,
            [
                user.rawValue, kind.rawValue, conversation, number, item?.rawValue, change, moment.microseconds,
            ])
    }

    /// Makes the one row of a person and a message, unless there is one that is at least as strong.
    private func replace(
        with kind: PersonalNotification.Kind, _ number: Int64, in conversation: Int64, for user: UserID, change: Int64,
        at moment: Timestamp
    ) throws {
        if let known = try self.kind(of: number, for: user) {
            guard kind.strength > known.strength else { return }
            try remove("message = ?2 AND user_id = ?3", [number, user.rawValue], change: change)
        }
        try insert(kind, number, in: conversation, for: user, change: change, at: moment)
    }

    private func kind(of number: Int64, for user: UserID) throws -> PersonalNotification.Kind? {
        try db.row("SELECT kind FROM notifications WHERE message = ? AND user_id = ?", [number, user.rawValue])
            .map { try $0.word(0) }
    }

    private func isUnread(_ number: Int64, in conversation: Int64, by user: UserID) throws -> Bool {
        try db.number(
            """
            SELECT 1 FROM members p CROSS JOIN messages m ON m.number = ?3
            WHERE p.conversation = ?1 AND p.user_id = ?2 AND p.read_seq < m.seq
            """, [conversation, user.rawValue, number]) != nil
    }
}

/// The people who are notified of a message, and why.
extension NotificationRows {
    private typealias Kinds = [UserID: Set<PersonalNotification.Kind>]

    /// Returns the people who are told of a message, each with the strongest reason.
    private func recipients(
        of number: Int64, _ message: Message, in place: MessagePlace, mentioning mentions: Set<UserID>? = nil
    ) throws -> [UserID: PersonalNotification.Kind] {
        guard message.kind != .system else { return [:] }
        try db.ahead({ _ = try listeners(in: place) }, { _ = try repliedAuthors(of: message, in: place.number) })
        var reasons = Kinds()
        for user in try listeners(in: place) {
            reasons[user, default: []].insert(place.isDirect ? .direct : .message)
        }
        for user in LiveRows.mayMention(message) ? try mentions ?? mentioned(in: number) : [] {
            reasons[user, default: []].insert(.mention)
        }
        let authors = try repliedAuthors(of: message, in: place.number)
        for user in authors { reasons[user, default: []].insert(.reply) }
        if message.kind == .assistant, let asker = authors.first { reasons[asker, default: []].insert(.answer) }
        reasons[message.senderID] = nil
        let users = Array(reasons.keys)
        let rows = try db.rows(
            users.map { SQLStatement(Self.membership, [place.number, $0.rawValue]) }
                + users.map { SQLStatement(Self.preferences, [place.number, $0.rawValue]) })
        var kinds: [UserID: PersonalNotification.Kind] = [:]
        for (index, user) in users.enumerated() where !rows[index].isEmpty {
            let level = try level(rows[users.count + index].first, isDirect: place.isDirect)
            kinds[user] = reasons[user]?.filter { $0.isTold(at: level) }.max { $0.strength < $1.strength }
        }
        return kinds
    }

    /// Reads what ``follow(edited:_:in:mentioning:tells:change:at:)`` needs.
    func prepare(edited number: Int64, _ message: Message, in conversation: Int64) throws {
        guard let place = try MessagePlace.find(conversation, in: db) else { return }
        let mentions =
            LiveRows.mayMention(message)
            ? try MemberNameRows(db: db).mentions(in: message.text, of: conversation) : []
        let users = Set(mentions.map(\.userID))
        try db.ahead(
            { _ = try recipients(of: number, message, in: place, mentioning: users) },
            { _ = try db.together(users) { try isUnread(number, in: conversation, by: $0) } })
    }

    /// Returns the members of a direct conversation, and of a group those who want to be told of every message.
    private func listeners(in place: MessagePlace) throws -> [UserID] {
        let users =
            try place.listeners
            ?? db.rows(
                place.isDirect
                    ? "SELECT user_id FROM members WHERE conversation = ? AND left_at IS NULL"
                    : """
                    SELECT user_id FROM preferences
                    WHERE conversation = ? AND json_extract(content, '$.notifications') = 'all'
                    """, [place.number]
            ).map { $0.identifier(0) }
        guard !place.isDirect, !users.isEmpty else { return users }
        let count = try db.number(
            """
            SELECT COUNT(*) FROM (
                SELECT 1 FROM members WHERE conversation = ? AND left_at IS NULL LIMIT \(Self.memberLimit + 1)) AS m
            """, [place.number])
        return count ?? 0 > Int64(Self.memberLimit) ? [] : users
    }

    /// Returns the members whom a message mentions.
    func mentioned(in number: Int64) throws -> Set<UserID> {
        Set(try db.rows("SELECT user_id FROM addressed WHERE message = ?", [number]).map { $0.identifier(0) })
    }

    /// Returns the author of the message that is replied to, and then that of the first message of the thread.
    private func repliedAuthors(of message: Message, in conversation: Int64) throws -> [UserID] {
        var authors: [UserID] = []
        var next = message.replyToID ?? message.threadRootID
        var root = message.threadRootID
        for _ in 0..<Self.replyLimit {
            guard let id = next else { break }
            guard let row = try author(of: id, in: conversation) else {
                next = authors.isEmpty && id != message.threadRootID ? message.threadRootID : nil
                continue
            }
            if authors.isEmpty { authors.append(row.author) } else { authors = [authors[0], row.author] }
            root = row.root ?? root
            next = root == id ? nil : root ?? row.replyTo
        }
        return authors
    }

    private func author(
        of id: MessageID, in conversation: Int64
    ) throws -> (author: UserID, replyTo: MessageID?, root: MessageID?)? {
        guard MessageID(validating: id.rawValue) != nil else { return nil }
        return try db.row(
            """
            SELECT sender_id, reply_to_id, thread_root_id FROM messages
            WHERE conversation = ? AND id = ? AND deleted_at IS NULL
            """, [conversation, id.rawValue]
        ).map { row in
            (
                row.identifier(0), (row[1] as String?).map { MessageID(rawValue: $0) },
                (row[2] as String?).map { MessageID(rawValue: $0) }
            )
        }
    }

    /// Values: conversation, user.
    private static let membership = "SELECT 1 FROM members WHERE conversation = ? AND user_id = ? AND left_at IS NULL"

    /// Values: conversation, user.
    private static let preferences = "SELECT content FROM preferences WHERE conversation = ? AND user_id = ?"

    private func isMember(_ user: UserID, of conversation: Int64) throws -> Bool {
        try db.number(Self.membership, [conversation, user.rawValue]) != nil
    }

    private func level(_ row: SQLRow?, isDirect: Bool) throws -> NotificationLevel {
        level(try row.map { try JSONColumn.value($0[0]) } ?? .init(), isDirect: isDirect)
    }

    private func level(_ preferences: ConversationPreferences, isDirect: Bool) -> NotificationLevel {
        if preferences.isMuted { return .nothing }
        return preferences.notifications ?? (isDirect ? .all : .mentions)
    }
}

/// Action items.
extension NotificationRows {
    /// Tells a person of a task, unless the person took it on: by an edit, or in the message itself.
    ///
    /// - Parameters:
    ///   - item: The item as it is now.
    ///   - before: The item as it was; nil for a new one.
    ///   - recipient: The result of ``recipient(of:before:by:)``.
    ///   - change: The change of the item.
    ///   - moment: The present time.
    /// - Throws: Storage errors.
    func follow(
        _ item: ExtractedItem, before: ExtractedItem?, telling recipient: ItemRecipient?, change: Int64,
        at moment: Timestamp
    ) throws {
        guard item.kind == .actionItem else { return }
        if let before, before.personID != item.personID || !item.isOpen {
            try forget(item: item.id, change: change)
        } else if let before, before.text != item.text {
            try db.run("UPDATE notifications SET change = ? WHERE item = ?", [change, item.id.rawValue])
        }
        guard let recipient, let user = item.personID else { return }
        if recipient.hasRow {
            try remove("message = ?2 AND user_id = ?3", [recipient.message, user.rawValue], change: change)
        }
        try insert(
            .item, recipient.message, item: item.id, in: recipient.conversation, for: user, change: change, at: moment)
    }

    /// The message of a task of which its person is to be told.
    struct ItemRecipient {
        let message: Int64
        let conversation: Int64
        /// Whether the person has a weaker notification of the message.
        let hasRow: Bool
    }

    /// Returns the message if the person of an item is to be told of it.
    ///
    /// - Parameters:
    ///   - item: The item as it will be.
    ///   - before: The item as it is; nil for a new one.
    ///   - editor: The person who edits it; nil if it was extracted.
    /// - Returns: Nil if nobody is told.
    /// - Throws: Storage errors.
    func recipient(
        of item: ExtractedItem, before: ExtractedItem?, by editor: UserID?
    ) throws -> ItemRecipient? {
        guard item.kind == .actionItem, item.isOpen, let user = item.personID, user != before?.personID,
            user != editor, let row = try place(of: item)
        else { return nil }
        let preferences: ConversationPreferences = try (row[4] as String?).map { try JSONColumn.value($0) } ?? .init()
        let known: PersonalNotification.Kind? = try row.wordIfAny(3)
        // Below `nothing` the kind of conversation does not matter.
        guard editor != nil || row.identifier(2) != user, level(preferences, isDirect: false) != .nothing,
            known != .item
        else { return nil }
        return ItemRecipient(message: row[0], conversation: row[1], hasRow: known != nil)
    }

    /// Returns the row of ``place`` for an item with a person.
    func place(of item: ExtractedItem) throws -> SQLRow? {
        guard let user = item.personID, item.key.isPossible else { return nil }
        return try db.row(
            Self.place,
            [item.key.conversationID.rawValue, item.key.messageID.rawValue, user.rawValue, item.id.rawValue])
    }

    /// The message of an item, if its person is a present member: number, conversation, sender, the kind of the
    /// notification that the person has of this message for another reason, the person's preferences.
    ///
    /// Values: the conversation's id, the message's id, person, item.
    static let place = """
        SELECT m.number, m.conversation, m.sender_id, (
                SELECT n.kind FROM notifications n
                WHERE n.message = m.number AND n.user_id = ?3 AND (n.item IS NULL OR n.item <> ?4) LIMIT 1),
            (SELECT p.content FROM preferences p WHERE p.conversation = m.conversation AND p.user_id = ?3)
        FROM messages m CROSS JOIN members u ON u.conversation = m.conversation AND u.user_id = ?3
        WHERE m.conversation = (SELECT number FROM conversations WHERE id = ?1) AND m.id = ?2
            AND m.deleted_at IS NULL AND u.left_at IS NULL
        """

    /// Whether somebody has a notification of an item.
    func hasRow(of item: ItemID) throws -> Bool {
        try db.number("SELECT 1 FROM notifications WHERE item = ? LIMIT 1", [item.rawValue]) != nil
    }

    /// Removes the notifications of an item.
    func forget(item: ItemID, change: Int64) throws { try remove("item = ?2", [item.rawValue], change: change) }
}

extension ExtractedItem {
    fileprivate var isOpen: Bool { status == .open && !isDismissed }
}

extension PersonalNotification.Kind {
    /// Of several reasons to tell a person of a message, the one with the highest value counts.
    fileprivate var strength: Int {
        switch self {
        case .message: 0
        case .reply: 1
        case .mention: 2
        case .direct: 3
        case .answer: 4
        case .item: 5
        case .reminder: 6
        }
    }

    /// Whether a person with this choice for the conversation is notified.
    fileprivate func isTold(at level: NotificationLevel) -> Bool {
        switch level {
        case .all: true
        case .mentions: self != .direct && self != .message
        case .nothing: false
        }
    }
}
