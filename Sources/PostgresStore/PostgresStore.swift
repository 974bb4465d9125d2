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
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    public static func open(
        _ address: PostgresAddress, folder: URL, readerCount: Int = 8
    ) async throws -> SQLStore {
        try await SQLStore.open(folder: folder, readerCount: readerCount) { try LibpqConnection(address) }
    }
}
