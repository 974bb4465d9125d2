import ChatCore

/// The rows of `remote_files`, within one transaction.
struct RemoteFileRows {
    let db: any SQLSession

    /// Returns the files of a message that its source states, with what is known of those that the stored message has,
    /// too.
    static func known(_ attachments: [Message.Attachment], in stored: Message?) -> [Message.Attachment] {
        var count = 0
        return attachments.map { given in
            var file = given
            guard let id = given.remoteID else { return file }
            count += 1
            guard count <= FileLimits.perMessage else {
                // Only its name is kept.
                (file.remoteID, file.byteCount, file.name) = (nil, nil, FileName.cleaned(given.name))
                return file
            }
            let known = stored?.attachments.first { $0.remoteID == id }
            // A source may leave the name out at first.
            file.name = given.name.isEmpty ? known?.name ?? FileName.standard : FileName.cleaned(given.name)
            guard let known else {
                if file.reading == nil { file.reading = FileReading(.waiting) }
                return file
            }
            (file.id, file.content, file.reading) = (known.id, known.content, known.reading)
            if known.id != nil { (file.type, file.byteCount) = (known.type, known.byteCount) }
            return file
        }
    }

    /// Notes the files of a stored message that are not here.
    func add(_ message: Message, room: Int64, at moment: Timestamp) throws {
        let missing = message.attachments.filter { $0.id == nil && $0.remoteID != nil }
        guard !missing.isEmpty,
            let number = try db.number(
                "SELECT number FROM messages WHERE conversation = (SELECT number FROM conversations WHERE id = ?) AND id = ?",
                [message.key.conversationID.rawValue, message.key.messageID.rawValue])
        else { return }
        for file in missing {
            let isWaiting = file.reading?.state == .waiting
            try db.run(
                """
                INSERT INTO remote_files (room, message, remote_id, sent_at, problem, due_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (message, remote_id) DO NOTHING
                """,
                [
                    room, number, file.remoteID, message.timestamp.microseconds,
                    isWaiting ? nil : file.reading?.problem?.rawValue, isWaiting ? moment.microseconds : nil,
                ])
        }
    }

    /// Forgets the files that a message does not have any more, or that are here.
    func settle(_ message: Message, number: Int64) throws {
        try db.run(
            """
            DELETE FROM remote_files
            WHERE message = ?1 AND NOT (remote_id IN (SELECT value FROM json_each(?2, '$')))
            """, [number, message.missingFileIDs])
    }

    /// Values: source, a list of rooms, the present time.
    static let next = """
        SELECT r.room_id, c.id, m.id, f.remote_id, m.sender_id, m.attachments, f.failures
        FROM remote_files f CROSS JOIN connector_rooms r ON r.number = f.room
        CROSS JOIN messages m ON m.number = f.message CROSS JOIN conversations c ON c.number = m.conversation
        WHERE r.source = ?1 AND r.room_id IN (SELECT value FROM json_each(?2, '$')) AND f.due_at <= ?3
        ORDER BY f.sent_at DESC, f.number DESC LIMIT 1
        """

    /// Values: source, a list of rooms.
    static let nextTime = """
        SELECT MIN(f.due_at) FROM remote_files f JOIN connector_rooms r ON r.number = f.room
        WHERE r.source = ?1 AND r.room_id IN (SELECT value FROM json_each(?2, '$')) AND f.due_at IS NOT NULL
        """

    static func file(_ row: SQLRow) throws -> RemoteFile {
        let attachments: [Message.Attachment] = try JSONColumn.list(row[5])
        let file = attachments.first { $0.remoteID == row[3] }
        return RemoteFile(
            room: row[0], message: MessageKey(conversationID: row.identifier(1), messageID: row.identifier(2)),
            id: row[3], name: file?.name ?? FileName.standard, byteCount: file?.byteCount, ownerID: row.identifier(4),
            failureCount: row[6])
    }

    /// Forgets a file that its message does not wait for.
    func forget(_ file: RemoteFile, source: String) throws {
        try db.run(
            """
            DELETE FROM remote_files WHERE remote_id = ?1
                AND room = (SELECT number FROM connector_rooms WHERE source = ?2 AND room_id = ?3)
                AND message = (SELECT m.number FROM messages m JOIN conversations c ON c.number = m.conversation
                    WHERE c.id = ?4 AND m.id = ?5)
            """,
            [
                file.id, source, file.room, file.message.conversationID.rawValue,
                file.message.messageID.rawValue,
            ])
    }

    /// Returns the message of a file with the file's place, if it still waits for it.
    func message(of file: RemoteFile, source: String) throws -> (stored: StoredMessage, place: Int)? {
        guard let stored = try StoredMessage.find(file.message, in: db),
            let place = stored.message.attachments.firstIndex(where: { $0.remoteID == file.id && $0.id == nil }),
            try db.number(
                """
                SELECT 1 FROM remote_files f JOIN connector_rooms r ON r.number = f.room
                WHERE f.message = ? AND f.remote_id = ? AND r.source = ? AND r.room_id = ?
                """, [stored.number, file.id, source, file.room]) != nil
        else { return nil }
        return (stored, place)
    }
}

extension Message {
    /// The ids of files in their source that are not here.
    var missingFileIDs: [String] { attachments.filter { $0.id == nil }.compactMap(\.remoteID) }
}
