package import Foundation
import PostgresStore

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
    private let mode: PoolMode
    /// Ends when the process ends, which stops PgBouncer.
    private let lifeline = Pipe()

    /// - Parameters:
    ///   - server: The folder of the server's socket.
    ///   - mode: The mode of its pools.
    /// - Throws: ``PostgresPrograms/Failure``.
    package init(before server: URL, mode: PoolMode) async throws {
        programs = try PostgresPrograms()
        folder = try programs.makeFolder()
        self.mode = mode
        try configure(server)
        try await programs.run(
            Self.start, in: folder,
            end: """
                \(Self.stop)
                rm -rf \(folder.path)
                """, lifeline: lifeline)
    }

    private func configure(_ server: URL) throws {
        let configuration = """
            [databases]
            postgres = host=\(server.path) user=nexus
            * = host=\(server.path) user=nexus
            [pgbouncer]
            unix_socket_dir = \(folder.path)
            auth_type = any
            admin_users = admin
            pool_mode = \(mode.rawValue)
            default_pool_size = 50
            logfile = \(folder.path)/bouncer.log
            pidfile = \(folder.path)/bouncer.pid
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "bouncer.ini"))
    }

    /// Leads to another server from now on, as an operator does: RELOAD and RECONNECT.
    ///
    /// Sessions keep their connections.
    package func lead(to server: URL) async throws {
        try configure(server)
        let psql = "\(programs.folder)/psql -h \(folder.path) -p 6432 -U admin pgbouncer -c"
        try await programs.run("\(psql) RELOAD\n\(psql) RECONNECT", in: folder)
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
