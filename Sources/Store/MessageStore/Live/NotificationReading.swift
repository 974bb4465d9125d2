import ChatCore

/// Reads notifications as their people may see them, within one read transaction.
struct NotificationReading {
    /// The most characters of a text.
    private static let textLength = 150

    let db: any SQLSession
    let moment: Timestamp
    private var readings: [UserID: MessageReading] = [:]

    init(_ db: any SQLSession, at moment: Timestamp) {
        self.db = db
        self.moment = moment
    }

    /// Values: the present time.
    ///
    /// The text is cut again in Swift, because SQLite may cut it within a character.
    private static let selection = """
        SELECT n.number, n.user_id, n.kind, c.id, m.id, n.seq, m.sender_id, m.sender_name,
            substr(COALESCE(i.text, m.text), 1, \(4 * textLength)), n.created_at, m.number, m.conversation, m.kind,
            m.timestamp, c.history <> 'all'
        FROM notifications n CROSS JOIN messages m ON m.number = n.message
        CROSS JOIN conversations c ON c.number = n.conversation LEFT JOIN items i ON i.id = n.item
        WHERE m.deleted_at IS NULL AND (EXISTS (
            SELECT 1 FROM members p WHERE p.conversation = n.conversation AND p.user_id = n.user_id
                AND (p.left_at IS NULL OR p.left_at > ?1))
            OR (n.kind = 'reminder' AND c.visibility = 'everyone'
                AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = n.user_id AND u.kind <> 'member')))

        """

    /// Values: the present time, the person, the number before which they end, the limit.
    static let newest = selection + "AND n.user_id = ?2 AND n.number < ?3 ORDER BY n.number DESC LIMIT ?4"

    /// Values: the present time, the last known number, the limit.
    static let following = selection + "AND n.number > ?2 ORDER BY n.number LIMIT ?3"

    /// Values: the present time, the person, the last known change, the last change, the limit.
    static let changed =
        selection + "AND n.user_id = ?2 AND n.change > ?3 AND n.change <= ?4 ORDER BY n.change, n.number LIMIT ?5"

    /// Returns the newest notifications of a person, newest first.
    mutating func newest(of user: UserID, limit: Int) throws -> [PersonalNotification] {
        var found: [PersonalNotification] = []
        var end = Int64.max
        while found.count < limit {
            let wanted = limit - found.count
            let rows = try db.rows(Self.newest, [moment.microseconds, user.rawValue, end, wanted])
            found += try visible(rows)
            guard let last = rows.last, rows.count == wanted else { break }
            end = last[0]
        }
        return found
    }

    /// Returns the notifications of all people after a number, and the last number that was looked at.
    mutating func following(_ number: Int64, limit: Int) throws -> (found: [PersonalNotification], last: Int64) {
        let rows = try db.rows(Self.following, [moment.microseconds, number, max(0, limit)])
        return (try visible(rows), rows.last.map { $0[0] } ?? number)
    }

    /// Returns a person's notifications that came or changed in a part of the log; nil if there are more than `limit`.
    mutating func changed(
        of user: UserID, after start: Int64, through end: Int64, limit: Int
    ) throws -> [PersonalNotification]? {
        let rows = try db.rows(Self.changed, [moment.microseconds, user.rawValue, start, end, limit + 1])
        guard rows.count <= limit else { return nil }
        return try visible(rows)
    }

    /// Returns the notifications whose messages their people may see.
    private mutating func visible(_ rows: [SQLRow]) throws -> [PersonalNotification] {
        let db = db
        return try db.together(rows) { try notification($0) }.compactMap(\.self)
    }

    private mutating func notification(_ row: SQLRow) throws -> PersonalNotification? {
        let user: UserID = row.identifier(1)
        let subject = MessageReading.Subject(
            number: row[10], timestamp: row.moment(13), isAnswer: row[12] == Message.Kind.assistant.rawValue)
        var reading = readings[user] ?? MessageReading(reader: user, moment: moment, db: db)
        defer { readings[user] = reading }
        guard try !reading.hides(subject, in: row[11], isLimited: row[14]) else { return nil }
        let text: String = row[8]
        return PersonalNotification(
            number: row[0], userID: user, kind: try row.word(2),
            message: MessageKey(conversationID: row.identifier(3), messageID: row.identifier(4)), seq: row[5],
            senderID: row.identifier(6), senderName: row[7], text: String(text.prefix(Self.textLength)),
            createdAt: row.moment(9))
    }
}

/// The personal part of the feed.
extension NotificationReading {
    private static let otherSettings = """
        SELECT 1 FROM personal_settings WHERE user_id = ? AND change > ? AND change <= ?
        """
    private static let otherDevices = "SELECT 1 FROM device_marks WHERE user_id = ? AND change > ? AND change <= ?"
    private static let otherScheduled = "SELECT 1 FROM scheduled_marks WHERE user_id = ? AND change > ? AND change <= ?"
    private static let reduction = "SELECT 1 FROM notification_marks WHERE user_id = ? AND change > ? AND change <= ?"

    /// Appends what changed for one person only: own settings, devices and notifications.
    ///
    /// `isReduced` says that the person may no longer see all notifications of before.
    mutating func append(
        of user: UserID, after start: Int64, through end: Int64, isReduced: Bool = false, to page: inout FeedPage
    ) throws {
        let values: [SQLArgument] = [user.rawValue, start, end]
        let (db, reading) = (db, self)
        try db.ahead(
            { _ = try db.number(Self.otherSettings, values) }, { _ = try db.number(Self.otherDevices, values) },
            { _ = try db.number(Self.otherScheduled, values) }, { _ = try db.number(Self.reduction, values) },
            { _ = try PersonalSettingsRows.settings(of: user, in: db) },
            {
                var reading = reading
                _ = try reading.changed(of: user, after: start, through: end, limit: NotificationEntry.limit)
            })
        let isOtherwise = try db.number(Self.otherSettings, values)
        if isOtherwise != nil {
            page.changes.append(.settings(try PersonalSettingsRows.settings(of: user, in: db)))
        }
        let hasOtherDevices = try db.number(Self.otherDevices, values)
        if hasOtherDevices != nil { page.changes.append(.devices) }
        if try db.number(Self.otherScheduled, values) != nil { page.changes.append(.scheduled) }
        let isMarked = try db.number(Self.reduction, values)
        if isMarked == nil, !isReduced,
            let changed = try changed(of: user, after: start, through: end, limit: NotificationEntry.limit)
        {
            guard !changed.isEmpty else { return }
            let settings = try PersonalSettingsRows.settings(of: user, in: db)
            page.changes += changed.map { .notification(NotificationEntry($0, settings: settings)) }
        } else {
            page.changes.append(.notifications(try entries(of: user)))
        }
    }

    /// Returns the newest notifications of a person as clients show them, newest first.
    mutating func entries(of user: UserID) throws -> [NotificationEntry] {
        let newest = try newest(of: user, limit: NotificationEntry.limit)
        guard !newest.isEmpty else { return [] }
        let settings = try PersonalSettingsRows.settings(of: user, in: db)
        return newest.map { NotificationEntry($0, settings: settings) }
    }
}

/// The rows of `personal_settings`.
enum PersonalSettingsRows {
    /// Returns the settings of a person; the standard ones for a person who set none.
    static func settings(of user: UserID, in db: any SQLSession) throws -> PersonalSettings {
        try find(user, in: db) ?? PersonalSettings()
    }

    static func find(_ user: UserID, in db: any SQLSession) throws -> PersonalSettings? {
        try db.row("SELECT content FROM personal_settings WHERE user_id = ?", [user.rawValue])
            .map { try JSONColumn.value($0[0]) }
    }

    /// Whether a person hides how far the person has read.
    static func hidesRead(_ user: UserID, in db: any SQLSession) throws -> Bool {
        try db.number("SELECT 1 FROM personal_settings WHERE user_id = ? AND hides_read = 1", [user.rawValue]) != nil
    }

    /// Changes the settings of a person, and returns them.
    static func change(
        of user: UserID, at moment: Timestamp, in db: any SQLSession, _ change: (inout PersonalSettings) -> Void
    ) throws -> PersonalSettings {
        let old = try settings(of: user, in: db)
        var settings = old
        change(&settings)
        if settings != old { try replace(old, by: settings, of: user, at: moment, in: db) }
        return settings
    }

    private static func replace(
        _ old: PersonalSettings, by settings: PersonalSettings, of user: UserID, at moment: Timestamp,
        in db: any SQLSession
    ) throws {
        try ChangeLog.append(.personal, user: user, to: db)
        let change = db.insertedNumber
        try db.run(
            """
            INSERT INTO personal_settings (user_id, content, hides_read, change) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET content = excluded.content, hides_read = excluded.hides_read,
                change = excluded.change
            """,
            [user.rawValue, try JSONColumn.text(of: settings), settings.hidesReadReceipts, change])
        if settings.timeZone != old.timeZone || settings.quietHours != old.quietHours {
            // Which notifications are quiet is another matter now.
            try NotificationRows(db: db).mark(user, change: change)
        }
        guard settings.hidesReadReceipts != old.hidesReadReceipts else { return }
        let scope = SearchScope(asker: user, conversations: .all)
        for conversation in try Permission.permitted(scope, at: moment, in: db) {
            let number = conversation.number.rawValue
            // Others see the person's receipt in another way, and the person sees all receipts in another way.
            if conversation.isMember { try ChangeLog.append(.receipt, conversation: number, user: user, to: db) }
            try ChangeLog.append(.personal, conversation: number, user: user, to: db)
        }
    }
}
