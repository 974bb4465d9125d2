public import ChatCore
import Glibc

extension SQLStore: FileRepository {
    /// Bytes that are collected before they are written.
    private static let pieceByteCount = 256 * 1024

    @concurrent public func storeFile<Content: AsyncSequence & Sendable>(
        _ draft: FileDraft, content: Content, limits: FileLimits
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        let id = draft.id
        guard FileFolder.isUsable(id) else { throw RepositoryError.invalid(field: "id", reason: "cannot name a file") }
        try engine.checkWritable()
        let owner = draft.ownerID
        let (total, known) = try await read { db in
            (Int(try db.number(FileRows.total) ?? 0), try FileRows(db: db).unattached(of: owner))
        }
        try files.begin(of: owner, having: known, limits)
        var takenCount = 0
        defer { files.end(takenCount, of: owner) }
        let descriptor = try await onOwnThread { [files] in try files.create(id) }
        defer { Glibc.close(descriptor) }
        do {
            var upload = FileUpload(descriptor)
            var pending: [UInt8] = []
            var pieces = content.makeAsyncIterator()
            while let piece = try await Self.next(&pieces) {
                guard piece.count <= limits.fileBytes - upload.byteCount - pending.count else {
                    throw FileError.tooLarge(limit: limits.fileBytes)
                }
                try files.take(
                    piece.count, of: owner, having: known, upTo: limits.totalBytes - total, limits)
                takenCount += piece.count
                pending += piece
                guard pending.count >= Self.pieceByteCount else { continue }
                upload = try await Self.written(pending, to: upload)
                pending = []
            }
            upload = try await Self.written(pending, to: upload)
            return try await keep(upload, of: draft, limits)
        } catch {
            await onOwnThread { [files] in files.removeArriving(id) }
            throw error
        }
    }

    /// Returns the next bytes; an error of the sender is ``FileError/interrupted``.
    private static func next<Pieces: AsyncIteratorProtocol>(
        _ pieces: inout Pieces
    ) async throws -> [UInt8]? where Pieces.Element == [UInt8] {
        do {
            return try await pieces.next(isolation: #isolation)
        } catch let error as CancellationError {
            throw error
        } catch let error as FileError {
            throw error
        } catch {
            throw FileError.interrupted
        }
    }

    private static func written(_ bytes: [UInt8], to upload: FileUpload) async throws -> FileUpload {
        try await onOwnThread {
            var upload = upload
            try upload.write(bytes)
            return upload
        }
    }

    /// Stores a file whose bytes have all arrived; a cancelled caller does not stop it between its two steps.
    private func keep(_ upload: FileUpload, of draft: FileDraft, _ limits: FileLimits) async throws -> StoredFile {
        let file = StoredFile(
            id: draft.id, name: FileName.cleaned(draft.name), mediaType: upload.mediaType,
            byteCount: upload.byteCount, sha256: upload.sha256)
        let text = upload.searchedText
        try Task.checkCancellation()
        return try await withoutCancellation { [self] in
            try await onOwnThread { [files] in
                try upload.synchronise()
                try files.keep(file.id)
            }
            do {
                try await write { db in
                    let used = Int(try db.number(FileRows.total) ?? 0)
                    guard file.byteCount <= limits.totalBytes - used else { throw FileError.folderFull }
                    // Other files of the person may have arrived meanwhile.
                    let rows = FileRows(db: db)
                    let others = try rows.unattached(of: draft.ownerID)
                    guard limits.admits(file.byteCount, besides: others.count, of: others.byteCount) else {
                        throw FileError.tooManyUnattached(limits)
                    }
                    try rows.insert(file, of: draft, text: text)
                }
            } catch {
                await onOwnThread { [files] in _ = files.remove(file.id) }
                throw error
            }
            return file
        }
    }

    public func file(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> (
        file: StoredFile, content: FileContent
    ) {
        guard FileFolder.isUsable(id), let file = try await visible(id, for: asker, at: moment) else {
            throw FileError.noSuchFile(id)
        }
        guard let opened = await onOwnThread({ [files] in OpenStoredFile(files.path(of: id)) }) else {
            // It may have been deleted in the meantime.
            guard try await visible(id, for: asker, at: moment) != nil else { throw FileError.noSuchFile(id) }
            throw RepositoryError.unavailable(reason: "the bytes of a file are missing")
        }
        return (
            file,
            FileContent { offset, count in
                try await onOwnThread { try opened.bytes(from: offset, count: count) }
            }
        )
    }

    private func visible(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> StoredFile? {
        try await read { db in try FileRows(db: db).file(id, for: asker, at: moment) }
    }

    public func edit(
        _ key: MessageKey, text: String?, files ids: [FileID], at moment: Timestamp
    ) async throws -> Message {
        try await write { db in
            guard let stored = try StoredMessage.find(key, in: db), stored.message.deletedAt == nil,
                let author = try db.row("SELECT author_id FROM messages WHERE number = ?", [stored.number])
            else { throw RepositoryError.noSuchMessage(key) }
            var message = stored.message
            if let text { message.text = text }
            message.attachments =
                message.attachments.filter { $0.id == nil } + ids.map { Message.Attachment(file: $0) }
            message = try FileRows(db: db).described(
                message, owners: [author.identifier(0), message.senderID], existing: stored.message)
            guard message != stored.message else { return message }
            guard !message.attachments.isEmpty || message.text.contains(where: { !$0.isWhitespace }) else {
                throw RepositoryError.invalid(field: "text", reason: "must not be empty")
            }
            try StoreRules.check(edited: message)
            message.editedAt = moment
            try MessageWriter(db, at: moment).replace(stored, with: message)
            return message
        }
    }

    public func removeUnattachedFile(_ id: FileID, of owner: UserID) async throws {
        try await write { db in
            let rows = try db.rows(
                "SELECT id FROM files WHERE id = ? AND owner_id = ? AND message IS NULL", [id.rawValue, owner.rawValue])
            guard !rows.isEmpty else { throw FileError.noSuchFile(id) }
            try FileRows(db: db).remove(id)
        }
    }

    public func removeUnattachedFiles(before moment: Timestamp) async throws -> Int {
        try await write { db in
            let rows = try db.rows(
                "SELECT id FROM files WHERE message IS NULL AND uploaded_at < ?", [moment.microseconds])
            for row in rows { try FileRows(db: db).remove(row.identifier(0)) }
            return rows.count
        }
    }
}

extension SQLStore {
    /// Deletes the bytes of removed files; if that fails, the next call that writes, or the next start, tries again.
    func removeBytes() async {
        do {
            let ids: [FileID] = try await read { db in
                try db.rows("SELECT id FROM removed_files").map { $0.identifier(0) }
            }
            guard !ids.isEmpty else { return }
            let gone = await onOwnThread { [files] in ids.filter { files.remove($0) } }
            try await write { db in
                for id in gone { try db.run("DELETE FROM removed_files WHERE id = ?", [id.rawValue]) }
            }
        } catch {
            files.noteRemoved()
        }
    }

    /// Deletes what an interrupted upload or deletion left in the folder of files.
    func tidyFiles() async {
        guard engine.trouble == nil else { return }
        let known = try? await read { db in
            Set(try db.rows("SELECT id FROM files UNION ALL SELECT id FROM removed_files").map { $0[0] as String })
        }
        guard let known else { return }
        await onOwnThread { [files] in files.tidy(known.contains) }
        await removeBytes()
    }

    /// Counts stored files, and those whose bytes are missing or not as many as noted.
    func auditFiles() async throws -> (count: Int, damagedCount: Int) {
        let named = try await read { db in
            try db.rows("SELECT \(FileRows.columns) FROM files").map(FileRows.file)
        }
        let damaged = await onOwnThread { [files] in
            named.filter { OpenStoredFile(files.path(of: $0.id))?.byteCount != $0.byteCount }.map(\.id)
        }
        // Files that were deleted in the meantime are not damaged.
        let damagedCount = try await read { db in
            try damaged.count { try db.number("SELECT 1 FROM files WHERE id = ?", [$0.rawValue]) != nil }
        }
        return (named.count, damagedCount)
    }
}
