import ChatCore
import MessageStore
import Synchronization

/// Keeps the planner's statistics up to date while a database grows quickly.
///
/// PostgreSQL does so itself, but only once a minute. Until then it plans for empty tables, and reads far too much.
/// This uses its own connection, which is open only while it gathers statistics.
final class PostgresStatistics: Sendable {
    /// They are gathered again when the log has grown by its length, within these bounds.
    private static let steps: ClosedRange<Int64> = 200...100_000
    /// The shortest time between two runs.
    private static let shortestPause: Duration = .seconds(5)
    /// Gathering takes at most one part in this many of the time of a core.
    private static let shareDivisor = 20

    private struct State {
        /// They are due at this number of changes.
        var next: Int64
        /// Nil while they are being gathered.
        var earliest: ContinuousClock.Instant? = .now
    }

    private let slot: PostgresPool.Slot
    private let state: Mutex<State>

    /// - Parameters:
    ///   - end: The end of the change log.
    ///   - areMissing: Whether there are no statistics yet.
    ///   - connect: Opens a connection; may block.
    init(at end: ChangeCursor, areMissing: Bool, connect: @escaping PostgresPool.Connect) {
        slot = PostgresPool.Slot("nexus.postgres.statistics", connect)
        let number = end.positions[0].rawValue
        state = Mutex(State(next: areMissing ? Self.steps.lowerBound : Self.following(number)))
        follow(end)
    }

    /// Whether the store's largest table has no statistics, as after a restore.
    static func areMissing(in session: PostgresSession) throws -> Bool {
        let sql = "SELECT reltuples <= 0 FROM pg_class WHERE oid = 'messages'::regclass"
        return try session.execute(sql).rows == [[.integer(1)]]
    }

    private static func following(_ number: Int64) -> Int64 {
        number.addingClamped(min(max(number, steps.lowerBound), steps.upperBound))
    }

    /// Gathers statistics if the log has grown enough.
    func follow(_ end: ChangeCursor) {
        let number = end.positions[0].rawValue
        let isDue = state.withLock { state in
            guard number >= state.next, let earliest = state.earliest, earliest <= .now else { return false }
            state = State(next: Self.following(number), earliest: nil)
            return true
        }
        if isDue { slot.run { [weak self] in self?.gather(try? $0.get()) } }
    }

    private func gather(_ session: PostgresSession?) {
        let start = ContinuousClock.now
        try? session?.withoutLimit { if let session { try Self.analyze(session) } }
        session?.close()
        let end = ContinuousClock.now
        state.withLock { $0.earliest = end + max(Self.shortestPause, start.duration(to: end) * Self.shareDivisor) }
    }

    /// The number of the advisory lock of a node that gathers statistics.
    private static let lock = 7_236_837_203

    /// Gathers statistics, if no other node does so now.
    ///
    /// PostgreSQL itself analyzes the tables that are locked now.
    private static func analyze(_ session: PostgresSession) throws {
        let isFree = try session.execute("SELECT pg_try_advisory_lock(\(lock))", isKept: false).rows == [[.integer(1)]]
        guard isFree, let tables = try PostgresSchema.ownTables(session, isFree: true) else { return }
        try session.runScript("ANALYZE (SKIP_LOCKED) \(tables)")
    }

    /// Closes the connection after a run that has begun.
    func close() async { await slot.close() }
}
