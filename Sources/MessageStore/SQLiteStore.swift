public import ChatCore
public import Foundation
import GRDB
import Glibc
import Synchronization

/// The store of one data folder: SQLite in WAL mode, one connection that writes and several that read.
///
/// What a call has stored survives a crash of the machine (`synchronous=FULL`). Deleted content is overwritten
/// (`secure_delete`); it leaves the write-ahead log with the next ``checkpoint()``. Free pages are listed
/// (`auto_vacuum=INCREMENTAL`), so that a dropped generation's room can be given back without rewriting the file.
public final class SQLiteStore: Store {
    /// The data folder.
    public let folder: URL
    let connection: StoreConnection
    private let lock: InstanceLock
    let rosters: RosterMemory
    /// The end of the change log, which only this process moves.
    let latest: ChangeSignal
    /// Whether direct conversations of which nothing is said are excluded from embedding.
    let excludesDirect = Mutex(false)

    private init(folder: URL, options: StoreOptions, lock: InstanceLock) throws {
        self.folder = folder
        self.lock = lock
        let rosters = RosterMemory()
        self.rosters = rosters
        let connection = try StoreConnection(at: Self.databaseURL(in: folder), options: options) { pool in
            try pool.writeWithoutTransaction(rosters.watch)
        }
        self.connection = connection
        latest = ChangeSignal(try connection.pool.read(ChangeLog.end))
    }

    /// The connections of the moment.
    var pool: DatabasePool { connection.pool }

    /// Why nothing can be stored at present; nil as far as is known.
    ///
    /// A store that was opened on a full or read-only disk is read and searched as ever; calls that write fail with
    /// ``RepositoryError/storageFull`` or ``RepositoryError/storageReadOnly``.
    public var storageTrouble: StorageTrouble? { connection.trouble }

    /// Signalled when the disk has refused to store something.
    public var storageFailed: WorkSignal { connection.troubled }

    /// Tries to write where that failed before; returns why it still fails.
    public func retryWriting() async -> StorageTrouble? {
        // It may block until current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [connection] in connection.retry() }
    }

    /// Opens the store of a data folder; makes folder and database where there are none, renews an older schema.
    ///
    /// - Parameters:
    ///   - folder: The data folder; made with mode 0700.
    ///   - options: How it is opened.
    /// - Returns: The store; the folder is this process's until it is closed.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``; ``RepositoryError/storageFull`` and
    ///   ``RepositoryError/storageReadOnly`` when there is nothing yet that could be read.
    @concurrent public static func open(folder: URL, options: StoreOptions) async throws -> SQLiteStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try BackupRestore.complete(in: folder)
            return try SQLiteStore(folder: folder, options: options, lock: lock)
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// Lets go of database and folder; every later call fails with ``RepositoryError/unavailable(reason:)``.
    ///
    /// The write-ahead log is emptied, so that nothing deleted stays in it and a copy of the database file is whole; one
    /// that cannot be emptied is left as it is.
    public func close() async {
        // GRDB closes the connection that writes first, and those that only read leave the log behind.
        // Both block until current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [self] in
            try? emptyLog()
            try? pool.close()
        }
        latest.close()
        rosters.close()
        lock.release()
    }

    /// Moves what the write-ahead log holds into the database file and empties it.
    public func checkpoint() async throws {
        let pool = try connection.writingPool()
        try await translating { try await pool.writeWithoutTransaction(Self.emptyLog) }
    }

    /// Empties the log without waiting as a task does: a cancelled task would not wait.
    private func emptyLog() throws {
        try connection.writingPool().writeWithoutTransaction(Self.emptyLog)
    }

    private static func emptyLog(_ db: Database) throws {
        // As a statement: GRDB's own function crashes on a store that is closed.
        let isBusy = try Bool.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        if isBusy == true { throw DatabaseError(resultCode: .SQLITE_BUSY) }
    }

    /// Checks the database file and the references between its rows.
    public func checkIntegrity() async throws -> IntegrityReport {
        try await read { db in
            let verdict = try String.fetchAll(db, sql: "PRAGMA integrity_check")
            let orphans = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
            let version = try String.fetchOne(db, sql: "SELECT sqlite_version()") ?? ""
            return IntegrityReport(isSound: verdict == ["ok"] && orphans == nil, engineVersion: version)
        }
    }

    /// Where the database of a folder is.
    static func databaseURL(in folder: URL) -> URL { folder.appending(path: "nexus.sqlite") }

    static func makeFolder(_ folder: URL) throws(StoreOpenError) {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw access(folder.path, F_OK) != 0 && errno == EACCES
                ? .notPermitted(path: folder.path) : .notAFolder(path: folder.path)
        }
        let isFolder = (try? folder.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
        guard isFolder else { throw .notAFolder(path: folder.path) }
    }
}

extension SQLiteStore {
    /// Lets the database grow to another size; for tests of a full disk.
    package func setPageLimit(_ count: Int) async throws {
        try await translating { [pool] in
            try await pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = \(count)") }
        }
    }

    /// Returns one column of the rows of a statement on the connection that writes, its values being NULL; for tests.
    package func inspect(_ sql: String, column: Int = 0) async throws -> [String] {
        try await translating { [pool] in
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

    /// Reads in one snapshot.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await translating { try await connection.read(body) }
    }

    /// Writes in one transaction: all or nothing.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let pool = try connection.writingPool()
        do {
            let value = try await translating {
                try await pool.writeWithoutTransaction { db in
                    defer { self.rosters.endTransaction() }
                    var written: (value: Value, end: ChangeCursor)?
                    try db.inTransaction {
                        written = (try body(db), try ChangeLog.end(in: db))
                        return .commit
                    }
                    guard let written else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
                    // After the commit, which a full disk may refuse; and here because a cancelled caller stops waiting.
                    self.latest.tell(written.end)
                    return written.value
                }
            }
            connection.noteWrite(nil)
            return value
        } catch {
            connection.noteWrite(error)
            throw error
        }
    }

    private func translating<Value>(_ body: () async throws -> sending Value) async throws -> sending Value {
        do { return try await body() } catch { throw StorageFailure.translated(error) }
    }
}

/// How a store is opened.
public struct StoreOptions: Sendable {
    /// How many connections read beside the one that writes.
    public var readerCount: Int
    /// The most pages of 4 KiB that the database may take; nil for as many as the disk holds.
    public var pageLimit: Int?
    /// Asked before the database is opened for writing; for tests of disks that take none.
    package var refusal: (@Sendable () -> StorageTrouble?)?

    /// Makes options; what is left out suits a server.
    public init(readerCount: Int = 4, pageLimit: Int? = nil) {
        self.readerCount = readerCount
        self.pageLimit = pageLimit
    }
}

/// Why a data folder cannot be opened, beside what ``RepositoryError`` says.
public enum StoreOpenError: Error, Equatable, Sendable {
    /// Another process works on the folder at this path.
    case inUse(folder: String)
    /// What lies at this path is not a folder, or none can be made there.
    case notAFolder(path: String)
    /// The folder at this path may not be used by this user.
    case notPermitted(path: String)
    /// The disk takes no writing, but the database at this path needs some before it can be read: an older schema, or a
    /// log whose index file is missing.
    case needsWriting(path: String)
}

/// What a check of the whole database found.
public struct IntegrityReport: Equatable, Sendable {
    /// Whether the file and all references in it are sound.
    public let isSound: Bool
    /// The version of SQLite.
    public let engineVersion: String
}
