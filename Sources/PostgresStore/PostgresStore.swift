public import Foundation
public import MessageStore

/// Opens stores in PostgreSQL.
public enum PostgresStore {
    /// Opens the store of a database; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: A connection string or URI, as libpq reads it; it may hold a password, which is not kept in errors.
    ///   - folder: A folder of this node, for files that are derived from the database; created if there is none.
    ///   - readerCount: The number of connections besides the one that writes.
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    public static func open(_ address: String, files folder: URL, readerCount: Int = 8) async throws -> SQLStore {
        try await SQLStore.open(files: folder, readerCount: readerCount) { try LibpqConnection(address) }
    }
}
