import Foundation

/// PgBouncer in front of a server of tests; it ends with the value, or with the process.
package final class PostgresBouncer: Sendable {
    /// How long a client keeps its connection to the server.
    package enum PoolMode: String, Sendable {
        /// Until it disconnects.
        case session
        /// Until its transaction ends.
        case transaction
    }

    private let folder: URL
    private let programs: PostgresPrograms
    /// Ends when the process ends, which stops PgBouncer.
    private let lifeline = Pipe()

    /// - Parameters:
    ///   - server: The folder of the server's socket.
    ///   - mode: The mode of its pools.
    /// - Throws: ``PostgresPrograms/Failure``.
    init(before server: URL, mode: PoolMode) async throws {
        programs = try PostgresPrograms()
        folder = try programs.makeFolder()
        let configuration = """
            [databases]
            * = host=\(server.path) user=nexus
            [pgbouncer]
            unix_socket_dir = \(folder.path)
            auth_type = any
            pool_mode = \(mode.rawValue)
            default_pool_size = 50
            logfile = \(folder.path)/bouncer.log
            pidfile = \(folder.path)/bouncer.pid
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "bouncer.ini"))
        try await programs.run(
            Self.start, in: folder,
            end: """
                \(Self.stop)
                rm -rf \(folder.path)
                """, lifeline: lifeline)
    }

    private static let start = """
        /usr/sbin/pgbouncer -d -q bouncer.ini
        until [ -S .s.PGSQL.6432 ]; do sleep 0.1; done
        """
    private static let stop = """
        kill -TERM $(cat bouncer.pid)
        while [ -e bouncer.pid ]; do sleep 0.1; done
        """

    /// Stops it, which breaks all connections, and starts it again.
    package func restart() async throws { try await programs.run("\(Self.stop)\n\(Self.start)", in: folder) }

    /// The place of its socket, as in a connection string.
    package var address: String { "host=\(folder.path) port=6432" }
}
