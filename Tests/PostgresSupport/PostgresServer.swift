package import Foundation
import Glibc
package import MessageStore
package import PostgresStore
import Synchronization
import TestSupport
import Testing

/// A PostgreSQL server in a temporary folder; it ends with the value, or with the process.
package final class PostgresServer: Sendable {
    /// The server cannot be started; the text says what to do.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let starting = Task { try await PostgresServer.start() }

    /// The server for all tests of a process; started by the first one that asks for it.
    package static func shared() async throws -> PostgresServer { try await starting.value }

    /// Databases that are used at the same time: each has several connections, of which the server has not too many.
    private static let databaseLimit = 24

    private struct State {
        var databaseCount = 0
        var freeCount = databaseLimit
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let folder: URL
    private let binaries: String
    private let state = Mutex(State())
    /// Ends when the process ends, which stops the server.
    private let lifeline = Pipe()

    private init(in folder: URL, binaries: String) { (self.folder, self.binaries) = (folder, binaries) }

    /// The address of its first database.
    package var address: String { "host=\(folder.path) user=nexus dbname=postgres" }

    /// Calls a body with the address of a new database, and drops the database.
    package func withDatabase(_ body: (String) async throws -> Void) async throws {
        await begin()
        defer { end() }
        let name = state.withLock { state in
            state.databaseCount += 1
            return "test_\(state.databaseCount)"
        }
        try run("CREATE DATABASE \(name)")
        try await body("host=\(folder.path) user=nexus dbname=\(name)")
        try run("DROP DATABASE \(name) WITH (FORCE)")
    }

    private func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.freeCount > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.freeCount -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst() }
            state.freeCount += 1
            return nil
        }
        next?.resume()
    }

    /// Calls a body with the store of a new database, and with its address; closes the store and drops the database.
    package func withStore(_ body: (SQLStore, String) async throws -> Void) async throws {
        try await withDatabase { address in
            try await withNode(at: address) { store in try await body(store, address) }
        }
    }

    /// Calls a body with the store of one more node on a database; closes it.
    package func withNode(at address: String, _ body: (SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await PostgresStore.open(address, folder: folder, readerCount: 3)
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func run(_ statement: String) throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run(statement)
    }

    /// Starts a server of one's own.
    package static func start() async throws -> PostgresServer {
        let roots = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        let version = roots.max { $0.compare($1, options: .numeric) == .orderedAscending }
        guard let version else { throw Failure(description: "PostgreSQL is missing: apt-get install postgresql") }
        // The path of a socket has at most 107 bytes.
        let folder = URL(filePath: "/tmp/nexus-pg-\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        let server = PostgresServer(in: folder, binaries: "/usr/lib/postgresql/\(version)/bin")
        // PostgreSQL refuses to run as root.
        if geteuid() == 0 {
            guard let user = getpwnam("postgres") else { throw Failure(description: "there is no user postgres") }
            chown(folder.path, user.pointee.pw_uid, user.pointee.pw_gid)
        }
        try await server.serve()
        return server
    }

    /// Starts the server under a shell that stops it, and removes its folder, when our process ends.
    private func serve() async throws {
        let data = "\(folder.path)/data"
        let options =
            "-c listen_addresses='' -c unix_socket_directories=\(folder.path) -c fsync=off -c full_page_writes=off -c autovacuum=off -c max_connections=400"
        let script = """
            trap '' INT HUP TERM
            \(binaries)/initdb -D \(data) -U nexus -E UTF8 --locale=C --auth=trust --no-sync >\(folder.path)/log 2>&1 \\
                && \(binaries)/pg_ctl start -w -D \(data) -l \(folder.path)/server.log -o "\(options)" \\
                    >>\(folder.path)/log 2>&1
            echo $?
            exec >/dev/null
            cat >/dev/null
            \(binaries)/pg_ctl stop -w -m immediate -D \(data) >/dev/null 2>&1
            rm -rf \(folder.path)
            """
        let process = self.process(["/usr/bin/setsid", "/bin/sh", "-c", script])
        process.standardInput = lifeline
        let output = Pipe()
        process.standardOutput = output
        try process.start()
        let answer = try await Task.detached { try output.fileHandleForReading.readToEnd() }.value
        guard let answer, String(decoding: answer, as: UTF8.self) == "0\n" else {
            throw Failure(description: "PostgreSQL does not start; see \(folder.path)/log")
        }
    }

    /// A command as the user that owns the server.
    private func process(_ command: [String]) -> Process {
        let own = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let command = (geteuid() == 0 ? own : []) + command
        let process = Process()
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.currentDirectoryURL = folder
        return process
    }

    /// Kills the server as a crash does, and starts it again.
    package func crash() async throws {
        let script = """
            \(binaries)/pg_ctl restart -w -m immediate -D \(folder.path)/data -l \(folder.path)/server.log >/dev/null 2>&1
            echo $?
            """
        let process = process(["/bin/sh", "-c", script])
        // Its end is not waited for: for Foundation a process runs until those that it started have ended.
        let output = Pipe()
        process.standardOutput = output
        try process.start()
        let answer = try await Task.detached { try output.fileHandleForReading.readToEnd() }.value
        guard let answer, String(decoding: answer, as: UTF8.self) == "0\n" else {
            throw Failure(description: "PostgreSQL does not start again")
        }
    }

    /// Returns the number in the first row of a statement in a database.
    package func number(_ sql: String, in address: String) throws -> Int64? {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        guard case .integer(let number)? = try connection.execute(sql, [], isKept: false).rows.first?.first else {
            return nil
        }
        return number
    }

    /// Ends all connections to a database.
    package func disconnect(_ address: String) throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
    }
}

extension PostgresStore {
    /// Opens the store of a connection string.
    package static func open(_ text: String, folder: URL, readerCount: Int = 8) async throws -> SQLStore {
        let address = try #require(PostgresAddress(text))
        return try await open(address, folder: folder, readerCount: readerCount)
    }

    /// Opens the source of a migration.
    package static func openSource(_ text: String, folder: URL) async throws -> SQLStore {
        try await openSource(try #require(PostgresAddress(text)), folder: folder)
    }

    /// Opens the target of a migration.
    package static func openTarget(_ text: String, folder: URL) async throws -> SQLStore {
        try await openTarget(try #require(PostgresAddress(text)), folder: folder)
    }
}

extension LibpqConnection {
    /// Opens a connection.
    package convenience init(_ text: String) throws {
        try self.init(try #require(PostgresAddress(text)))
    }
}
