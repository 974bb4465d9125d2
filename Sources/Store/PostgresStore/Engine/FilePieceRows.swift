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

    /// Begins a file that arrives.
    ///
    /// - Returns: The owner's files without a message, and the bytes that all arriving files may have.
    /// - Throws: ``FileError/tooManyUnattached(_:)``, ``RepositoryError/unavailable(reason:)``.
    func begin(_ draft: FileDraft, _ limits: FileLimits) throws -> (known: LooseFiles, room: Int) {
        try lock(draft.ownerID)
        let known = try FileRows(db: db).unattached(of: draft.ownerID)
        let total = Int(try db.number(FileRows.total) ?? 0)
        let arriving = try arriving(of: draft.ownerID).own
        guard
            limits.admits(0, besides: known.count + arriving.count, of: known.byteCount + arriving.byteCount)
        else { throw FileError.tooManyUnattached(limits) }
        try db.run(
            """
            INSERT INTO arriving_files (id, owner_id, byte_count, heard_at)
            SELECT ?1, ?2, 0, \(Self.now) WHERE NOT EXISTS (SELECT 1 FROM files WHERE id = ?1)
            ON CONFLICT DO NOTHING
            """, [draft.id.rawValue, draft.ownerID.rawValue])
        guard db.changedRowCount == 1 else { throw RepositoryError.unavailable(reason: "a file with this id exists") }
        return (known, limits.totalBytes - total)
    }

    /// Appends bytes to an arriving file.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - draft: The file.
    ///   - offset: The bytes that it has.
    ///   - limits: The limits of all files.
    ///   - begun: The result of ``begin(_:_:)``.
    /// - Throws: ``FileError``.
    func append(
        _ bytes: [UInt8], to draft: FileDraft, at offset: Int, _ limits: FileLimits,
        begun: (known: LooseFiles, room: Int)
    ) throws {
        try lock(draft.ownerID)
        try db.run(
            """
            UPDATE arriving_files SET byte_count = byte_count + ?3, heard_at = \(Self.now)
            WHERE id = ?1 AND byte_count = ?2
            """, [draft.id.rawValue, offset, bytes.count])
        guard db.changedRowCount == 1 else { throw FileError.interrupted }
        let (own, all) = try arriving(of: draft.ownerID)
        guard all <= begun.room else { throw FileError.folderFull }
        guard own.byteCount <= limits.unattachedBytes - begun.known.byteCount else {
            throw FileError.tooManyUnattached(limits)
        }
        try insert(bytes, of: draft.id, at: offset)
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

    /// Returns the arriving files of a person, and the bytes of all that arrive.
    private func arriving(of owner: UserID) throws -> (own: LooseFiles, all: Int) {
        guard let row = try db.row(Self.arriving, [owner.rawValue]) else { return (LooseFiles(), 0) }
        return (LooseFiles(count: row[0], byteCount: row[1]), row[2])
    }

    /// Ends the arrival of a file whose bytes are complete.
    ///
    /// - Throws: ``FileError/interrupted`` if it was removed meanwhile.
    func settle(_ id: FileID, byteCount: Int) throws {
        try db.run("DELETE FROM arriving_files WHERE id = ? AND byte_count = ?", [id.rawValue, byteCount])
        guard db.changedRowCount == 1 else { throw FileError.interrupted }
    }

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
