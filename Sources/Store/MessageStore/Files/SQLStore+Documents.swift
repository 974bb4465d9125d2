package import ChatCore

/// A file of a message whose words are waited for.
package struct WaitingDocument: Hashable, Sendable {
    /// The file.
    package let id: FileID
    /// How often its reading was begun before, by this or another process.
    package let tries: Int

    package init(id: FileID, tries: Int) {
        self.id = id
        self.tries = tries
    }
}

extension SQLStore {
    /// Begins to read the next file whose words are waited for: those that were begun least often first.
    ///
    /// - Parameter unreadable: Files of these types keep waiting, because there is no reader for them.
    /// - Returns: The file; nil if there is none.
    /// - Throws: ``RepositoryError``.
    package func beginDocument(besides unreadable: Set<MediaType> = []) async throws -> WaitingDocument? {
        let next = """
            SELECT id, reading_tries, number FROM files
            WHERE reading_tries IS NOT NULL AND message IS NOT NULL
                AND NOT (media_type IN (SELECT value FROM json_each(?1, '$')))
            ORDER BY reading_tries, number LIMIT 1
            """
        let types = unreadable.map(\.rawValue).sorted()
        // Most of the time nothing waits, and reading keeps nobody waiting.
        guard try await read({ db in try db.row(next, [types]) }) != nil else { return nil }
        return try await write { db in
            guard let row = try db.row(next, [types]) else { return nil }
            try db.run("UPDATE files SET reading_tries = reading_tries + 1 WHERE number = ?", [row[2] as Int64])
            return WaitingDocument(id: row.identifier(0), tries: row[1])
        }
    }

    /// Takes back ``beginDocument(besides:)``: the file waits as before.
    package func releaseDocument(_ id: FileID) async throws {
        try await write { db in
            try db.run(
                "UPDATE files SET reading_tries = reading_tries - 1 WHERE id = ? AND reading_tries > 0", [id.rawValue])
        }
    }

    /// Returns the bytes of a file that is read; nil if it is gone.
    package func documentContent(of id: FileID) async throws -> FileContent? { try await files.content(of: id) }

    /// Stores the words of a file with its message: passages, vectors and indexes follow as they do after an edit.
    ///
    /// It is no edit: answers that are based on the message stay, and nobody is notified.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - reading: The state of the file; nil if it is no document.
    ///   - content: Its words, cut to what the texts of a message may have together.
    ///   - moment: The present time.
    /// - Returns: Whether the file still has a message.
    /// - Throws: ``RepositoryError``.
    package func endDocument(
        _ id: FileID, reading: FileReading?, content: String?, at moment: Timestamp
    ) async throws -> Bool {
        try await write { db in
            guard let row = try db.row("SELECT message FROM files WHERE id = ?", [id.rawValue]),
                let number = row[0] as Int64?,
                let stored = try db.row(StoredMessage.byNumber, [number]).map(StoredMessage.init)
            else { return false }
            try db.run("UPDATE files SET reading_tries = NULL WHERE id = ?", [id.rawValue])
            var message = stored.message
            guard let place = message.attachments.firstIndex(where: { $0.id == id }) else { return false }
            message.attachments[place].reading = reading
            message.attachments[place].content = nil
            let room = Message.textByteLimit - message.searchableText.utf8.count - 1
            if let content, !content.isEmpty {
                let kept = String(content.prefix(utf8Count: max(0, room)))
                message.attachments[place].content = kept.isEmpty ? nil : kept
                if kept.utf8.count < content.utf8.count { message.attachments[place].reading?.isCut = true }
            }
            guard message != stored.message else { return true }
            try MessageWriter.prepare(message.key, in: db)
            try MessageWriter(db, at: moment).replace(stored, with: message)
            return true
        }
    }
}
