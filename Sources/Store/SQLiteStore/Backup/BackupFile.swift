import ChatCore
import Foundation
import GRDB
import MessageStore

/// The database file of a backup, accessed without a store.
enum BackupFile {
    /// The facts that a manifest holds about a sound database.
    struct Contents: Equatable {
        let schemaVersion: Int
        let change: Int64
        let counts: BackupManifest.Counts
        let files: [StoredFile]
    }

    /// Removes the records of the index files, which a backup does not hold, and begins a new epoch of the change log.
    static func prepare(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.write { db in
            try db.execute(sql: "DELETE FROM index_snapshots; DELETE FROM word_snapshots; \(Schema.newEpoch)")
        }
    }

    /// Checks a file and counts what it holds.
    ///
    /// - Throws: ``BackupError/unsound``, ``BackupError/fromTheFuture(found:)``, ``BackupError/tooOld(found:)``.
    static func contents(at path: String) throws(BackupError) -> Contents {
        let found: Contents?
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            found = try queue.read(contents)
        } catch {
            throw .unsound
        }
        guard let found else { throw .unsound }
        guard found.schemaVersion <= Schema.newestVersion else { throw .fromTheFuture(found: "\(found.schemaVersion)") }
        guard found.schemaVersion >= StoreSchema.version else { throw .tooOld(found: "\(found.schemaVersion)") }
        return found
    }

    private static func contents(_ db: Database) throws -> Contents? {
        guard try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"],
            try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil
        else { return nil }
        let session = SQLiteSession(db)
        func count(_ table: String) throws -> Int { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
        let files = try session.rows("SELECT \(FileRows.columns) FROM files ORDER BY number").map(FileRows.file)
        return Contents(
            schemaVersion: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
            change: try ChangeLog.latest(in: session).rawValue,
            counts: BackupManifest.Counts(
                conversations: try count("conversations"), messages: try count("messages"),
                vectors: try count("vectors"), queued: try count("queue"), turns: try count("turns"),
                files: files.isEmpty ? nil : files.count), files: files)
    }
}
