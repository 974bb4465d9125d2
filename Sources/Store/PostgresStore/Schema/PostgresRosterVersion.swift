import ChatCore
import MessageStore

/// A number that changes with each change of a membership, of a conversation or of a user's kind, by any node; see
/// ``RosterMemory``.
///
/// It is drawn at random, so a server that takes over without the last commits never gives a number again.
enum PostgresRosterVersion {
    /// Row triggers, because statements such as `INSERT … ON CONFLICT` often change nothing; in a transaction only the first
    /// row costs a write.
    static let table = """
        CREATE TABLE roster_version (
            place BIGINT PRIMARY KEY,
            version BIGINT NOT NULL
        ) WITH (fillfactor = 10);
        INSERT INTO roster_version VALUES (0, (random() * 4e18)::bigint);

        CREATE FUNCTION note_roster() RETURNS TRIGGER LANGUAGE plpgsql AS $$
        BEGIN
            IF current_setting('nexus.roster', true) IS DISTINCT FROM txid_current()::text THEN
                UPDATE roster_version SET version = (random() * 4e18)::bigint WHERE place = 0;
                PERFORM set_config('nexus.roster', txid_current()::text, true);
            END IF;
            RETURN NULL;
        END $$;

        \(RosterMemory.events.enumerated().map(trigger).joined(separator: "\n"))

        """

    private static let versionAndEnd = """
        SELECT r.version, l.epoch, c.head FROM roster_version r, change_log l, change_lanes c
        WHERE r.place = 0 AND c.lane = 0
        """

    /// Returns the version, and the end of the change log, in one round trip.
    static func withEnd(in db: any SQLSession) throws -> (version: Int, end: ChangeCursor) {
        guard let row = try db.row(versionAndEnd) else { throw PostgresFailure(code: nil) }
        return (row[0], ChangeCursor(epoch: db.epoch(ofStored: row[1]), positions: [ChangeNumber(rawValue: row[2])]))
    }

    private static func trigger(_ number: Int, on event: String) -> String {
        let event = event.replacing("main.", with: "")
        return """
            CREATE TRIGGER note_roster_\(number) AFTER \(event) FOR EACH ROW EXECUTE FUNCTION note_roster();
            """
    }
}
