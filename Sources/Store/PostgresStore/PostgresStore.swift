package import Foundation
package import MessageStore

/// Opens stores in PostgreSQL.
package enum PostgresStore {
    /// Opens the store of a database; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - folder: The folder of this node, with caches that may be deleted; created if there is none.
    ///   - readerCount: The number of connections besides the one that writes.
    ///   - acceptsLoss: Whether the server may run with `synchronous_commit=off`: if it crashes, the last messages that
    ///     were acknowledged are lost.
    ///   - acceptedTimeline: A timeline of the server that may be used although this node, or another one, has used a
    ///     higher one; nil for none.
    /// - Returns: The store; other nodes can open the database, too.
    /// - Throws: ``StoreOpenError``; ``RepositoryError/fromTheFuture(found:)``,
    ///   ``RepositoryError/unavailable(reason:)``.
    package static func open(
        _ address: PostgresAddress, folder: URL, readerCount: Int = 8, acceptsLoss: Bool = false,
        acceptedTimeline: Int64? = nil
    ) async throws -> SQLStore {
        let servers = PostgresServers(address)
        return try await SQLStore.open(
            folder: folder, readerCount: readerCount, acceptsLoss: acceptsLoss, acceptedTimeline: acceptedTimeline,
            survey: { servers.look($0) }, connect: { try servers.connect() })
    }

    /// Makes the tables of a database, or those that this release adds; nodes may run meanwhile.
    ///
    /// - Parameter address: The database, with a role that may change its tables.
    /// - Throws: ``StoreOpenError``; ``RepositoryError``.
    package static func makeTables(_ address: PostgresAddress) async throws {
        try await SQLStore.makeTables(connecting(to: address))
    }

    /// Opens the store of a database to copy from it.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:folder:readerCount:)``.
    ///   - folder: A folder of this process.
    /// - Returns: The store; other nodes must not write meanwhile.
    /// - Throws: ``MigrationError/noSource``, ``StoreOpenError``, ``RepositoryError``.
    package static func openSource(_ address: PostgresAddress, folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(folder: folder, isSource: true, connect: connecting(to: address))
    }

    /// Opens the store of a database to copy into it; creates the tables if needed.
    ///
    /// - Parameters:
    ///   - address: As for ``open(_:folder:readerCount:)``.
    ///   - folder: A folder of this process; created if there is none.
    /// - Returns: The store; nodes refuse to open it until the migration is finished.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``.
    package static func openTarget(_ address: PostgresAddress, folder: URL) async throws -> SQLStore {
        try await SQLStore.openForMigration(folder: folder, isSource: false, connect: connecting(to: address))
    }

    private static func connecting(to address: PostgresAddress) -> @Sendable () throws -> any PostgresLink {
        let servers = PostgresServers(address)
        return { try servers.connect() }
    }
}
