import ChatCore
import GRDB
import MessageStore

/// The tables in SQLite; the number of the last step is the database's `user_version`.
enum Schema {
    /// The last step.
    static var newestVersion: Int { StoreSchema.steps.last?.number ?? StoreSchema.version }

    /// Makes the tables in an empty database, and takes the missing steps, all in one transaction.
    ///
    /// - Throws: ``RepositoryError/fromTheFuture(found:)``, ``StoreOpenError/tooOld(found:)``; errors of SQLite.
    static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard found <= newestVersion else { throw RepositoryError.fromTheFuture(found: "\(found)") }
        guard found == 0 || found >= StoreSchema.version else { throw StoreOpenError.tooOld(found: "\(found)") }
        guard found < newestVersion else { return }
        try db.inTransaction(.immediate) {
            if found == 0 { try db.execute(sql: StoreSchema.tables + own) }
            for step in StoreSchema.steps where step.number > found { try db.execute(sql: step.sql) }
            try db.execute(sql: "PRAGMA user_version = \(newestVersion)")
            return .commit
        }
    }

    /// Begins a new epoch; 48 bits keep cursors short.
    static let newEpoch = "INSERT OR REPLACE INTO change_log (place, epoch) VALUES (1, random() & 0xFFFFFFFFFFFF);"

    /// What PostgreSQL has in another form, or needs not.
    private static let own = """
        -- Files whose bytes, in the folder of files, are still to be deleted.
        CREATE TABLE removed_files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE
        ) STRICT;

        CREATE TRIGGER members_renamed AFTER UPDATE OF conversation, user_id, display_name, aliases, left_at ON members
        WHEN OLD.user_id IS NOT NEW.user_id OR OLD.display_name IS NOT NEW.display_name
            OR OLD.aliases IS NOT NEW.aliases OR OLD.left_at IS NOT NEW.left_at
        BEGIN
            DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
            UPDATE members SET is_named = 0 WHERE conversation = NEW.conversation AND user_id = NEW.user_id;
        END;
        CREATE TRIGGER members_removed AFTER DELETE ON members
        BEGIN
            DELETE FROM member_names WHERE user_id = OLD.user_id AND conversation = OLD.conversation;
        END;

        \(newEpoch)
        """
}
