public import ChatCore
public import Foundation
import GRDB
import Glibc
import Synchronization

/// The store of one data folder: SQLite in WAL mode, one connection that writes and several that read.
///
/// Stored data survives a crash of the machine (`synchronous=FULL`). Deleted content is overwritten (`secure_delete`);
/// it leaves the write-ahead log with the next ``checkpoint()``. Free pages are listed (`auto_vacuum=INCREMENTAL`), so
/// that the space of a dropped generation can be freed without rewriting the file.
public final class SQLiteStore: Store {
    /// The data folder.
    public let folder: URL
    let connection: StoreConnection
    private let lock: InstanceLock
    let rosters: RosterMemory
    let files: FileFolder
    /// The end of the change log, which only this process moves.
    let latest: ChangeSignal
    private let writes: WriteQueue
    /// Whether direct conversations without a choice are excluded from embedding.
    let excludesDirect = Mutex(false)

    private init(folder: URL, options: StoreOptions, lock: InstanceLock) throws {
        self.folder = folder
        self.lock = lock
        let rosters = RosterMemory()
        self.rosters = rosters
        let files = FileFolder(in: folder)
        self.files = files
        let connection = try StoreConnection(at: Self.databaseURL(in: folder), options: options) { pool in
            try pool.writeWithoutTransaction { db in
                try rosters.watch(db)
                try files.watch(db)
            }
        }
        self.connection = connection
        let latest = ChangeSignal(try connection.pool.read(ChangeLog.end))
        self.latest = latest
        writes = WriteQueue(connection: connection) { end in
            rosters.endTransaction()
            if let end { latest.tell(end) }
        }
    }

    /// The present connections.
    var pool: DatabasePool { connection.pool }

    /// The reason why nothing can be stored at present; nil if none is known.
    ///
    /// A store on a full or read-only disk can be read and searched as usual; calls that write fail with
    /// ``RepositoryError/storageFull`` or ``RepositoryError/storageReadOnly``.
    public var storageTrouble: StorageTrouble? { connection.trouble }

    /// Signalled when the disk refused a write.
    public var storageFailed: WorkSignal { connection.troubled }

    /// Tries to write again after a failure; returns the reason if it still fails.
    public func retryWriting() async -> StorageTrouble? {
        // It may block until current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [connection] in connection.retry() }
    }

    /// Opens the store of a data folder; creates folder and database if needed, and upgrades an older schema.
    ///
    /// - Parameters:
    ///   - folder: The data folder; created with mode 0700.
    ///   - options: The options of the store.
    /// - Returns: The store; this process owns the folder until the store is closed.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``; ``RepositoryError/storageFull`` and
    ///   ``RepositoryError/storageReadOnly`` when there is no database yet that could be read.
    @concurrent public static func open(folder: URL, options: StoreOptions) async throws -> SQLiteStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try BackupRestore.complete(in: folder)
            let store = try SQLiteStore(folder: folder, options: options, lock: lock)
            await store.tidyFiles()
            return store
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// Closes the database and releases the folder; every later call fails with
    /// ``RepositoryError/unavailable(reason:)``.
    ///
    /// The write-ahead log is emptied if possible, so that it holds no deleted content and a copy of the database file
    /// is complete.
    public func close() async {
        // GRDB closes the writing connection first, and reading connections do not remove the log. Both block until
        // current readers finish: blocking a pool thread could deadlock those readers.
        await onOwnThread { [self] in
            try? emptyLog()
            try? pool.close()
        }
        latest.close()
        rosters.close()
        lock.release()
    }

    /// Moves the content of the write-ahead log into the database file, and empties the log.
    public func checkpoint() async throws {
        let pool = try connection.writingPool()
        try await translating { try await pool.writeWithoutTransaction(Self.emptyLog) }
    }

    /// Empties the log synchronously, because a cancelled task would not wait.
    private func emptyLog() throws {
        try connection.writingPool().writeWithoutTransaction(Self.emptyLog)
    }

    private static func emptyLog(_ db: Database) throws {
        // As a statement, because GRDB's own function crashes on a closed store.
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

    /// The path of a folder's database.
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
    /// Sets the page limit of the database; for tests of a full disk.
    package func setPageLimit(_ count: Int) async throws {
        try await translating { [pool] in
            try await pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = \(count)") }
        }
    }

    /// Returns one column of a statement's rows on the writing connection, with all values NULL; for tests.
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

    /// Writes all or nothing; writes at the same time share a transaction, see ``WriteQueue``.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do {
            let value = try await translating { try await writes.run(body) }
            connection.noteWrite(nil)
            if files.takeRemoved() { await removeBytes() }
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

/// The options of a store.
public struct StoreOptions: Sendable {
    /// The number of reading connections besides the writing one.
    public var readerCount: Int
    /// The most pages of 4 KiB of the database; nil for no limit.
    public var pageLimit: Int?
    /// Called before the database is opened for writing; for tests of disks that cannot be written.
    package var refusal: (@Sendable () -> StorageTrouble?)?
    /// Called with each new connection of SQLite; for tests that count what is read.
    package var connected: (@Sendable (OpaquePointer) -> Void)?

    public init(readerCount: Int = 4, pageLimit: Int? = nil) {
        self.readerCount = readerCount
        self.pageLimit = pageLimit
    }
}

/// A reason why a data folder cannot be opened, in addition to ``RepositoryError``.
public enum StoreOpenError: Error, Equatable, Sendable {
    /// Another process uses the folder at this path.
    case inUse(folder: String)
    /// The object at this path is not a folder, or no folder can be created there.
    case notAFolder(path: String)
    /// This user may not use the folder at this path.
    case notPermitted(path: String)
    /// The disk cannot be written, but the database at this path must be written before it can be read: it has an older
    /// schema, or a log without an index file.
    case needsWriting(path: String)
}

/// The result of a check of the whole database.
public struct IntegrityReport: Equatable, Sendable {
    /// Whether the file and all references in it are sound.
    public let isSound: Bool
    /// The version of SQLite.
    public let engineVersion: String
}
