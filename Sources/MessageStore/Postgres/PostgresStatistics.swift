import ChatCore
import Synchronization

/// Keeps the planner's statistics up to date while a database grows quickly.
///
/// PostgreSQL does so itself, but only once a minute. Until then plans are those of empty tables, which read far too much.
/// It uses a connection of its own, which is open meanwhile.
final class PostgresStatistics: Sendable {
    /// The first number of changes after which they are gathered.
    private static let firstCount: Int64 = 200
    /// How many times as many changes there are the next time.
    private static let growth: Int64 = 5

    private let slot: PostgresPool.Slot
    private let next: Mutex<Int64>

    /// - Parameters:
    ///   - end: The end of the change log.
    ///   - areMissing: Whether there are no statistics yet.
    ///   - connect: Opens a connection; may block.
    init(at end: ChangeCursor, areMissing: Bool, connect: @escaping PostgresPool.Connect) {
        slot = PostgresPool.Slot("nexus.postgres.statistics", connect)
        let next = Self.following(end.positions[0].rawValue)
        self.next = Mutex(areMissing ? Self.firstCount : next)
        note(end)
    }

    /// Whether the store's largest table has no statistics, as after a restore.
    static func areMissing(in session: PostgresSession) throws -> Bool {
        let sql = "SELECT reltuples <= 0 FROM pg_class WHERE oid = 'messages'::regclass"
        return try session.execute(sql).rows == [[.integer(1)]]
    }

    private static func following(_ number: Int64) -> Int64 {
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: growth)
        return isTooLarge ? .max : max(firstCount, product)
    }

    /// Gathers statistics if the log has grown enough.
    func note(_ end: ChangeCursor) {
        let number = end.positions[0].rawValue
        let isDue = next.withLock { next in
            guard number >= next else { return false }
            next = Self.following(number)
            return true
        }
        guard isDue else { return }
        slot.run { session in
            guard let session = try? session.get() else { return }
            // Tables on which somebody works are left to PostgreSQL.
            try? session.withoutLimit { try session.run("ANALYZE (SKIP_LOCKED)") }
            session.close()
        }
    }

    /// Ends after what has begun.
    func close() async { await slot.close() }
}
