import ChatCore
import Foundation
import GRDB
import MessageStore
import Synchronization

/// SQLite in WAL mode: one connection that writes and several that read, in a data folder that this process owns.
final class SQLiteEngine: StoreEngine {
    /// Callbacks of a store about its transactions.
    struct Events: Sendable {
        /// Called on the writing connection when rows changed that decide who sees what; see ``RosterMemory``.
        let rostersChanged: @Sendable () -> Void
        /// Called on the writing connection when the row of a file was removed.
        let fileRemoved: @Sendable () -> Void
        /// Called at the end of each transaction that wrote, before its writes return.
        let ended: @Sendable () -> Void
        /// Called with the time of each transaction that wrote.
        let measured: @Sendable (StoreWrite) -> Void
    }

    let hearsEveryWrite = true
    let isInFolder = true
    let traffic: StoreTraffic? = nil
    let latest: ChangeSignal
    private let connection: StoreConnection
    private let lock: InstanceLock
    private let writes: WriteQueue

    /// - Parameters:
    ///   - folder: The data folder.
    ///   - options: The options of the store.
    ///   - lock: The ownership of the folder, released by ``close()``.
    ///   - events: Called when rows change and transactions end.
    /// - Throws: `DatabaseError`, ``RepositoryError``, ``StoreOpenError``.
    init(in folder: URL, options: StoreOptions, lock: InstanceLock, events: Events) throws {
        self.lock = lock
        let connection = try StoreConnection(at: Self.databaseURL(in: folder), options: options) { pool in
            try pool.writeWithoutTransaction { db in try db.watch(events) }
        }
        let latest = ChangeSignal(try connection.pool.read { db in try ChangeLog.end(in: SQLiteSession(db)) })
        writes = WriteQueue { body in
            try connection.writingPool().asyncWriteWithoutTransaction { db in body(.success(SQLiteSession(db))) }
        } measured: {
            events.measured($0)
        } ended: { end in
            events.ended()
            if let end { latest.tell(end) }
        }
        (self.connection, self.latest) = (connection, latest)
    }

    /// The path of a folder's database.
    static func databaseURL(in folder: URL) -> URL { folder.appending(path: "nexus.sqlite") }

    /// The present connections.
    private var pool: DatabasePool { connection.pool }

    var trouble: StorageTrouble? { connection.trouble }

    var troubled: WorkSignal { connection.troubled }

    func checkWritable() throws { _ = try connection.writingPool() }

    func retryWriting() async -> StorageTrouble? {
        // It may block until current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [connection] in connection.retry() }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any SQLSession) throws -> Value) async throws -> Value {
        try await translating { try await connection.read { db in try body(SQLiteSession(db)) } }
    }

    /// Writes all or nothing; writes at the same time share a transaction, see ``WriteQueue``.
    func write<Value: Sendable>(
        _ name: StaticString, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await noting { try await writes.run(name, body) }
    }

    func write<Item: Sendable, Value: Sendable>(
        _ item: Item, of kind: WriteKind, _ body: @escaping @Sendable ([Item], any SQLSession) throws -> [Value]
    ) async throws -> Value {
        try await noting { try await writes.run(item, of: kind, body) }
    }

    /// Runs a write, and notes whether it could be stored.
    private func noting<Value>(_ write: () async throws -> sending Value) async throws -> sending Value {
        do {
            let value = try await translating(write)
            connection.recordWrite(nil)
            return value
        } catch {
            connection.recordWrite(error)
            throw error
        }
    }

    /// The same as ``write(_:)``: SQLite has one transaction that writes.
    func writeAside<Value: Sendable>(
        seesOneState: Bool, _ body: @escaping @Sendable (any SQLSession) throws -> Value
    ) async throws -> Value {
        try await write(body)
    }

    /// The write-ahead log is emptied if possible, so that it holds no deleted content and a copy of the database file
    /// is complete.
    func close() async {
        // GRDB closes the writing connection first, and reading connections do not remove the log. Both block until
        // current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [self] in
            // Synchronously, because a cancelled task would not wait.
            try? connection.writingPool().writeWithoutTransaction(Self.emptyLog)
            try? pool.close()
        }
        latest.close()
        lock.release()
    }

    private func translating<Value>(_ body: () async throws -> sending Value) async throws -> sending Value {
        do {
            return try await body()
        } catch {
            let translated = StorageFailure.translated(error)
            connection.recordDamage(translated)
            throw translated
        }
    }
}

/// Care of the file.
extension SQLiteEngine {
    /// Pages that are freed in one transaction.
    private static let freedPageLimit = 2_000

    /// The most attempts to empty the log; each waits for readers.
    private static let emptyingLimit = 10

    /// Moves the content of the write-ahead log into the database file, and empties the log.
    func checkpoint() async throws {
        let pool = try connection.writingPool()
        try await translating { try await pool.writeWithoutTransaction(Self.emptyLog) }
    }

    private static func emptyLog(_ db: Database) throws {
        // As a statement, because GRDB's own function crashes on a closed store.
        let isBusy = try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        if isBusy == true { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    }

    /// Rewrites the whole database without its free pages, and empties the write-ahead log.
    ///
    /// - Throws: ``RepositoryError``: `SQLITE_BUSY` when a reader takes longer than the store waits.
    func rewrite() async throws {
        let pool = try connection.writingPool()
        try await translating {
            try await pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM") }
        }
        for _ in 1..<Self.emptyingLimit {
            do {
                return try await checkpoint()
            } catch RepositoryError.unavailable {
                // A reader is active, and the store has waited for it already.
                continue
            }
        }
        try await checkpoint()
    }

    /// None: the database is a file of the data folder.
    func contentTables() -> [ContentTable] { [] }

    func giveBackSpace() async throws -> Bool {
        try await write { session in
            try (session as? SQLiteSession).map { try Self.giveBackPages($0.database) } ?? false
        }
    }

    /// Frees some pages, which shrinks the file at the next checkpoint; returns whether any are left.
    private static func giveBackPages(_ db: Database) throws -> Bool {
        func count() throws -> Int { try Int.fetchOne(db, sql: "PRAGMA freelist_count") ?? 0 }
        let before = try count()
        guard before > 0 else { return false }
        try db.execute(sql: "PRAGMA incremental_vacuum(\(freedPageLimit))")
        let after = try count()
        return after > 0 && after < before
    }

    /// A remark about a version of SQLite.
    ///
    /// Versions 3.7.0 to 3.51.2 can damage a database when two connections write or checkpoint at the same instant
    /// (https://sqlite.org/wal.html#walresetbug). Here one connection of one process writes, so it cannot happen.
    private static func remark(on version: String) -> String? {
        let parts = version.split(separator: ".").compactMap { Int($0) }
        let hasBug = parts.lexicographicallyPrecedes([3, 51, 3])
        return hasBug ? "has the WAL-reset bug, which does not affect a single writing process" : nil
    }

    func checkIntegrity() async throws -> IntegrityReport {
        let report = try await translating {
            try await connection.read { db in
                let verdict = try Self.verdict(db)
                let orphans = verdict == ["ok"] ? try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") : nil
                let version = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
                return (
                    isWhole: verdict == ["ok"],
                    IntegrityReport(
                        isSound: verdict == ["ok"] && orphans == nil, engineName: "SQLite", engineVersion: version,
                        remark: Self.remark(on: version))
                )
            }
        }
        if !report.isWhole { connection.recordDamage(RepositoryError.storageDamaged) }
        return report.1
    }

    /// Returns what SQLite finds; damage that keeps it from looking further is a finding, too.
    private static func verdict(_ db: Database) throws -> [String] {
        do {
            return try String.fetchAll(db, sql: "PRAGMA integrity_check")
        } catch let error as DatabaseError where StorageTrouble(StorageFailure.translated(error)) == .damaged {
            return [error.extendedResultCode.description]
        }
    }

    /// Does nothing: the statements name the indexes that they need.
    func gatherStatistics() {}

    /// Copies one consistent state of the database, without free pages.
    func copy(to path: String) async throws {
        try await translating {
            // Outside of a transaction, because the statement does not work in one.
            try await pool.unsafeRead { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
        }
    }

    /// Sets the page limit of the database; for tests of a full disk.
    func setPageLimit(_ count: Int) async throws {
        try await translating {
            try await pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = \(count)") }
        }
    }

    func inspect(_ sql: String, column: Int) async throws -> [String] {
        try await translating {
            try await pool.writeWithoutTransaction { db in
                let statement = try db.makeStatement(sql: sql)
                statement.setUncheckedArguments([])
                return try Row.fetchAll(statement).map { row in
                    switch (row[column] as DatabaseValue).storage {
                    case .int64(let number): "\(number)"
                    case .string(let text): text
                    default: ""
                    }
                }
            }
        }
    }
}

extension Database {
    /// Watches the writing connection by triggers.
    fileprivate func watch(_ events: SQLiteEngine.Events) throws {
        try watch(
            RosterMemory.events,
            function: "nexus_note_roster", events.rostersChanged)
        try watch(["INSERT ON main.removed_files"], function: "nexus_note_removed_file", events.fileRemoved)
    }

    private func watch(_ events: [String], function: String, _ note: @escaping @Sendable () -> Void) throws {
        add(
            function: DatabaseFunction(function, argumentCount: 0) { _ in
                note()
                return nil
            })
        for (number, event) in events.enumerated() {
            try execute(
                sql: "CREATE TEMP TRIGGER \(function)\(number) AFTER \(event) BEGIN SELECT \(function)(); END")
        }
    }
}
