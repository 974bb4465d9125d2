package import ChatCore

extension SQLStore {
    /// Returns the next file to fetch, or the time at which there will be one.
    package func nextRemoteFile(
        of source: String, in rooms: [String], at moment: Timestamp
    ) async throws -> (file: RemoteFile?, nextAt: Timestamp?) {
        guard !rooms.isEmpty else { return (nil, nil) }
        return try await read { db in
            if let row = try db.row(RemoteFileRows.next, [source, rooms, moment.microseconds]) {
                return (try RemoteFileRows.file(row), nil)
            }
            let next = try db.number(RemoteFileRows.nextTime, [source, rooms])
            return (nil, next.map { Timestamp(microseconds: $0) })
        }
    }

    /// Stores a file that arrives from its source with its message.
    package func store<Content: AsyncSequence & Sendable>(
        _ file: RemoteFile, of source: String, as id: FileID, content: Content, limits: FileLimits, at moment: Timestamp
    ) async throws -> Bool where Content.Element == [UInt8] {
        var attached = limits
        // It has a message at once.
        (attached.unattachedCount, attached.unattachedBytes) = (.max, .max)
        let draft = FileDraft(id: id, ownerID: file.ownerID, name: file.name, moment: moment)
        do {
            _ = try await receive(draft, content: content, limits: attached) { rows, stored, text in
                let remote = RemoteFileRows(db: rows.db)
                // It was deleted meanwhile, or another node was faster.
                guard let found = try remote.message(of: file, source: source) else { throw FileError.noSuchFile(id) }
                let isWaiting = limits.reads(stored)
                try rows.insert(stored, of: draft, text: nil, isWaiting: isWaiting)
                var message = found.stored.message
                let given = message.attachments[found.place]
                var here = Message.Attachment(stored, content: nil, isWaiting: isWaiting)
                (here.remoteID, here.caption) = (given.remoteID, given.caption)
                message.attachments[found.place] = here
                let room = Message.textByteLimit - message.searchableText.utf8.count - 1
                let content = text.map { String($0.prefix(utf8Count: max(0, room))) }
                message.attachments[found.place].content = content?.isEmpty == true ? nil : content
                try MessageWriter(rows.db, at: moment).replace(found.stored, with: message)
            }
        } catch FileError.noSuchFile {
            try await write { db in
                let rows = RemoteFileRows(db: db)
                if try rows.message(of: file, source: source) == nil { try rows.forget(file, source: source) }
            }
            return false
        }
        return true
    }

    /// Notes with the message why a file could not be fetched.
    package func postpone(
        _ file: RemoteFile, of source: String, problem: FileReading.Problem, until later: Timestamp?,
        at moment: Timestamp
    ) async throws {
        try await write { db in
            let rows = RemoteFileRows(db: db)
            guard let (stored, place) = try rows.message(of: file, source: source) else {
                return try rows.forget(file, source: source)
            }
            try db.run(
                """
                UPDATE remote_files SET failures = failures + 1, problem = ?, due_at = ?
                WHERE message = ? AND remote_id = ?
                """, [problem.rawValue, later?.microseconds, stored.number, file.id])
            var message = stored.message
            message.attachments[place].reading = FileReading(later == nil ? .notFetched : .waiting, problem: problem)
            guard message != stored.message else { return }
            try MessageWriter(db, at: moment).replace(stored, with: message)
        }
    }

    /// Returns how many files of each room are not here.
    package func remoteFileCounts(of source: String) async throws -> [RemoteFileCount] {
        try await read { db in
            try db.rows(
                """
                SELECT r.room_id, f.due_at IS NOT NULL, f.problem, COUNT(*)
                FROM remote_files f JOIN connector_rooms r ON r.number = f.room
                WHERE r.source = ? GROUP BY r.room_id, f.due_at IS NOT NULL, f.problem
                ORDER BY r.room_id, f.due_at IS NOT NULL, f.problem
                """, [source]
            ).map { row in
                RemoteFileCount(
                    room: row[0], isWaiting: row[1],
                    problem: (row[2] as String?).flatMap { FileReading.Problem(rawValue: $0) }, count: row[3])
            }
        }
    }
}
