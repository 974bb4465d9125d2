import ChatCore
import Foundation
import GRDB
import Glibc
import MessageStore
import Synchronization

/// The connections of a store; on a disk that cannot be written they only read.
final class StoreConnection: Sendable {
    private struct State {
        var pool: DatabasePool
        /// The reason why nothing can be written at present.
        var trouble: StorageTrouble?
        var isReadOnly: Bool
        /// Whether the connections are closed at the moment, to be replaced by others.
        var isReopening = false
    }

    private let url: URL
    private let options: StoreOptions
    private let setUp: @Sendable (DatabasePool) throws -> Void
    private let state: Mutex<State>
    /// Signalled when writing failed because of the disk.
    let troubled = WorkSignal()

    /// Opens the database; only for reading if the disk cannot be written.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - options: The options of the store.
    ///   - setUp: Called with each writing pool before it is used.
    /// - Throws: `DatabaseError`, ``RepositoryError``, ``StoreOpenError``.
    init(
        at url: URL, options: StoreOptions, setUp: @escaping @Sendable (DatabasePool) throws -> Void
    ) throws {
        (self.url, self.options, self.setUp) = (url, options, setUp)
        do {
            let pool = try Self.openForWriting(url, options: options, setUp: setUp)
            state = Mutex(State(pool: pool, trouble: nil, isReadOnly: false))
        } catch {
            guard let trouble = Self.trouble(behind: error, at: url) else { throw error }
            let pool = try Self.openForReading(url, options: options, because: trouble)
            state = Mutex(State(pool: pool, trouble: trouble, isReadOnly: true))
        }
    }

    /// The present connections.
    var pool: DatabasePool { state.withLock { $0.pool } }

    /// The reason why nothing can be written at present; nil if none is known.
    var trouble: StorageTrouble? { state.withLock { $0.trouble } }

    /// The connections for writing.
    ///
    /// - Throws: ``RepositoryError/storageFull``, ``RepositoryError/storageReadOnly``,
    ///   ``RepositoryError/storageDamaged`` while only reading is possible.
    func writingPool() throws -> DatabasePool {
        let state = state.withLock { $0 }
        if state.trouble == .damaged { throw RepositoryError.storageDamaged }
        if state.isReadOnly { throw (state.trouble ?? .readOnly).error }
        return state.pool
    }

    /// Reads in one snapshot; waits while the connections are replaced.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        while true {
            let known = state.withLock { $0 }
            do {
                return try await known.pool.read(body)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
                // The pool is closed.
                guard state.withLock({ $0.isReopening || $0.pool !== known.pool }) else { throw error }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// Notes the result of a call that writes.
    func recordWrite(_ failure: (any Error)?) {
        let trouble = failure.flatMap { StorageTrouble($0) }
        state.withLock { state in
            guard state.trouble != .damaged else { return }
            guard !state.isReadOnly || trouble == .damaged, failure == nil || trouble != nil else { return }
            state.trouble = trouble
        }
        if trouble != nil { troubled.signal() }
    }

    /// Notes an error of any call: from the first damage on nothing is written.
    func recordDamage(_ failure: any Error) {
        if StorageTrouble(failure) == .damaged { recordWrite(failure) }
    }

    /// Tries to write again after a failure.
    ///
    /// - Returns: The reason why nothing can be written; nil when writing works.
    func retry() -> StorageTrouble? {
        let known = state.withLock { $0 }
        guard let trouble = known.trouble else { return nil }
        if trouble == .damaged { return trouble }
        guard known.isReadOnly else {
            let failure = Self.testWrite(known.pool)
            recordWrite(failure.map(StorageFailure.translated))
            return self.trouble
        }
        if let found = options.refusal?() ?? StorageTrouble.found(in: url.deletingLastPathComponent()) {
            state.withLock { $0.trouble = found }
            return found
        }
        // The read-only connections may use the side files, so they are closed first.
        state.withLock { $0.isReopening = true }
        try? known.pool.close()
        let renewed: State
        do {
            let pool = try Self.openForWriting(url, options: options, setUp: setUp)
            renewed = State(pool: pool, trouble: nil, isReadOnly: false)
        } catch {
            let found = Self.trouble(behind: error, at: url) ?? trouble
            let pool = try? Self.openForReading(url, options: options, because: found)
            renewed = State(pool: pool ?? known.pool, trouble: found, isReadOnly: true)
        }
        state.withLock { $0 = renewed }
        return renewed.trouble
    }

    /// Writes one page without changing a value.
    private static func testWrite(_ pool: DatabasePool) -> (any Error)? {
        do {
            try pool.writeWithoutTransaction { db in
                let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
            return nil
        } catch {
            return error
        }
    }

    /// Returns the trouble of the disk that keeps a database from being opened for writing; nil for other causes.
    private static func trouble(behind error: any Error, at url: URL) -> StorageTrouble? {
        let found = StorageTrouble(StorageFailure.translated(error))
        // A damaged database is not opened at all.
        if let found { return found == .damaged ? nil : found }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        // A side file cannot be created.
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_PERM:
            return StorageTrouble.found(in: url.deletingLastPathComponent())
        default: return nil
        }
    }
}

// MARK: - Opening

extension StoreConnection {
    private static func openForWriting(
        _ url: URL, options: StoreOptions, setUp: (DatabasePool) throws -> Void
    ) throws -> DatabasePool {
        if let trouble = options.refusal?() { throw trouble.error }
        let path = url.path
        // SQLite gives its side files the mode of the database file.
        let file = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if file >= 0 {
            Glibc.close(file)
        } else if let trouble = StorageTrouble(code: errno) {
            throw trouble.error
        }
        let pool = try DatabasePool(path: path, configuration: configuration(options))
        do {
            try pool.writeWithoutTransaction { db in
                try Schema.migrate(db)
                if let limit = options.pageLimit { try db.execute(sql: "PRAGMA max_page_count = \(limit)") }
            }
            // GRDB sets NORMAL when it enables WAL, so this has to follow.
            try pool.barrierWriteWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
            try setUp(pool)
        } catch {
            try? pool.close()
            throw error
        }
        return pool
    }

    /// Opens a database that cannot be written; creates no side file.
    ///
    /// The log of a crashed process is read through the index file beside it, which is not changed. Without a log the
    /// database file holds everything.
    private static func openForReading(
        _ url: URL, options: StoreOptions, because trouble: StorageTrouble
    ) throws -> DatabasePool {
        let path = url.path
        // An empty file remains when a database could not be created.
        guard (size(of: path) ?? 0) > 0 else { throw trouble.error }
        let hasLog = (size(of: path + "-wal") ?? 0) > 0
        guard !hasLog || size(of: path + "-shm") != nil else { throw StoreOpenError.needsWriting(path: path) }
        guard let address = address(path) else { throw StoreOpenError.notAFolder(path: path) }
        var configuration = configuration(options)
        configuration.readonly = true
        let pool = try DatabasePool(
            path: "file:\(address)?\(hasLog ? "mode=ro&readonly_shm=1" : "mode=ro&immutable=1")",
            configuration: configuration)
        do {
            let found = try pool.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
            guard found <= Schema.newestVersion else { throw RepositoryError.fromTheFuture(found: "\(found)") }
            guard found >= StoreSchema.version else { throw StoreOpenError.tooOld(found: "\(found)") }
            guard found == Schema.newestVersion else { throw StoreOpenError.needsWriting(path: path) }
        } catch {
            try? pool.close()
            throw error
        }
        return pool
    }

    /// The path in the form of a URI.
    private static func address(_ path: String) -> String? {
        path.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "/-._~")))
    }

    private static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    private static func configuration(_ options: StoreOptions) -> GRDB.Configuration {
        var configuration = GRDB.Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = options.readerCount
        configuration.prepareDatabase { [connected = options.connected] db in
            if let connected, let connection = db.sqliteConnection { connected(connection) }
            guard !db.configuration.readonly else {
                // A search reads some hundred rows all over the file: each reader caches 16 MiB of pages instead of 2.
                return try db.execute(sql: "PRAGMA cache_size = -16384")
            }
            try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            try db.execute(sql: "PRAGMA secure_delete = ON")
        }
        return configuration
    }
}
