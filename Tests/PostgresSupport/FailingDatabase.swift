import MessageStore
import PostgresStore

/// A database whose server fails when a test wants it to.
package protocol FailingDatabase: Sendable {
    /// The address of whatever takes writes.
    var address: String { get }

    /// Kills the server as a crash does; at the return it, or another one, takes writes again.
    func fail() async throws
}

extension FailingDatabase {
    /// Returns the number in the first row of a statement.
    package func number(_ sql: String) throws -> Int64? {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        guard case .integer(let number)? = try connection.execute(sql, [], isKept: false).rows.first?.first else {
            return nil
        }
        return number
    }

    /// Ends all other connections to the database.
    package func disconnect() throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }
}

/// One of the databases of a server, which starts again when it is killed.
package struct RestartedDatabase: FailingDatabase {
    private let server: PostgresServer
    package let address: String

    package init(_ address: String, of server: PostgresServer) { (self.server, self.address) = (server, address) }

    package func fail() async throws { try await server.crash() }
}

/// The standby takes over, and later starts again.
extension PostgresPair: FailingDatabase {
    package func fail() async throws {
        let isFirst = "SELECT (left(pg_walfile_name(pg_current_wal_lsn()), 8) = '00000001')::int::bigint"
        if try number(isFirst) == 1 {
            try await kill(.first)
            try await promote()
        } else {
            try await kill(.second)
            try await start(.second)
        }
    }
}
