package import ChatCore

extension SQLStore: ConnectorRepository {
    /// Returns the rooms of a source.
    package func connectorRooms(of source: String) async throws -> [ConnectorRoom] {
        try await read { db in
            try db.rows(
                """
                SELECT r.room_id, r.conversation_id, r.progress, r.left_out_at IS NOT NULL, c.name
                FROM connector_rooms r LEFT JOIN conversations c ON c.id = r.conversation_id
                WHERE r.source = ? ORDER BY r.room_id
                """, [source]
            ).map {
                ConnectorRoom(
                    id: $0[0], conversationID: $0.identifier(1), progress: $0[2], isLeftOut: $0[3], name: $0[4])
            }
        }
    }

    /// Stores a room; the progress of one whose conversation was erased stays.
    package func store(_ room: ConnectorRoom, of source: String) async throws {
        try await write { db in
            try ConnectionRows(source: source, db: db).requireActive()
            try db.run(
                """
                INSERT INTO connector_rooms (source, room_id, conversation_id, progress) VALUES (?, ?, ?, ?)
                ON CONFLICT (source, room_id) DO UPDATE SET progress = excluded.progress
                    WHERE connector_rooms.progress <> ?
                """,
                [source, room.id, room.conversationID.rawValue, room.progress, ConnectorRoom.erasedProgress])
        }
    }

    /// Stores what was read of a room, in one transaction.
    package func take(_ page: ConnectorPage, at moment: Timestamp) async throws {
        let messages = page.messages.compactMap(\.message)
        if !messages.isEmpty { try await makeNames(for: messages, by: .server(defaultUser: nil), at: moment) }
        let hasDeleted = try await write { db in try ConnectorTaking(page: page, db: db, moment: moment).take() }
        // The write-ahead log still holds the deleted content.
        if hasDeleted { try? await checkpoint() }
    }

    /// Returns those of the events of a room that are known.
    package func connectorEvents(
        _ ids: [String], in room: String, of source: String
    ) async throws -> [String: ConnectorEvent] {
        try await read { db in
            try ConnectorTaking.number(of: room, source: source, in: db)
                .map { try ConnectorEventRows(db: db, room: $0).find(ids) } ?? [:]
        }
    }

    /// Returns the events with which an answer was sent.
    package func connectorEvents(
        of answer: MessageID, in room: String, of source: String
    ) async throws -> [ConnectorEvent] {
        try await read { db in
            try ConnectorTaking.number(of: room, source: source, in: db)
                .map { try ConnectorEventRows(db: db, room: $0).events(of: answer) } ?? []
        }
    }

    /// Returns the stored messages of a room that came from the source and are not deleted.
    package func connectorMessages(
        in room: String, of source: String, after last: String?, limit: Int
    ) async throws -> [MessageID] {
        try await read { db in
            try db.rows(
                """
                SELECT e.id FROM connector_rooms r JOIN connector_events e ON e.room = r.number
                JOIN conversations c ON c.id = r.conversation_id
                JOIN messages m ON m.conversation = c.number AND m.id = e.id
                WHERE r.source = ? AND r.room_id = ? AND e.kind = 'message' AND e.id > ? AND m.deleted_at IS NULL
                ORDER BY e.id LIMIT ?
                """, [source, room, last ?? "", limit]
            ).map { $0.identifier(0) }
        }
    }

    /// Returns the stored messages of a part of a room that came from the source and are not deleted.
    package func connectorMessages(
        in room: String, of source: String, inThread root: MessageID?, after first: String, before last: String
    ) async throws -> [ConnectorPlace] {
        // A message that came with an import has no event.
        let rows = """
            FROM connector_rooms r JOIN conversations c ON c.id = r.conversation_id
            JOIN messages m ON m.conversation = c.number AND m.deleted_at IS NULL
            JOIN connector_events e ON e.room = r.number AND e.id = m.id AND e.kind = 'message'
            WHERE r.source = ?1 AND r.room_id = ?2
            """
        return try await read { db in
            if let root {
                return try db.rows(
                    "SELECT m.id \(rows) AND m.thread_root_id = ?3 AND m.id > ?4 AND m.id < ?5",
                    [source, room, root.rawValue, first, last]
                ).map { ConnectorPlace(id: $0.identifier(0), threadRootID: root) }
            }
            let roots = try db.rows(
                "SELECT m.id \(rows) AND m.thread_root_id IS NULL AND m.id > ?3 AND m.id < ?4",
                [source, room, first, last]
            ).map { ConnectorPlace(id: $0.identifier(0), threadRootID: nil) }
            let replies = try db.rows(
                "SELECT m.id, m.thread_root_id \(rows) AND m.thread_root_id >= ?3 AND m.thread_root_id < ?4",
                [source, room, first, last]
            ).map { ConnectorPlace(id: $0.identifier(0), threadRootID: $0.identifier(1)) }
            return roots + replies
        }
    }

    /// Returns how many answers are still to be removed although that was tried at least twice.
    package func failedRemovalCount(of source: String) async throws -> Int {
        try await read { db in
            let count = try db.number(
                """
                SELECT COUNT(*) FROM mention_deliveries d JOIN messages m ON m.number = d.answer
                JOIN conversations c ON c.number = m.conversation
                WHERE d.due_at IS NOT NULL AND d.attempts > 2 AND (m.deleted_at IS NOT NULL OR m.edited_at IS NOT NULL)
                    AND EXISTS (SELECT 1 FROM connector_rooms r WHERE r.conversation_id = c.id AND r.source = ?)
                """, [source])
            return Int(count ?? 0)
        }
    }

    /// Returns how many events were read of each room.
    package func connectorCounts(of source: String) async throws -> [ConnectorCount] {
        try await read { db in
            try db.rows(
                """
                SELECT r.room_id, e.kind, COUNT(*) FROM connector_rooms r JOIN connector_events e ON e.room = r.number
                WHERE r.source = ? GROUP BY r.room_id, e.kind ORDER BY r.room_id, e.kind
                """, [source]
            ).map { ConnectorCount(room: $0[0], kind: try $0.word(1), count: $0[2]) }
        }
    }
}
