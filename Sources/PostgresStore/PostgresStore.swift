public import Foundation
public import MessageStore

/// Opens stores in PostgreSQL.
public enum PostgresStore {
    /// Opens the store of a database; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - folder: The folder of this node, with caches that may be deleted; created if there is none.
    ///   - readerCount: The number of connections besides the one that writes.
    ///   - acceptsLoss: Whether the server may run with `synchronous_commit=off`: if it crashes, the last messages that
    ///     were acknowledged are lost.
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    public static func open(
        _ address: PostgresAddress, folder: URL, readerCount: Int = 8, acceptsLoss: Bool = false
    ) async throws -> SQLStore {
        try await SQLStore.open(folder: folder, readerCount: readerCount, acceptsLoss: acceptsLoss) {
            try LibpqConnection(address)
        }
    }

    /// Opens the store of a database to copy from it.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:folder:readerCount:)``.
    ///   - folder: A folder of this process.
    /// - Returns: The store; other nodes must not write meanwhile.
    /// - Throws: ``MigrationError/noSource``, ``StoreOpenError``, ``RepositoryError``.
    public static func openSource(_ address: PostgresAddress, folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(folder: folder, isSource: true) { try LibpqConnection(address) }
    }

    /// Opens the store of a database to copy into it; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:folder:readerCount:)``.
    ///   - folder: A folder of this process; created if there is none.
    /// - Returns: The store; nodes refuse to open it until the migration is finished.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``.
    public static func openTarget(_ address: PostgresAddress, folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(folder: folder, isSource: false) { try LibpqConnection(address) }
    }
}
