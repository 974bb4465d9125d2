import ChatCore
import Glibc
import MessageStore

/// Steps that add to the tables of ``version``, while nodes of an earlier release write the same database.
///
/// Such a node does not know a new step, and must not fail because of it. So a step only adds tables, indexes on small
/// tables, and columns with a default, which earlier statements leave out; or it removes something that no statement
/// needs. It never locks a table of messages for long. A later release removes the parts that only earlier nodes need,
/// and raises ``version``, so that those nodes refuse to start.
extension PostgresSchema {
    /// A change to the tables.
    struct Step: Sendable {
        /// Ascending; a step that was released is never changed or removed.
        let number: Int64
        let sql: String
    }

    static let steps = [
        Step(number: 1, sql: "ALTER TABLE conversations SET (fillfactor = 50);"),
        Step(number: 2, sql: PostgresKeptResponses.table),
        Step(number: 3, sql: PostgresBuckets.table),
        Step(number: 4, sql: PostgresTokenCount.table),
        Step(number: 5, sql: PostgresRosterVersion.table),
        Step(number: 6, sql: PostgresReference.drop),
        Step(number: 7, sql: "ALTER TABLE push_devices ADD COLUMN session TEXT COLLATE \"C\";"),
        Step(number: 8, sql: readingSpans + PostgresRosterVersion.triggersOfSpans),
        Step(number: 9, sql: "ALTER TABLE members ADD COLUMN reached_seq BIGINT NOT NULL DEFAULT 0;"),
        Step(number: 10, sql: linkMakers),
        Step(number: 11, sql: PostgresLineage.tables),
        Step(number: 12, sql: memberNames + PostgresRosterVersion.triggersOfInvitations),
    ]

    /// See ``Schema/version15``.
    private static let linkMakers = """
        ALTER TABLE account_links ADD COLUMN made_at BIGINT;
        ALTER TABLE account_links ADD COLUMN maker TEXT COLLATE "C";
        ALTER TABLE account_links ADD COLUMN maker_key TEXT COLLATE "C";
        CREATE INDEX account_links_by_maker ON account_links (maker) WHERE maker IS NOT NULL;

        """

    /// See ``Schema/version13``.
    private static let readingSpans = """
        ALTER TABLE conversations ADD COLUMN history TEXT COLLATE "C" NOT NULL DEFAULT 'all';
        CREATE TABLE reading_spans (
            conversation BIGINT NOT NULL REFERENCES conversations,
            user_id TEXT COLLATE "C" NOT NULL,
            since BIGINT NOT NULL,
            until BIGINT,
            PRIMARY KEY (conversation, user_id, since)
        );

        """

    private static let stepTable = """
        CREATE TABLE schema_steps (
            number BIGINT PRIMARY KEY,
            taken_at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
        );

        """

    /// Takes the steps that are missing, each in a transaction; of several nodes one does it, and the others wait.
    ///
    /// Steps of a later release are left alone.
    ///
    /// - Throws: ``PostgresFailure``, also if a table stays locked: then the next start continues.
    static func takeSteps(_ session: PostgresSession) throws {
        if try missingSteps(session).isEmpty { return }
        for step in steps {
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

    private static func take(_ step: Step, _ session: PostgresSession) throws {
        try locked(session) {
            if try !hasTable("schema_steps", session) { try session.runScript(stepTable) }
            guard try missingSteps(session).contains(step.number) else { return }
            try session.runScript("SET LOCAL lock_timeout = '\(lockTimeout)'")
            try session.runScript(step.sql)
            try session.runScript("INSERT INTO schema_steps (number) VALUES (\(step.number))")
        }
    }

    private static func missingSteps(_ session: PostgresSession) throws -> Set<Int64> {
        let numbers = Set(steps.map(\.number))
        guard try hasTable("schema_steps", session) else { return numbers }
        let taken = try session.rows("SELECT number FROM schema_steps", []).map { $0[0] as Int64 }
        return numbers.subtracting(taken)
    }
}
