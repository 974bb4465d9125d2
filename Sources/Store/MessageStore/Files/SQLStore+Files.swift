package import ChatCore

extension SQLStore: FileRepository {
    /// Bytes that are collected before they are written, or a multiple of it.
    private static let pieceByteCount = FileLayout.pieceByteCount

    /// Inserts the row of a file whose bytes are here, with the words of a text file.
    typealias RowInsertion = @Sendable (_ rows: FileRows, _ file: StoredFile, _ text: String?) throws -> Void

    package func storeFile<Content: AsyncSequence & Sendable>(
        _ draft: FileDraft, content: Content, limits: FileLimits
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        try await receive(draft, content: content, limits: limits) { rows, file, text in
            try rows.insert(file, of: draft, text: text, isWaiting: limits.reads(file))
        }
    }

    /// Receives a file within the limits, and inserts its row.
    @concurrent func receive<Content: AsyncSequence & Sendable>(
        _ draft: FileDraft, content: Content, limits: FileLimits, insert: @escaping RowInsertion
    ) async throws -> StoredFile where Content.Element == [UInt8] {
        let id = draft.id
        guard id.isFileName else { throw RepositoryError.invalid(field: "id", reason: "cannot name a file") }
        try engine.checkWritable()
        let share =
            files.checksShares ? Int.max : limits.personBytes - (try await fileUse(of: draft.ownerID).byteCount)
        guard share > 0 else { throw FileError.shareFull(limit: limits.personBytes) }
        let arriving = try await files.begin(draft, limits)
        do {
            var upload = FileUpload()
            var pending: [UInt8] = []
            var pieces = content.makeAsyncIterator()
            while let piece = try await Self.next(&pieces) {
                let held = upload.byteCount + pending.count
                guard piece.count <= limits.fileBytes - held else { throw FileError.tooLarge(limit: limits.fileBytes) }
                guard piece.count <= share - held else { throw FileError.shareFull(limit: limits.personBytes) }
                pending += piece
                guard pending.count >= Self.pieceByteCount else { continue }
                let whole = pending.count - pending.count % Self.pieceByteCount
                let bytes = Array(pending.prefix(whole))
                pending.removeFirst(whole)
                upload.look(at: bytes)
                try await arriving.append(bytes)
            }
            upload.look(at: pending)
            try await arriving.append(pending)
            return try await keep(arriving, upload, of: draft, limits, insert)
        } catch {
            await arriving.abandon()
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

    /// Stores a file whose bytes have all arrived; a cancelled caller does not stop it between its two steps.
    private func keep(
        _ arriving: any ArrivingFile, _ upload: FileUpload, of draft: FileDraft, _ limits: FileLimits,
        _ insert: @escaping RowInsertion
    ) async throws -> StoredFile {
        let file = StoredFile(
            id: draft.id, name: FileName.cleaned(draft.name), mediaType: upload.mediaType,
            byteCount: upload.byteCount, sha256: upload.sha256)
        let text = upload.searchedText
        let authority = RequestAuthority.current
        try Task.checkCancellation()
        return try await withoutCancellation {
            try await arriving.keep { db, requireWhole in
                let confirm = try AuthorityRows(db: db).ask([authority])
                let rows = FileRows(db: db)
                try withoutActuallyEscaping(requireWhole) { requireWhole in
                    try db.ahead(
                        requireWhole, { _ = try db.number(FileRows.total) },
                        { _ = try rows.use(of: draft.ownerID) }, { _ = try rows.unattached(of: draft.ownerID) })
                }
                try requireWhole()
                let used = Int(try db.number(FileRows.total) ?? 0)
                guard file.byteCount <= limits.totalBytes - used else { throw FileError.folderFull }
                // Other files of the person may have arrived meanwhile.
                guard file.byteCount <= limits.personBytes - (try rows.use(of: draft.ownerID).byteCount) else {
                    throw FileError.shareFull(limit: limits.personBytes)
                }
                let others = try rows.unattached(of: draft.ownerID)
                guard limits.admits(file.byteCount, besides: others.count, of: others.byteCount) else {
                    throw FileError.tooManyUnattached(limits)
                }
                try insert(rows, file, text)
                try confirm()
            }
            return file
        }
    }

    package func fileUse(of owner: UserID) async throws -> FileUse {
        try await read { db in try FileRows(db: db).use(of: owner) }
    }

    package func largestFileUses(limit: Int) async throws -> [(owner: UserID, use: FileUse)] {
        try await read { db in
            try db.rows(FileRows.largestUses, [max(0, limit)])
                .map { ($0.identifier(0), FileUse(count: $0[1], byteCount: $0[2])) }
        }
    }

    package func file(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> (
        file: StoredFile, content: FileContent
    ) {
        guard id.isFileName, let file = try await visible(id, for: asker, at: moment) else {
            throw FileError.noSuchFile(id)
        }
        guard let content = try await files.content(of: id) else {
            // It may have been deleted in the meantime.
            guard try await visible(id, for: asker, at: moment) != nil else { throw FileError.noSuchFile(id) }
            throw RepositoryError.unavailable(reason: "the bytes of a file are missing")
        }
        return (file, content)
    }

    private func visible(_ id: FileID, for asker: UserID, at moment: Timestamp) async throws -> StoredFile? {
        try await read { db in try FileRows(db: db).file(id, for: asker, at: moment) }
    }

    package func removeUnattachedFile(_ id: FileID, of owner: UserID) async throws {
        try await write { db in
            let rows = try db.rows(
                "SELECT id FROM files WHERE id = ? AND owner_id = ? AND message IS NULL", [id.rawValue, owner.rawValue])
            guard !rows.isEmpty else { throw FileError.noSuchFile(id) }
            try FileRows(db: db).remove(id)
        }
    }

    package func removeUnattachedFiles(before moment: Timestamp) async throws -> Int {
        try await files.removeLeftovers(before: moment)
        return try await write { db in
            let rows = try db.rows(
                "SELECT id FROM files WHERE message IS NULL AND uploaded_at < ?", [moment.microseconds])
            for row in rows { try FileRows(db: db).remove(row.identifier(0)) }
            return rows.count
        }
    }

    /// Counts stored files, and those whose bytes are missing or not as many as noted.
    func auditFiles() async throws -> (count: Int, damagedCount: Int) {
        let named = try await read { db in
            try db.rows("SELECT \(FileRows.columns) FROM files").map(FileRows.file)
        }
        let damaged = try await files.damaged(among: named)
        // Files that were deleted in the meantime are not damaged.
        let damagedCount = try await read { db in
            try damaged.count { try db.number("SELECT 1 FROM files WHERE id = ?", [$0.rawValue]) != nil }
        }
        return (named.count, damagedCount)
    }
}
