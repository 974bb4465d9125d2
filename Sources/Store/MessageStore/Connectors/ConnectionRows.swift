import ChatCore

/// The rows of `connections` and `connector_inbox` of one source, within one transaction.
struct ConnectionRows {
    /// How long the id of an event is known after it was taken; Slack sends an event again for some minutes.
    private static let memory = Duration.seconds(86_400)

    let source: String
    let db: any SQLSession

    /// What was decided.
    func decision() throws -> ConnectionDecision {
        guard
            let row = try db.row(
                "SELECT state, version, decided_at FROM connections WHERE source = ?", [source])
        else { return .first }
        return ConnectionDecision(
            state: ConnectionDecision.State(rawValue: row[0]) ?? .active, version: row[1],
            decidedAt: Timestamp(microseconds: row[2]))
    }

    /// Refuses what a connector read, unless the connection is active.
    ///
    /// - Throws: ``RepositoryError/conflict(_:)``.
    func requireActive() throws {
        let state = try decision().state
        guard state == .active else { throw RepositoryError.conflict("the connection is \(state.rawValue)") }
    }

    /// Notes a decision, and tells all nodes.
    func decide(_ state: ConnectionDecision.State, at moment: Timestamp) throws {
        try db.run(
            """
            INSERT INTO connections (source, state, version, decided_at) VALUES (?, ?, 1, ?)
            ON CONFLICT (source) DO UPDATE SET state = excluded.state, version = connections.version + 1,
                decided_at = excluded.decided_at
            """, [source, state.rawValue, moment.microseconds])
        try ChangeLog.append(.connections, to: db)
    }

    /// Keeps an event, and tells all nodes.
    func keep(_ event: String, _ body: String, at moment: Timestamp) throws {
        guard
            try db.number(
                "SELECT 1 FROM connector_inbox WHERE source = ? AND event_id = ?", [source, event]) == nil
        else { return }
        try db.run(
            "INSERT INTO connector_inbox (source, event_id, body, received_at) VALUES (?, ?, ?, ?)",
            [source, event, body, moment.microseconds])
        try ChangeLog.append(.connections, to: db)
    }

    /// Removes the body of an event, and events that were taken long ago.
    static func settle(_ number: Int64, at moment: Timestamp, in db: any SQLSession) throws {
        try db.run("UPDATE connector_inbox SET body = NULL WHERE number = ?", [number])
        let end = moment + (.zero - memory)
        try db.run(
            "DELETE FROM connector_inbox WHERE body IS NULL AND received_at < ?", [end.microseconds])
    }
}

extension ConnectionRows {
    /// Leaves out all rooms of a room's conversation, or takes them in; returns whether the room can be read.
    func setLeftOut(_ room: String, _ isLeftOut: Bool, at moment: Timestamp) throws -> Bool {
        let state = try decision().state
        guard state == .active || state == .paused else {
            throw RepositoryError.conflict("the connection is \(state.rawValue)")
        }
        guard
            let row = try db.row(
                """
                SELECT conversation_id, left_out_at IS NOT NULL FROM connector_rooms
                WHERE source = ? AND room_id = ? AND progress <> ?
                """, [source, room, ConnectorRoom.erasedProgress])
        else { return false }
        guard (row[1] as Bool) != isLeftOut else { return true }
        let conversation: ConversationID = row.identifier(0)
        try db.run(
            "UPDATE connector_rooms SET left_out_at = ? WHERE source = ? AND conversation_id = ?",
            [isLeftOut ? moment.microseconds : nil, source, conversation.rawValue])
        if isLeftOut, let stored = try ConversationWriter.Stored.find(conversation, in: db) {
            // Nexus does not hear any more who leaves.
            let roster = ConversationRoster(conversation: stored.conversation, members: [], listedAt: moment)
            _ = try ConversationWriter(db: db, moment: moment).store(roster, source: source, mode: .importing)
        }
        try decide(state, at: moment)
        return true
    }

    /// Whether the conversation belongs to rooms that are all left out.
    func isLeftOut(_ conversation: ConversationID) throws -> Bool {
        let row = try db.row(
            "SELECT COUNT(*), COUNT(left_out_at) FROM connector_rooms WHERE source = ? AND conversation_id = ?",
            [source, conversation.rawValue])
        guard let row else { return false }
        return (row[0] as Int) > 0 && (row[0] as Int) == (row[1] as Int)
    }

    /// The conversations of rooms that were not erased.
    func conversations() throws -> [ConversationID] {
        try db.rows(
            """
            SELECT DISTINCT conversation_id FROM connector_rooms WHERE source = ? AND progress <> ?
            ORDER BY conversation_id
            """, [source, ConnectorRoom.erasedProgress]
        ).map { $0.identifier(0) }
    }

    /// Marks rooms that were erased before as left out, which ``endDisconnecting()`` keeps; the others are read again if
    /// the source is connected again.
    func beginDisconnecting(at moment: Timestamp) throws {
        guard try decision().state != .disconnecting else { return }
        try db.run("UPDATE connector_rooms SET left_out_at = NULL WHERE source = ?", [source])
        try db.run(
            "UPDATE connector_rooms SET left_out_at = ? WHERE source = ? AND progress = ?",
            [moment.microseconds, source, ConnectorRoom.erasedProgress])
        try db.run("DELETE FROM connector_inbox WHERE source = ?", [source])
        try LinkRows(db: db, moment: moment).endAll(of: source)
        for table in ["source_addresses", "link_attempts"] {
            try db.run("DELETE FROM \(table) WHERE source = ?", [source])
        }
        try decide(.disconnecting, at: moment)
    }

    /// The people who have nothing else here.
    func peopleOnly() throws -> [UserID] {
        try db.rows(
            """
            SELECT DISTINCT i.user_id FROM identities i WHERE i.source = ?1
                AND NOT EXISTS (SELECT 1 FROM identities o WHERE o.user_id = i.user_id AND o.source <> ?1)
                AND i.user_id NOT IN (SELECT m.sender_id FROM messages m)
                AND NOT EXISTS (SELECT 1 FROM members p WHERE p.user_id = i.user_id)
                AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.asker_id = i.user_id)
                AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = i.user_id)
            ORDER BY i.user_id
            """, [source]
        ).map { $0.identifier(0) }
    }

    /// Removes rooms, names, and the marks of what was erased since disconnecting began.
    func removeRemains() throws {
        let decision = try decision()
        guard decision.state == .disconnecting, let begin = decision.decidedAt else { return }
        try AuditRows(db: db).forgetRooms(of: source)
        try db.run(
            """
            DELETE FROM tombstones WHERE deleted_at >= ?1 AND conversation_id IN (
                SELECT conversation_id FROM connector_rooms WHERE source = ?2 AND left_out_at IS NULL)
            """, [begin.microseconds, source])
        // Names of authors in imports stay with their messages.
        try db.run(
            """
            DELETE FROM identities WHERE source = ?1
                AND user_id NOT IN (SELECT m.sender_id FROM messages m WHERE m.source = ?1)
                AND NOT EXISTS (SELECT 1 FROM members p WHERE p.source = ?1 AND p.user_id = identities.user_id)
            """, [source])
        try db.run("DELETE FROM connector_rooms WHERE source = ? AND left_out_at IS NULL", [source])
        try db.run("DELETE FROM connector_inbox WHERE source = ?", [source])
    }

    func endDisconnecting(at moment: Timestamp) throws {
        if try decision().state == .disconnecting { try decide(.disconnected, at: moment) }
    }
}
