/// The tables of a store, in the words of SQLite; PostgreSQL gets a translation of them.
///
/// Times are microseconds since 1970. Numbers are never reused (`AUTOINCREMENT`), because followers of the change log keep
/// them. What only one database has is beside its engine.
package enum StoreSchema {
    /// A change to the tables.
    package struct Step: Sendable {
        /// Ascending, after ``StoreSchema/version``; a step that was released is never changed or removed.
        package let number: Int
        package let sql: String

        package init(number: Int, sql: String) { (self.number, self.sql) = (number, sql) }
    }

    /// The number of ``tables``, which release 0.2.0 began with.
    package static let version = 15

    /// The changes since then; a new database takes them, too.
    package static let steps = [
        // What cosines say in the space of a generation.
        Step(
            number: 16,
            sql: """
                ALTER TABLE generations ADD COLUMN cosine_mean REAL;
                ALTER TABLE generations ADD COLUMN cosine_contrast REAL;
                """),
        Step(number: 17, sql: outdatedAnswers),
        // Sessions of assistants. client: the SHA-256 of the program's id; NULL for a session of the person.
        Step(
            number: 18,
            sql: """
                ALTER TABLE account_sessions ADD COLUMN client BLOB;
                ALTER TABLE account_sessions ADD COLUMN client_name TEXT;
                ALTER TABLE account_sessions ADD COLUMN scopes TEXT;
                """ + assistantReadings),
        Step(number: 19, sql: connectors),
        Step(number: 20, sql: schedules),
        // Words of documents. reading_tries: how often the reading of a file was begun; NULL: it is not waited for.
        Step(
            number: 22,
            sql: """
                ALTER TABLE files ADD COLUMN reading_tries INTEGER;
                UPDATE files SET reading_tries = 0
                    WHERE message IS NOT NULL AND media_type IN ('application/pdf', 'application/zip');
                CREATE INDEX files_to_read ON files (reading_tries, number) WHERE reading_tries IS NOT NULL;
                """),
        Step(number: 23, sql: remoteFiles),
        Step(number: 24, sql: savedMessages),
        Step(number: 25, sql: remindersAndScheduledMessages),
        Step(number: 26, sql: profiles),
        Step(number: 27, sql: connections),
        Step(number: 28, sql: erasedUsers),
        Step(number: 29, sql: verdicts),
        Step(number: 30, sql: auditLog),
        Step(number: 31, sql: personLinks),
    ]

    /// Each column is on a separate line.
    package static let tables = conversations + messages + embedding + assistant + people
}
