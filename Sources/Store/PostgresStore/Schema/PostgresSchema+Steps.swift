import ChatCore
import Glibc
import MessageStore

/// Steps that add to the tables, while nodes of an earlier release write the same database.
///
/// Such a node does not know a new step, and must not fail because of it. So a step only adds tables, indexes on small
/// tables, and columns with a default, which earlier statements leave out; or it removes something that no statement
/// needs. It never locks a table of messages for long. A later release removes the parts that only earlier nodes need,
/// and raises ``StoreSchema/version``, so that those nodes refuse to start.
extension PostgresSchema {
    /// Takes the steps that are missing, each in a transaction; of several nodes one does it, and the others wait.
    ///
    /// Steps of a later release are left alone.
    ///
    /// - Throws: ``PostgresFailure``, also if a table stays locked: then the next start continues.
    static func take(_ steps: [StoreSchema.Step], _ session: PostgresSession) throws {
        let taken = try takenSteps(session)
        for step in steps where !taken.contains(step.number) {
            var tryCount = 1
            while true {
                do {
                    try take(step, session)
                    break
                } catch let failure as PostgresFailure where isBusy(failure) && tryCount < Self.tryCount {
                    tryCount += 1
                    usleep(pause)
                }
            }
        }
    }

    /// How long a step waits for a lock.
    ///
    /// Statements of other nodes wait behind it. It gives up before PostgreSQL looks for deadlocks (after a second),
    /// which would end a statement of another node.
    private static let lockTimeout = "300ms"
    /// How often a step is tried.
    private static let tryCount = 20
    /// The time between two tries, in microseconds.
    private static let pause: UInt32 = 200_000

    /// Whether a lock was not available: 55P03, or 40P01 for a deadlock.
    private static func isBusy(_ failure: PostgresFailure) -> Bool { ["55P03", "40P01"].contains(failure.code) }

    private static func take(_ step: StoreSchema.Step, _ session: PostgresSession) throws {
        try locked(session) {
            guard try !takenSteps(session).contains(step.number) else { return }
            try session.runScript("SET LOCAL lock_timeout = '\(lockTimeout)'")
            try session.runScript(translated(step.sql))
            try session.runScript("INSERT INTO schema_steps (number) VALUES (\(step.number))")
        }
    }

    static func takenSteps(_ session: PostgresSession) throws -> Set<Int> {
        Set(try session.rows("SELECT number FROM schema_steps", []).map { $0[0] as Int })
    }
}
