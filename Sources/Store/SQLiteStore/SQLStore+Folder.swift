import ChatCore
package import Foundation
import Glibc
package import MessageStore

/// Opens stores in SQLite in WAL mode: one connection that writes and several that read.
///
/// Stored data survives a crash of the machine (`synchronous=FULL`). Deleted content is overwritten (`secure_delete`); it
/// leaves the write-ahead log with the next ``MessageStore/SQLStore/checkpoint()``. Free pages are listed
/// (`auto_vacuum=INCREMENTAL`), so that the space of a dropped generation can be freed without rewriting the file.
extension SQLStore {
    /// Opens the store of a data folder; creates folder and database if needed, and upgrades an older schema.
    ///
    /// - Parameters:
    ///   - folder: The data folder; created with mode 0700.
    ///   - options: The options of the store.
    /// - Returns: The store; this process owns the folder until the store is closed.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``; ``RepositoryError/storageFull`` and
    ///   ``RepositoryError/storageReadOnly`` when there is no database yet that could be read.
    @concurrent package static func open(folder: URL, options: StoreOptions) async throws -> SQLStore {
        try makeFolder(folder)
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try BackupRestore.complete(in: folder)
            let store = try make(in: folder, options: options, lock: lock)
            try await store.checkCompleteness()
            await store.files.tidy()
            return store
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    /// Opens a data folder to copy from it; its database is not changed.
    ///
    /// - Parameter folder: The data folder.
    /// - Returns: The store; this process owns the folder until the store is closed.
    /// - Throws: ``MigrationError/noSource``, ``MigrationError/sourceNeedsOpening(folder:)``, ``StoreOpenError``,
    ///   ``RepositoryError``.
    @concurrent package static func openSource(folder: URL) async throws -> SQLStore {
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
    @concurrent package static func openTarget(folder: URL) async throws -> SQLStore {
        try makeFolder(folder)
        return try open(owned: folder, options: StoreOptions())
    }

    /// Opens a folder without a look at its files.
    private static func open(owned folder: URL, options: StoreOptions) throws -> SQLStore {
        let lock = try InstanceLock.acquire(folder: folder)
        do {
            try BackupRestore.complete(in: folder)
            return try make(in: folder, options: options, lock: lock)
        } catch {
            lock.release()
            throw StorageFailure.translated(error)
        }
    }

    private static func make(in folder: URL, options: StoreOptions, lock: InstanceLock) throws -> SQLStore {
        let (rosters, files, writes) = (RosterMemory(), FileFolder(in: folder), StoreWrites())
        let engine = try SQLiteEngine(
            in: folder, options: options, lock: lock,
            events: SQLiteEngine.Events(
                rostersChanged: rosters.rememberChange, fileRemoved: files.rememberRemoval,
                ended: rosters.endTransaction,
                measured: writes.announce))
        return SQLStore(
            folder: folder, engine: engine, files: FolderFileBytes(folder: files, engine: engine), rosters: rosters,
            writes: writes,
            services: .alone { day in
                try await engine.read { db in try UsageRows.tokenCountOfServices(on: day, in: db) }
            })
    }

    /// The folder of the stored files.
    var fileFolder: FileFolder {
        get throws {
            guard let files = files as? FolderFileBytes else { throw BackupError.otherDatabase }
            return files.folder
        }
    }
}

/// The options of a store.
package struct StoreOptions: Sendable {
    /// The number of reading connections besides the writing one.
    package var readerCount: Int
    /// The most pages of 4 KiB of the database; nil for no limit.
    package var pageLimit: Int?
    /// Called before the database is opened for writing; for tests of disks that cannot be written.
    package var refusal: (@Sendable () -> StorageTrouble?)?
    /// Called with each new connection of SQLite; for tests that count what is read.
    package var connected: (@Sendable (OpaquePointer) -> Void)?

    package init(readerCount: Int = 4, pageLimit: Int? = nil) {
        self.readerCount = readerCount
        self.pageLimit = pageLimit
    }
}
