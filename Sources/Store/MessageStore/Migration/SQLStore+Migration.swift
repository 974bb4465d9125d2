import ChatCore
public import Foundation
import Glibc

/// Opening the two stores of a migration; others cannot open an unfinished target.
extension SQLStore {
    /// Opens a data folder to copy from it; its database is not changed.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The store; this process owns the folder until the store is closed.
    /// - Throws: ``MigrationError/noSource``, ``MigrationError/sourceNeedsOpening(folder:)``, ``StoreOpenError``,
    ///   ``RepositoryError``.
    @concurrent public static func openSource(folder: URL) async throws -> SQLStore {
        guard access(SQLiteEngine.databaseURL(in: folder).path, F_OK) == 0 else { throw MigrationError.noSource }
        var options = StoreOptions()
        options.refusal = { .readOnly }
        do {
            let store = try open(owned: folder, options: options)
            try await store.checkCompleteness()
            return store
        } catch StoreOpenError.needsWriting {
            throw MigrationError.sourceNeedsOpening(folder: folder.path)
        }
    }

    /// Opens a data folder to copy into it; creates it if needed.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The store; this process owns the folder until the store is closed.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``.
    @concurrent public static func openTarget(folder: URL) async throws -> SQLStore {
        try makeFolder(folder)
        return try open(owned: folder, options: StoreOptions())
    }

    /// Opens the store of a PostgreSQL database to copy from it, or into it.
    ///
    /// - Parameters:
    ///   - folder: A folder of this process; created with mode 0700.
    ///   - isSource: Whether it is the source; the tables of a target are created if needed.
    ///   - connect: Opens a connection; may block.
    /// - Returns: The store.
    /// - Throws: ``MigrationError/noSource``, ``MigrationError/databaseInUse``, ``StoreOpenError``, ``RepositoryError``.
    @concurrent package static func openForMigration(
        folder: URL, isSource: Bool, connect: @escaping @Sendable () throws -> any PostgresLink
    ) async throws -> SQLStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try await checkUnused(connect)
            let store = try await SQLStore(
                folder: folder, lock: lock, readerCount: 1,
                // A migration that lost its last commits is unfinished, and continues.
                opening: PostgresEngine.Opening(
                    createsTables: !isSource, acceptsLoss: true, isMigration: true),
                connect: connect)
            if isSource { try await store.checkCompleteness() }
            return store
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// The attempts to find a database unused, and the pause after each: connections take a moment to end.
    private static let (unusedAttempts, unusedPause) = (50, Duration.milliseconds(100))

    /// Fails if a server is connected to a database.
    private static func checkUnused(_ connect: @escaping @Sendable () throws -> any PostgresLink) async throws {
        let sql = """
            SELECT COUNT(*) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'nexus' AND pid <> pg_backend_pid()
            """
        for _ in 0..<unusedAttempts {
            let isUnused = try await onOwnThread {
                let link = try connect()
                defer { link.close() }
                return try link.execute(sql, [], isKept: false).rows == [[.integer(0)]]
            }
            if isUnused { return }
            try await Task.sleep(for: unusedPause)
        }
        throw MigrationError.databaseInUse
    }

    /// Opens a folder without a look at its files.
    private static func open(owned folder: URL, options: StoreOptions) throws -> SQLStore {
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try BackupRestore.complete(in: folder)
            return try SQLStore(folder: folder, options: options, lock: lock)
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// Closes the store and fails if it is the target of an unfinished migration.
    ///
    /// - Throws: ``StoreOpenError/unfinishedMigration``, ``RepositoryError``.
    func checkCompleteness() async throws {
        do {
            guard try await read({ db in try !MigrationRecord.exists(in: db) }) else {
                throw StoreOpenError.unfinishedMigration
            }
        } catch {
            await close()
            throw error
        }
    }
}
