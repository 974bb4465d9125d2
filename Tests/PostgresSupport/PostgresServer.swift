import ChatCore
package import Foundation
package import MessageStore
package import PostgresStore
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A PostgreSQL server in a temporary folder; it ends with the value, or with the process.
package final class PostgresServer: Sendable {
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
    private let programs: PostgresPrograms
    private let state = Mutex(State())
    /// Ends when the process ends, which stops the server.
    private let lifeline = Pipe()

    private init(in folder: URL, programs: PostgresPrograms) { (self.folder, self.programs) = (folder, programs) }

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
        try await PostgresStore.withNode(at: address, body)
    }

    private func run(_ statement: String) throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run(statement)
    }

    /// Starts a separate server.
    package static func start() async throws -> PostgresServer {
        let programs = try PostgresPrograms()
        let server = PostgresServer(in: try programs.makeFolder(), programs: programs)
        try await server.serve()
        return server
    }

    private var options: String {
        "\(PostgresPrograms.options) -c unix_socket_directories=\(folder.path) -c max_connections=400"
    }

    /// Starts the server under a shell that stops it, and removes its folder, when our process ends.
    private func serve() async throws {
        try await programs.run(
            """
            \(programs.folder)/initdb -D data -U nexus -E UTF8 --locale=C --auth=trust --no-sync
            \(programs.folder)/pg_ctl start -w -D data -l server.log -o "\(options)"
            """, in: folder,
            end: """
                \(programs.folder)/pg_ctl stop -w -m immediate -D data >/dev/null 2>&1
                rm -rf \(folder.path)
                """, lifeline: lifeline)
    }

    /// Kills the server as a crash does, and starts it again.
    package func crash() async throws {
        try await programs.run(
            "\(programs.folder)/pg_ctl restart -w -m immediate -D data -l server.log", in: folder)
    }

    /// Stops the server, keeps a copy of its folder, and starts it again.
    package func copyFolder() async throws {
        try await programs.run(
            """
            \(programs.folder)/pg_ctl stop -w -m fast -D data
            cp -a data copy
            \(programs.folder)/pg_ctl start -w -D data -l server.log -o "\(options)"
            """, in: folder)
    }

    /// Starts the server with the copy of its folder, as an operator does who restores an older copy of a disk.
    package func goBack() async throws {
        try await programs.run(
            """
            \(programs.folder)/pg_ctl stop -w -m fast -D data
            rm -rf data
            cp -a copy data
            \(programs.folder)/pg_ctl start -w -D data -l server.log -o "\(options)"
            """, in: folder)
    }

    /// The log of the server.
    package func serverLog() throws -> String {
        try String(contentsOf: folder.appending(path: "server.log"), encoding: .utf8)
    }

    /// Overwrites the first page of a table, as a bad disk does, and starts the server again.
    package func damage(_ table: String, in address: String) async throws {
        let connection = try LibpqConnection(address)
        defer { connection.close() }
        try connection.run("CHECKPOINT")
        let rows = try connection.execute("SELECT pg_relation_filepath('\(table)')", [], isKept: false).rows
        guard case .text(let path)? = rows.first?.first else { throw PostgresFailure(code: nil) }
        let file = try FileHandle(forUpdating: folder.appending(path: "data/\(path)"))
        try file.write(contentsOf: Data(repeating: 0xEE, count: 8_192))
        try file.close()
        try await crash()
    }

    /// Calls a body with a relay to the server, and with the address of a database behind it.
    package func withRelay(
        to address: String, delay: Duration = .zero, _ body: (PostgresRelay, PostgresAddress) async throws -> Void
    ) async throws {
        let relay = try PostgresRelay(to: folder, delay: delay)
        defer { relay.close() }
        let behind = address.replacingOccurrences(of: folder.path, with: relay.folder.path)
        try await body(relay, try #require(PostgresAddress(behind)))
    }

    /// Calls a body with PgBouncer before the server, and with the address of a database behind it.
    package func withBouncer(
        to address: String, mode: PostgresBouncer.PoolMode, _ body: (PostgresBouncer, String) async throws -> Void
    ) async throws {
        let bouncer = try await PostgresBouncer(before: folder, mode: mode)
        let behind = address.replacingOccurrences(of: "host=\(folder.path)", with: bouncer.address)
        try await body(bouncer, behind)
    }

    /// Returns the number in the first row of a statement in a database.
    package func number(_ sql: String, in address: String) throws -> Int64? {
        try RestartedDatabase(address, of: self).number(sql)
    }

    /// Ends all connections to a database.
    package func disconnect(_ address: String) throws {
        try RestartedDatabase(address, of: self).disconnect()
    }
}

extension PostgresStore {
    /// Opens the store of a connection string.
    package static func open(
        _ text: String, folder: URL, readerCount: Int = 8, acceptsLoss: Bool = false, acceptedTimeline: Int64? = nil
    ) async throws -> SQLStore {
        let address = try #require(PostgresAddress(text))
        return try await open(
            address, folder: folder, readerCount: readerCount, acceptsLoss: acceptsLoss,
            acceptedTimeline: acceptedTimeline)
    }

    /// Calls a body with the store of a node in a temporary folder; closes it.
    package static func withNode(
        at address: String, readerCount: Int = 3, _ body: (SQLStore) async throws -> Void
    ) async throws {
        try await withNode(at: try #require(PostgresAddress(address)), readerCount: readerCount, body)
    }

    /// Calls a body with the store of a node in a temporary folder; closes it.
    ///
    /// - Parameters:
    ///   - address: The database.
    ///   - readerCount: The connections that read.
    ///   - answerLimit: How long an answer may take.
    ///   - body: Uses the store.
    /// - Throws: What opening the store and the body throw.
    package static func withNode(
        at address: PostgresAddress, readerCount: Int = 3, answerLimit: Duration = .seconds(60),
        _ body: (SQLStore) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "node-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, readerCount: readerCount) {
            try LibpqConnection(address, answerLimit: answerLimit)
        }
        do {
            try await body(store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
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

/// Calls a body until the store can be used.
package func untilReached<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
        do { return try await body() } catch RepositoryError.unavailable { await shortPause() }
    }
}
