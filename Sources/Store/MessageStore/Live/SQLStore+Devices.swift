package import ChatCore

extension SQLStore: PushDeviceRepository {
    package func registerPushDevice(
        _ address: PushAddress, of user: UserID, session: AccountSession.ID?, newID: PushDevice.ID, at moment: Timestamp
    ) async throws -> (device: PushDevice, isNew: Bool)? {
        try await write { db in
            let rows = PushDeviceRows(db: db)
            if let session, try !rows.isOpen(session, of: user) { return nil }
            let (device, isNew) = try rows.register(address, of: user, newID: newID, at: moment)
            try db.run(
                "UPDATE push_devices SET session = ? WHERE id = ?", [session?.rawValue, device.id.rawValue])
            return (device, isNew)
        }
    }

    package func pushDevices(of user: UserID) async throws -> [PushDevice] {
        try await read { db in
            try db.rows(PushDeviceRows.selection + PushDeviceRows.ofUser, [user.rawValue])
                .map { try PushDeviceRows.registration($0).device }
        }
    }

    package func removePushDevice(_ id: PushDevice.ID, of user: UserID) async throws -> Bool {
        try await write { db in
            try db.run("DELETE FROM push_devices WHERE id = ? AND user_id = ?", [id.rawValue, user.rawValue])
            guard db.changedRowCount > 0 else { return false }
            try PushDeviceRows(db: db).log(user)
            return true
        }
    }

    package func endPushDevice(_ device: PushDevice, goneSince: Timestamp?) async throws -> Bool {
        try await write { db in
            guard let stored = try PushDeviceRows(db: db).registration(device.id)?.device else { return true }
            // Without a time the service speaks of the registration that was used.
            guard stored.isEnded(by: goneSince ?? device.registeredAt) else { return false }
            try db.run("DELETE FROM push_devices WHERE id = ?", [device.id.rawValue])
            try PushDeviceRows(db: db).log(stored.userID)
            return true
        }
    }

    package func pushRegistration(_ id: PushDevice.ID) async throws -> PushRegistration? {
        try await read { db in try PushDeviceRows(db: db).registration(id) }
    }

    package func pushRegistrations(of users: Set<UserID>?) async throws -> [PushRegistration] {
        try await read { db in
            guard let users else { return try db.rows(PushDeviceRows.selection).map(PushDeviceRows.registration) }
            return try users.sorted().flatMap { user in
                try db.rows(PushDeviceRows.selection + PushDeviceRows.ofUser, [user.rawValue])
                    .map(PushDeviceRows.registration)
            }
        }
    }

    package func setPushProgress(_ progress: PushProgress, of id: PushDevice.ID) async throws {
        try await write { db in
            try db.run(
                """
                UPDATE push_devices SET position = ?1, failures = ?2, tried_since = ?3, paused_until = ?4
                WHERE id = ?5 AND position <= ?1
                """,
                [
                    progress.number, progress.failureCount, progress.triedSince?.microseconds,
                    progress.pausedUntil?.microseconds, id.rawValue,
                ])
        }
    }

    package func advancePushDevices(_ ids: [PushDevice.ID], to number: Int64) async throws {
        guard !ids.isEmpty else { return }
        try await write { db in
            for id in ids {
                try db.run(
                    "UPDATE push_devices SET position = ?1 WHERE id = ?2 AND position < ?1", [number, id.rawValue])
            }
        }
    }

    package func pushFacts(of message: MessageKey, for user: UserID, at moment: Timestamp) async throws -> PushFacts {
        try await read { db in
            let arrived = try db.number(
                PushDeviceRows.arrival,
                [message.conversationID.rawValue, message.messageID.rawValue, user.rawValue])
            var reading = InboxReading(user, at: moment, in: db)
            return PushFacts(hasArrived: arrived != nil, unreadCount: try reading.unreadTotal())
        }
    }
}

/// Reads and changes the rows of devices, within one transaction.
struct PushDeviceRows {
    let db: any SQLSession

    static let selection = """
        SELECT id, user_id, address, registered_at, begun_at, position, failures, tried_since, paused_until
        FROM push_devices
        """

    static let ofUser = " WHERE user_id = ? ORDER BY registered_at DESC, id"

    /// Values: conversation, message, user.
    static let arrival = """
        SELECT 1 FROM conversations c JOIN messages m ON m.conversation = c.number AND m.id = ?2
        JOIN deliveries d ON d.user_id = ?3 WHERE c.id = ?1 AND m.arrival <= d.position
        """

    static func registration(_ row: SQLRow) throws -> PushRegistration {
        PushRegistration(
            device: PushDevice(
                id: row.identifier(0), userID: row.identifier(1), address: try JSONColumn.value(row[2]),
                registeredAt: row.moment(3)),
            begunAt: row.moment(4),
            progress: PushProgress(
                number: row[5], failureCount: row[6], triedSince: row.momentIfAny(7), pausedUntil: row.momentIfAny(8)))
    }

    func registration(_ id: PushDevice.ID) throws -> PushRegistration? {
        try db.row(Self.selection + " WHERE id = ?", [id.rawValue]).map(Self.registration)
    }

    func register(
        _ address: PushAddress, of user: UserID, newID: PushDevice.ID, at moment: Timestamp
    ) throws -> (device: PushDevice, isNew: Bool) {
        let known = try db.row(Self.selection + " WHERE destination = ?", [address.destination])
            .map(Self.registration)?.device
        let text = try JSONColumn.text(of: address)
        if let known, known.userID == user {
            let registeredAt = max(known.registeredAt, moment)
            try db.run(
                "UPDATE push_devices SET address = ?, registered_at = ? WHERE id = ?",
                [text, registeredAt.microseconds, known.id.rawValue])
            return (PushDevice(id: known.id, userID: user, address: address, registeredAt: registeredAt), false)
        }
        // Every position is the number of a notification that exists already, so none is lost that comes now.
        let position = try db.number("SELECT MAX(position) FROM push_devices") ?? 0
        if let known { try end(known.id, of: known.userID) }
        try db.run(
            """
            INSERT INTO push_devices (id, user_id, destination, address, registered_at, begun_at, position)
            VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)
            """,
            [newID.rawValue, user.rawValue, address.destination, text, moment.microseconds, position])
        try db.run(
            """
            DELETE FROM push_devices WHERE user_id = ?1 AND id <> ?2 AND id NOT IN (
                SELECT id FROM push_devices WHERE user_id = ?1 AND id <> ?2 ORDER BY registered_at DESC, id LIMIT ?3)
            """, [user.rawValue, newID.rawValue, PushDevice.countLimit - 1])
        try log(user)
        return (PushDevice(id: newID, userID: user, address: address, registeredAt: moment), true)
    }

    /// Whether a person has a session.
    func isOpen(_ session: AccountSession.ID, of user: UserID) throws -> Bool {
        try db.row(
            "SELECT 1 FROM account_sessions WHERE id = ? AND user_id = ?", [session.rawValue, user.rawValue]) != nil
    }

    /// Ends the registrations whose sessions have ended.
    func endWithSessions(of user: UserID) throws {
        try db.run(
            """
            DELETE FROM push_devices WHERE user_id = ?1 AND session IS NOT NULL
                AND session NOT IN (SELECT id FROM account_sessions WHERE user_id = ?1)
            """, [user.rawValue])
        if db.changedRowCount > 0 { try log(user) }
    }

    /// Ends all registrations of a person.
    func endAll(of user: UserID) throws {
        try db.run("DELETE FROM push_devices WHERE user_id = ?", [user.rawValue])
        if db.changedRowCount > 0 { try log(user) }
    }

    private func end(_ id: PushDevice.ID, of user: UserID) throws {
        try db.run("DELETE FROM push_devices WHERE id = ?", [id.rawValue])
        try log(user)
    }

    /// Lets the feed of a person say that the person's devices changed.
    func log(_ user: UserID) throws {
        try ChangeLog.append(.personal, user: user, to: db)
        try db.run(
            """
            INSERT INTO device_marks (user_id, change) VALUES (?, ?)
            ON CONFLICT (user_id) DO UPDATE SET change = excluded.change
            """,
            [user.rawValue, db.insertedNumber])
    }
}

extension InboxReading {
    /// Values: user, moment.
    static let unreadConversations = """
        SELECT m.conversation, m.read_seq, c.history <> 'all' FROM members m JOIN conversations c ON c.number = m.conversation
        WHERE m.user_id = ? AND (m.left_at IS NULL OR m.left_at > ?) AND c.head > m.read_seq
        """

    /// Returns the unread messages in all conversations of the person; at most ``InboxEntry/countLimit`` of each.
    mutating func unreadTotal() throws -> Int {
        var total = 0
        for row in try db.rows(Self.unreadConversations, [user.rawValue, moment.microseconds]) {
            total += try unread(in: row[0], after: row[1], isLimited: row[2]).count
        }
        return total
    }
}
