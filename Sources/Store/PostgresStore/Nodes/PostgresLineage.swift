import ChatCore
import Foundation
import MessageStore
import Synchronization

/// The server and the log that a node uses: after a failover no connection stays with the old server, and a log that
/// went back gets another epoch.
///
/// The highest timeline and the end of the log are remembered in the node's folder, and in the database.
final class PostgresLineage: Sendable {
    private struct State {
        /// The server that connections use; nil if there is none.
        var current: PostgresOrigin?
        var memory: LogMemory
        /// As it is in the file.
        var saved: LogMemory
        /// Whether the log is compared: its tables are there.
        var isChecking = false
        /// A lower timeline that the operator accepts.
        var accepted: Int64?
    }

    private let file: LogMemoryFile?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - folder: The folder of the node; nil for a process that remembers nothing, such as a migration.
    ///   - accepted: A timeline that may be used although a higher one was; nil for none.
    init(folder: URL? = nil, accepting accepted: Int64? = nil) {
        file = folder.map { LogMemoryFile(in: $0) }
        let memory = file?.read() ?? LogMemory()
        state = Mutex(State(memory: memory, saved: memory, accepted: accepted))
    }

    /// Opens a connection, and compares the log behind it with the memory.
    ///
    /// - Throws: ``PostgresFailure``, also for a server that was replaced by a promoted one.
    func connect(_ open: () throws -> any PostgresLink) throws -> any PostgresLink {
        let link = try open()
        do {
            try admit(link.origin)
            if state.withLock({ $0.isChecking }) { _ = try check(link) }
            try use(link.origin)
            return link
        } catch {
            link.close()
            throw error
        }
    }

    /// Whether no later connection has found another server.
    func isCurrent(_ origin: PostgresOrigin) -> Bool { state.withLock { $0.current == origin } }

    /// Lets all connections to a server end, because it is read-only now.
    func leave(_ origin: PostgresOrigin) { state.withLock { if $0.current == origin { $0.current = nil } } }

    /// Lets all connections move to a server that accepts writes, if it is newer than theirs.
    ///
    /// - Parameters:
    ///   - origin: The server.
    ///   - isOnly: Whether the address leads to this server alone, so that it is used though it belongs to another
    ///     cluster.
    /// - Returns: Whether they move.
    func rememberFound(_ origin: PostgresOrigin, isOnly: Bool) -> Bool {
        state.withLock { state in
            guard let current = state.current, current != origin, state.memory.newer(than: origin) == nil,
                current.isOlder(than: origin) || (isOnly && current.system != origin.system)
            else { return false }
            state.current = origin
            state.memory.use(origin)
            return true
        }
    }

    /// Compares the log from now on, and at each new connection.
    ///
    /// - Throws: ``PostgresFailure``.
    func begin(_ link: any PostgresLink) throws {
        guard file != nil else { return }
        state.withLock { $0.isChecking = true }
        _ = try check(link)
    }

    /// Notes a row of the log that this node wrote.
    func remember(_ mark: LogMemory.Mark, of origin: PostgresOrigin) {
        state.withLock { $0.memory.remember(mark, of: origin) }
    }

    /// Stores the memory in the node's folder, if it has changed; called by one thread.
    func save() {
        let changed = state.withLock { state -> LogMemory? in
            guard state.isChecking, state.memory != state.saved else { return nil }
            state.saved = state.memory
            return state.memory
        }
        if let changed { file?.write(changed) }
    }

    /// Reads the end of the log; begins another epoch if it is not the log that this node remembers.
    ///
    /// - Throws: ``PostgresFailure``, also for a server with a lower timeline than the database has seen.
    func check(_ link: any PostgresLink) throws -> LogMemory.State {
        let memory = state.withLock { $0.memory }
        var found = try Self.read(link, comparedWith: memory)
        if memory.isLost(in: found, at: link.origin) {
            try link.run(Self.newEpoch(instead: found.epoch, memory.epoch))
            found = try Self.read(link, comparedWith: memory)
        }
        if found.timeline > link.origin.timeline, !accepts(link.origin) {
            throw Self.refusal(of: link.origin, after: found.timeline)
        }
        if found.timeline != link.origin.timeline, file != nil { try link.run(Self.recordTimeline(link.origin)) }
        state.withLock { state in
            state.memory.remember(found, of: link.origin)
            state.memory.use(link.origin)
            // It is accepted once: an old primary that comes back later is refused.
            state.accepted = nil
        }
        return found
    }

    private func accepts(_ origin: PostgresOrigin) -> Bool { state.withLock { $0.accepted == origin.timeline } }

    private func admit(_ origin: PostgresOrigin) throws(PostgresFailure) {
        guard let newer = state.withLock({ $0.memory.newer(than: origin) }), !accepts(origin) else { return }
        throw Self.refusal(of: origin, after: newer.timeline)
    }

    /// Another connection may have found a newer server meanwhile.
    private func use(_ origin: PostgresOrigin) throws(PostgresFailure) {
        let newer = state.withLock { state -> PostgresOrigin? in
            if let newer = state.memory.newer(than: origin), state.accepted != origin.timeline { return newer }
            state.memory.use(origin)
            state.current = origin
            return nil
        }
        if let newer { throw Self.refusal(of: origin, after: newer.timeline) }
    }

    private static func refusal(of origin: PostgresOrigin, after timeline: Int64) -> PostgresFailure {
        PostgresFailure(
            code: PostgresFailure.readOnlyCode,
            reason: """
                this server of PostgreSQL has timeline \(origin.timeline), but timeline \(timeline) was in use: it is \
                an old primary, or an older copy; stop it, or set store.accept-timeline=\(origin.timeline)
                """)
    }
}

/// The statements.
extension PostgresLineage {
    /// Of a step of ``PostgresSchema``.
    ///
    /// Old rows of the log get no mark, so that adding the column writes none of them.
    static let tables = """
        ALTER TABLE changes ADD COLUMN mark BIGINT;
        ALTER TABLE changes ALTER COLUMN mark SET DEFAULT floor(random() * 9007199254740991)::bigint + 1;
        CREATE TABLE log_servers (
            system BIGINT PRIMARY KEY,
            timeline BIGINT NOT NULL
        );
        CREATE TABLE ended_epochs (
            epoch BIGINT PRIMARY KEY
        );

        """

    /// Values: the server's cluster, the epoch of the memory, numbers and marks of the memory.
    private static let question = """
        SELECT l.epoch, c.head, COALESCE((SELECT e.mark FROM changes e WHERE e.number = c.head), 0),
            EXISTS (SELECT 1 FROM ended_epochs WHERE epoch = $2),
            EXISTS (SELECT 1 FROM unnest($3::bigint[], $4::bigint[]) AS known(number, mark)
                JOIN changes e ON e.number = known.number WHERE COALESCE(e.mark, 0) <> known.mark),
            COALESCE((SELECT timeline FROM log_servers WHERE system = $1), 0)
        FROM change_log l, change_lanes c WHERE c.lane = 0
        """

    private static func read(_ link: any PostgresLink, comparedWith memory: LogMemory) throws -> LogMemory.State {
        let marks = memory.origin == link.origin ? memory.marks : []
        let values: [SQLValue] = [
            .integer(link.origin.system), .integer(memory.epoch), .list(.numbers(marks.map(\.number))),
            .list(.numbers(marks.map(\.mark))),
        ]
        let row = try link.execute(question, values, isKept: true).rows.first ?? []
        let numbers = row.compactMap { value -> Int64? in if case .integer(let number) = value { number } else { nil } }
        guard numbers.count == 6 else { throw PostgresFailure(code: nil) }
        return LogMemory.State(
            epoch: numbers[0], end: LogMemory.Mark(number: numbers[1], mark: numbers[2]), knowsEnd: numbers[3] == 1,
            differs: numbers[4] == 1, timeline: numbers[5])
    }

    /// Of several nodes that find the log replaced, one begins the epoch.
    private static func newEpoch(instead stored: Int64, _ remembered: Int64) -> String {
        """
        BEGIN;
        SELECT head FROM change_lanes WHERE lane = 0 FOR UPDATE;
        INSERT INTO ended_epochs (epoch) VALUES (\(stored)), (\(remembered)) ON CONFLICT DO NOTHING;
        UPDATE change_log SET epoch = \(Int64.random(in: 0...0xFFFF_FFFF_FFFF)) WHERE epoch = \(stored);
        COMMIT
        """
    }

    /// It is noted again if it is lost, so it need not wait for a disk or a standby.
    private static func recordTimeline(_ origin: PostgresOrigin) -> String {
        """
        BEGIN;
        SET LOCAL synchronous_commit = off;
        INSERT INTO log_servers (system, timeline) VALUES (\(origin.system), \(origin.timeline))
            ON CONFLICT (system) DO UPDATE SET timeline = excluded.timeline;
        COMMIT
        """
    }
}
