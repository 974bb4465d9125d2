import ChatCore
import Foundation
import MessageStore

/// The rows of `file_bytes` and `arriving_files` in PostgreSQL, within one transaction.
///
/// A file is in `arriving_files` until its row is inserted. Its bytes are in pieces, each under the number of the bytes
/// before it. Every node may count the files that arrive at others, and later remove them.
struct FilePieceRows {
    /// The time of the database, in microseconds: the clocks of the nodes may differ.
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// Microseconds without a piece after which an arriving file does not count, because its node may have ended.
    private static let silence = 3_600_000_000

    let db: any SQLSession

    /// Values: the owner.
    private static let arriving = """
        SELECT COUNT(*) FILTER (WHERE owner_id = ?1), COALESCE(SUM(byte_count) FILTER (WHERE owner_id = ?1), 0),
            COALESCE(SUM(byte_count), 0)
        FROM arriving_files WHERE heard_at > \(now) - \(silence)
        """

    /// Values: the file, the place of the first byte, and the number of bytes.
    private static let part = """
        SELECT substring(bytes FROM (?2 - place + 1)::int FOR ?3::int) FROM file_bytes
        WHERE file_id = ?1 AND place <= ?2 ORDER BY place DESC LIMIT 1
        """

    /// What is known of an owner's other files when a file begins to arrive.
    struct Begun {
        /// The files that no message has.
        let loose: LooseFiles
        /// The bytes that all arriving files may have.
        let room: Int
        /// The bytes that the file may have.
        let share: Int
    }

    /// Begins a file that arrives, with its first bytes.
    ///
    /// - Returns: What its other bytes are compared with.
    /// - Throws: ``FileError``, ``RepositoryError/unavailable(reason:)``.
    func begin(_ draft: FileDraft, with bytes: [UInt8], _ limits: FileLimits) throws -> Begun {
        try lock(draft.ownerID)
        let owner: [SQLArgument] = [draft.ownerID.rawValue]
        let found = try db.rows([
            SQLStatement(Self.beginning, [draft.id.rawValue, draft.ownerID.rawValue, bytes.count]),
            SQLStatement(FileRows.unattached, owner), SQLStatement(FileRows.use, owner),
            SQLStatement(FileRows.total), SQLStatement(Self.arriving, owner),
        ])
        guard let loose = found[1].first, let use = found[2].first, let total = found[3].first,
            let arriving = found[4].first
        else { throw RepositoryError.unavailable(reason: "the files could not be counted") }
        let begun = Begun(
            loose: LooseFiles(count: loose[0], byteCount: loose[1]), room: limits.totalBytes - total[0],
            share: limits.personBytes - use[1])
        guard begun.share > 0 else { throw FileError.shareFull(limit: limits.personBytes) }
        let (own, all) = Self.arriving(arriving)
        // The file itself is among those that arrive.
        guard
            limits.admits(
                0, besides: begun.loose.count + own.count - 1, of: begun.loose.byteCount + own.byteCount - bytes.count)
        else { throw FileError.tooManyUnattached(limits) }
        guard !found[0].isEmpty else { throw RepositoryError.unavailable(reason: "a file with this id exists") }
        try check(bytes, at: 0, own: own, all: all, begun, limits)
        try insert(bytes, of: draft.id, at: 0)
        return begun
    }

    /// Values: the file, the owner, the number of its first bytes.
    private static let beginning = """
        INSERT INTO arriving_files (id, owner_id, byte_count, heard_at)
        SELECT ?1, ?2, ?3::bigint, \(now) WHERE NOT EXISTS (SELECT 1 FROM files WHERE id = ?1)
        ON CONFLICT DO NOTHING RETURNING 1
        """

    /// Values: the file, the number of bytes that it has, the number of further ones.
    private static let growth = """
        UPDATE arriving_files SET byte_count = byte_count + ?3, heard_at = \(now)
        WHERE id = ?1 AND byte_count = ?2 RETURNING 1
        """

    /// Appends bytes to an arriving file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - draft: The file.
    ///   - offset: The bytes that it has.
    ///   - limits: The limits of all files.
    ///   - begun: The result of ``begin(_:with:_:)``.
    /// - Throws: ``FileError``.
    func append(_ bytes: [UInt8], to draft: FileDraft, at offset: Int, _ limits: FileLimits, begun: Begun) throws {
        try lock(draft.ownerID)
        let found = try db.rows([
            SQLStatement(Self.growth, [draft.id.rawValue, offset, bytes.count]),
            SQLStatement(Self.arriving, [draft.ownerID.rawValue]),
        ])
        guard !found[0].isEmpty, let arriving = found[1].first else { throw FileError.interrupted }
        let (own, all) = Self.arriving(arriving)
        try check(bytes, at: offset, own: own, all: all, begun, limits)
        try insert(bytes, of: draft.id, at: offset)
    }

    /// Compares the files that arrive, these bytes included, with the limits.
    private func check(
        _ bytes: [UInt8], at offset: Int, own: LooseFiles, all: Int, _ begun: Begun, _ limits: FileLimits
    ) throws {
        guard bytes.count <= begun.share - offset else { throw FileError.shareFull(limit: limits.personBytes) }
        guard all <= begun.room else { throw FileError.folderFull }
        guard own.byteCount <= limits.unattachedBytes - begun.loose.byteCount else {
            throw FileError.tooManyUnattached(limits)
        }
    }

    /// Inserts pieces of a file after the first `offset` bytes.
    func insert(_ bytes: [UInt8], of id: FileID, at offset: Int) throws {
        for start in stride(from: 0, to: bytes.count, by: FileLayout.pieceByteCount) {
            let piece = Data(bytes[start...].prefix(FileLayout.pieceByteCount))
            try db.run(
                "INSERT INTO file_bytes (file_id, place, bytes) VALUES (?, ?, ?)", [id.rawValue, offset + start, piece])
        }
    }

    /// Makes transactions of all nodes wait if they count arriving files of the same person.
    private func lock(_ owner: UserID) throws {
        try db.run("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [owner.rawValue])
    }

    /// Returns the arriving files of a person, and the bytes of all that arrive, from a row of ``arriving``.
    private static func arriving(_ row: SQLRow) -> (own: LooseFiles, all: Int) {
        (LooseFiles(count: row[0], byteCount: row[1]), row[2])
    }

    /// Checks that all bytes of an arriving file are there, and lets nobody remove it before the transaction ends.
    ///
    /// - Throws: ``FileError/interrupted`` if it was removed meanwhile.
    func requireWhole(_ id: FileID, byteCount: Int) throws {
        let row = try db.row(
            "SELECT 1 FROM arriving_files WHERE id = ? AND byte_count = ? FOR UPDATE", [id.rawValue, byteCount])
        guard row != nil else { throw FileError.interrupted }
    }

    /// Ends the arrival of a file, whose bytes stay.
    func settle(_ id: FileID) throws { try db.run("DELETE FROM arriving_files WHERE id = ?", [id.rawValue]) }

    /// Notes that a file is still arriving.
    func touch(_ id: FileID) throws {
        try db.run("UPDATE arriving_files SET heard_at = \(Self.now) WHERE id = ?", [id.rawValue])
    }

    /// Returns bytes of a file.
    ///
    /// - Parameters:
    ///   - id: The file.
    ///   - offset: The number of bytes before the first one.
    ///   - count: The most bytes.
    /// - Returns: The bytes; fewer than `count` only at the end.
    /// - Throws: ``FileError/noSuchFile(_:)`` once the file was removed.
    func bytes(of id: FileID, from offset: Int, count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let wanted = min(count - bytes.count, FileLayout.pieceByteCount)
            let row = try db.row(Self.part, [id.rawValue, offset + bytes.count, wanted])
            guard let part = row?[0] as Data?, !part.isEmpty else { break }
            bytes += part
        }
        if bytes.isEmpty, try db.number("SELECT 1 FROM files WHERE id = ?", [id.rawValue]) == nil {
            throw FileError.noSuchFile(id)
        }
        return bytes
    }

    /// Returns the number of stored bytes of a file.
    func byteCount(of id: FileID) throws -> Int {
        let sql = "SELECT COALESCE(SUM(octet_length(bytes)), 0) FROM file_bytes WHERE file_id = ?"
        return Int(try db.number(sql, [id.rawValue]) ?? 0)
    }
}

/// Removal.
extension FilePieceRows {
    /// Removes the bytes of a file that is not arriving.
    func remove(_ id: FileID) throws {
        try db.run("DELETE FROM file_bytes WHERE file_id = ?", [id.rawValue])
    }

    /// Removes an arriving file; does nothing to one that was kept.
    func removeArriving(_ id: FileID) throws { try removeArriving("id = ?", id.rawValue) }

    /// Removes the arriving files of a person, on all nodes.
    func removeArriving(of user: String) throws { try removeArriving("owner_id = ?", user) }

    /// Removes arriving files without a piece since a moment; skips files that are being written now.
    func removeArriving(before moment: Timestamp) throws {
        try removeArriving(
            "id IN (SELECT id FROM arriving_files WHERE heard_at < ? FOR UPDATE SKIP LOCKED)", moment.microseconds)
    }

    /// The bytes are removed after the rows, whose locks keep others from adding any.
    private func removeArriving(_ condition: String, _ value: SQLArgument) throws {
        for row in try db.rows("DELETE FROM arriving_files WHERE \(condition) RETURNING id", [value]) {
            try remove(row.identifier(0))
        }
    }
}
