public import Foundation
public import MessageStore

/// Opens stores in PostgreSQL.
public enum PostgresStore {
    /// Opens the store of a database; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: A connection string or URI, as libpq reads it; it may hold a password, which is not kept in errors.
    ///   - folder: The folder for the bytes of files; created if there is none.
    ///   - readerCount: The number of connections besides the one that writes.
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    public static func open(_ address: String, files folder: URL, readerCount: Int = 8) async throws -> SQLStore {
        try await SQLStore.open(files: folder, readerCount: readerCount) { try LibpqConnection(address) }
    }

    /// Opens the store of a database to copy from it.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:files:readerCount:)``.
    ///   - folder: The folder with the bytes of files.
    /// - Returns: The store; other nodes must not write meanwhile.
    /// - Throws: ``MigrationError/noSource``, ``StoreOpenError``, ``RepositoryError``.
    public static func openSource(_ address: String, files folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(files: folder, isSource: true) { try LibpqConnection(address) }
    }

    /// Opens the store of a database to copy into it; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:files:readerCount:)``.
    ///   - folder: The folder for the bytes of files; created if there is none.
    /// - Returns: The store; nodes refuse to open it until the migration is finished.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``.
    public static func openTarget(_ address: String, files folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(files: folder, isSource: false) { try LibpqConnection(address) }
    }
}
