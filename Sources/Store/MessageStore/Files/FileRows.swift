package import ChatCore

/// The rows of `files`, within one transaction.
package struct FileRows {
    let db: any SQLSession

    package init(db: any SQLSession) { self.db = db }

    package static let columns = "id, name, media_type, byte_count, sha256"

    /// The bytes of all files.
    package static let total = "SELECT COALESCE(SUM(byte_count), 0) FROM files"

    /// Values: the owner.
    package static let unattached = """
        SELECT COUNT(*), COALESCE(SUM(byte_count), 0) FROM files WHERE owner_id = ? AND message IS NULL
        """

    /// Value: the owner.
    package static let use = "SELECT COUNT(*), COALESCE(SUM(byte_count), 0) FROM files WHERE owner_id = ?"

    /// Value: the limit.
    static let largestUses = """
        SELECT owner_id, COUNT(*), SUM(byte_count) FROM files WHERE owner_id <> ''
        GROUP BY owner_id ORDER BY SUM(byte_count) DESC, owner_id LIMIT ?
        """

    /// Returns the files that a person uploaded.
    func use(of owner: UserID) throws -> FileUse {
        guard let row = try db.row(Self.use, [owner.rawValue]) else { return FileUse() }
        return FileUse(count: row[0], byteCount: row[1])
    }

    /// Returns the files of a person that no message has.
    package func unattached(of owner: UserID) throws -> LooseFiles {
        guard let row = try db.row(Self.unattached, [owner.rawValue]) else { return LooseFiles() }
        return LooseFiles(count: row[0], byteCount: row[1])
    }

    package static func file(_ row: SQLRow) throws -> StoredFile {
        StoredFile(
            id: row.identifier(0), name: row[1], mediaType: try row.word(2), byteCount: row[3], sha256: row[4])
    }

    /// - Parameters:
    ///   - file: The file.
    ///   - draft: Its owner, and the present time.
    ///   - text: The words of a text file.
    ///   - isWaiting: Whether its words are read once a message has it.
    /// - Throws: Storage errors.
    func insert(_ file: StoredFile, of draft: FileDraft, text: String?, isWaiting: Bool) throws {
        try db.run(
            """
            INSERT INTO files (id, owner_id, name, media_type, byte_count, sha256, uploaded_at, text, reading_tries)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                file.id.rawValue, draft.ownerID.rawValue, file.name, file.mediaType.rawValue, file.byteCount,
                file.sha256, draft.moment.microseconds, text, isWaiting ? 0 : nil,
            ])
    }

    /// Returns a file that the asker may read: one of a readable message, or the asker's own file without a message.
    package func file(_ id: FileID, for asker: UserID, at moment: Timestamp) throws -> StoredFile? {
        guard
            let row = try db.row("SELECT \(Self.columns), owner_id, message FROM files WHERE id = ?", [id.rawValue])
        else { return nil }
        let file = try Self.file(row)
        guard let message = row[6] as Int64? else { return row.identifier(5) == asker ? file : nil }
        let scope = SearchScope(asker: asker, conversations: .all)
        guard let stored = try db.row(StoredMessage.byNumber, [message]).map(StoredMessage.init),
            stored.message.deletedAt == nil
        else { return nil }
        guard try Permission.permits(stored.conversation, scope, at: moment, in: db) else { return nil }
        var reading = MessageReading(reader: asker, moment: moment, db: db)
        return try reading.hides(stored) ? nil : file
    }

    /// Returns a message whose attachments describe the files that they name.
    ///
    /// - Parameters:
    ///   - message: The message; its attachments name files by id.
    ///   - owners: The ids of its sender.
    ///   - existing: The message as it is stored; nil for a new one.
    /// - Returns: The message with names, types, sizes and words of its files.
    /// - Throws: ``RepositoryError/invalid(field:reason:)`` for a file that is not the sender's or has a message.
    func described(_ message: Message, owners: [UserID], existing: Message?) throws -> Message {
        let ids = message.fileIDs
        guard !ids.isEmpty else { return message }
        guard ids.count <= FileLimits.perMessage else { throw Self.invalid("must name at most 10 files") }
        guard Set(ids).count == ids.count else { throw Self.invalid("must name each file once") }
        let known = existing?.attachments ?? []
        var described = message
        // Text and captions are within this limit; a text file gets what they leave.
        var room = Message.textByteLimit - message.text.utf8.count
        for caption in message.attachments.compactMap(\.caption) { room -= caption.utf8.count }
        try db.ahead(ids) { _ = try unattached($0) }
        for (place, attachment) in message.attachments.enumerated() {
            guard let id = attachment.id else { continue }
            if var known = known.first(where: { $0.id == id }) {
                // A source may change what it says of a file.
                if attachment.remoteID != nil { (known.name, known.caption) = (attachment.name, attachment.caption) }
                described.attachments[place] = known
                room -= known.content?.utf8.count ?? 0
                continue
            }
            guard
                let row = try unattached(id), owners.contains(row.identifier(5))
            else { throw Self.invalid("must name files that the sender uploaded and no message has") }
            let content = (row[6] as String?).map { String($0.prefix(utf8Count: room)) }
            room -= content?.utf8.count ?? 0
            described.attachments[place] = Message.Attachment(
                try Self.file(row), content: content?.isEmpty == true ? nil : content,
                isWaiting: row[7] as Int64? != nil)
        }
        return described
    }

    /// Returns a stored message with other files; attachments without an id stay.
    ///
    /// - Parameters:
    ///   - ids: All files that it has from now on.
    ///   - message: The message, perhaps with another text.
    ///   - stored: The message as it is stored.
    /// - Returns: The message with names, types, sizes and words of its files.
    /// - Throws: As ``described(_:owners:existing:)``.
    func attach(_ ids: [FileID], to message: Message, of stored: StoredMessage) throws -> Message {
        let author = try db.row("SELECT author_id FROM messages WHERE number = ?", [stored.number])
        var message = message
        message.attachments = message.attachments.filter { $0.id == nil } + ids.map { Message.Attachment(file: $0) }
        let owners = [author?.identifier(0), message.senderID].compactMap(\.self)
        return try described(message, owners: owners, existing: stored.message)
    }

    private func unattached(_ id: FileID) throws -> SQLRow? {
        try db.row(
            "SELECT \(Self.columns), owner_id, text, reading_tries FROM files WHERE id = ? AND message IS NULL",
            [id.rawValue])
    }

    private static func invalid(_ reason: String) -> RepositoryError {
        .invalid(field: "attachments", reason: reason)
    }

    /// Returns the files of a message.
    static func ids(of message: Int64, in db: any SQLSession) throws -> [FileID] {
        try db.rows("SELECT id FROM files WHERE message = ?", [message]).map { $0.identifier(0) }
    }

    /// Makes the files of a stored message those that its attachments name; others that it had are removed.
    func settle(_ message: Message, number: Int64) throws {
        let wanted = message.fileIDs
        let present = try Self.ids(of: number, in: db)
        for id in present where !wanted.contains(id) { try remove(id) }
        for id in wanted where !present.contains(id) {
            try db.run(
                "UPDATE files SET message = ?, text = NULL WHERE id = ? AND message IS NULL", [number, id.rawValue])
        }
    }

    /// Removes the row of a file, and its bytes: those in a folder after the transaction.
    func remove(_ id: FileID) throws {
        try db.removeBytes(of: id)
        try db.run("DELETE FROM files WHERE id = ?", [id.rawValue])
    }

    /// Removes what a user uploaded and no message has, and forgets who uploaded the rest.
    func forget(_ user: String) throws {
        for row in try db.rows("SELECT id FROM files WHERE owner_id = ? AND message IS NULL", [user]) {
            try remove(row.identifier(0))
        }
        try db.removeArrivingFiles(of: user)
        try db.run("UPDATE files SET owner_id = '' WHERE owner_id = ?", [user])
    }
}
