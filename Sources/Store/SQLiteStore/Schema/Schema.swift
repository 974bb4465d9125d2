import ChatCore
import GRDB
import MessageStore

/// The tables, in numbered steps; the number of the last applied step is the database's `user_version`.
///
/// A released step is never changed. Times are microseconds since 1970.
enum Schema {
    /// One step.
    struct Migration {
        let version: Int
        let sql: String
    }

    static let migrations = [
        Migration(version: 1, sql: version1), Migration(version: 2, sql: version2),
        Migration(version: 3, sql: version3), Migration(version: 4, sql: version4),
        Migration(version: 5, sql: version5), Migration(version: 6, sql: version6),
        Migration(version: 7, sql: version7), Migration(version: 8, sql: version8),
        Migration(version: 9, sql: version9),
        Migration(
            version: 10,
            sql: version10 + version10Conversations + version10Notifications + version10Files + version10Devices),
        Migration(version: 11, sql: version11), Migration(version: 12, sql: version12),
        Migration(version: 13, sql: version13), Migration(version: 14, sql: version14),
        Migration(version: 15, sql: version15),
    ]

    /// The last step.
    static var newestVersion: Int { migrations.last?.version ?? 0 }

    /// Applies the missing steps, all in one transaction.
    static func migrate(_ db: Database) throws {
        let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let newest = newestVersion
        guard found <= newest else { throw RepositoryError.fromTheFuture(found: "\(found)") }
        guard found < newest else { return }
        try db.inTransaction(.immediate) {
            for migration in migrations where migration.version > found {
                try db.execute(sql: migration.sql)
            }
            try db.execute(sql: "PRAGMA user_version = \(newest)")
            return .commit
        }
    }

    /// Numbers are never reused (`AUTOINCREMENT`), because followers of the change log keep them.
    private static let version1 = conversations1 + messages1 + embedding1 + turns1

    private static let conversations1 = """
        CREATE TABLE conversations (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            visibility TEXT NOT NULL,
            name TEXT,
            time_zone TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX conversations_open ON conversations (number) WHERE visibility = 'everyone';

        -- source and author_id: who the membership was first given to, before authors were joined to users.
        CREATE TABLE members (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            display_name TEXT NOT NULL,
            aliases TEXT NOT NULL,
            joined_at INTEGER NOT NULL,
            left_at INTEGER,
            source TEXT NOT NULL,
            author_id TEXT NOT NULL,
            PRIMARY KEY (conversation, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX members_by_user ON members (user_id, conversation);
        CREATE INDEX members_by_author ON members (source, author_id);

        CREATE TABLE identities (
            source TEXT NOT NULL,
            external_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            PRIMARY KEY (source, external_id)
        ) STRICT, WITHOUT ROWID;

        """

    private static let messages1 = """
        -- number is the order of arrival. A deleted message keeps its ids and times only.
        CREATE TABLE messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL REFERENCES conversations,
            id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            source TEXT NOT NULL,
            author_id TEXT NOT NULL,
            sender_id TEXT NOT NULL,
            sender_name TEXT NOT NULL,
            text TEXT NOT NULL,
            kind TEXT NOT NULL,
            timestamp INTEGER NOT NULL,
            edited_at INTEGER,
            deleted_at INTEGER,
            reply_to_id TEXT,
            thread_root_id TEXT,
            attachments TEXT,
            reactions TEXT,
            extra TEXT,
            local_id TEXT,
            is_embeddable INTEGER NOT NULL,
            UNIQUE (conversation, id)
        ) STRICT;
        CREATE INDEX messages_by_time ON messages (conversation, timestamp, number) WHERE deleted_at IS NULL;
        CREATE UNIQUE INDEX messages_by_local_id ON messages (conversation, source, author_id, local_id)
            WHERE local_id IS NOT NULL;
        CREATE INDEX messages_embeddable ON messages (is_embeddable) WHERE is_embeddable = 1;

        -- kind: see ChangeKind.
        CREATE TABLE changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            conversation INTEGER,
            message INTEGER,
            passage INTEGER,
            generation INTEGER
        ) STRICT;

        """

    private static let embedding1 = """
        CREATE TABLE generations (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            provider TEXT NOT NULL,
            model TEXT NOT NULL,
            dimensions INTEGER NOT NULL,
            query_prefix TEXT NOT NULL,
            passage_prefix TEXT NOT NULL,
            preparation_version INTEGER NOT NULL,
            base_url TEXT,
            state TEXT NOT NULL,
            begun_at INTEGER NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX generations_serving ON generations (state) WHERE state = 'serving';

        CREATE TABLE passages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL REFERENCES messages,
            generation INTEGER NOT NULL REFERENCES generations,
            ordinal INTEGER NOT NULL,
            range_start INTEGER NOT NULL,
            range_end INTEGER NOT NULL,
            content_hash BLOB NOT NULL,
            UNIQUE (message, generation, ordinal)
        ) STRICT;
        CREATE INDEX passages_by_generation ON passages (generation);
        CREATE INDEX passages_first ON passages (generation) WHERE ordinal = 0;

        -- components: Float32, little-endian.
        CREATE TABLE vectors (
            passage INTEGER PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
            components BLOB NOT NULL
        ) STRICT;

        -- state: see QueueState. due_at: when a lease or a wait ends. message_time is the message's timestamp.
        CREATE TABLE queue (
            generation INTEGER NOT NULL REFERENCES generations,
            message INTEGER NOT NULL REFERENCES messages,
            state INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            is_retry INTEGER NOT NULL,
            message_time INTEGER NOT NULL,
            queued_at INTEGER NOT NULL,
            due_at INTEGER,
            error_code TEXT,
            PRIMARY KEY (generation, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX queue_ready ON queue (generation, is_retry, message_time DESC, message DESC) WHERE state = 0;
        CREATE INDEX queue_due ON queue (generation, due_at) WHERE due_at IS NOT NULL;

        """

    private static let turns1 = """
        CREATE TABLE turns (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            asker_id TEXT NOT NULL,
            question TEXT NOT NULL,
            answer TEXT NOT NULL,
            asked_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turns_by_asker ON turns (asker_id, asked_at, number);

        CREATE TABLE turn_sources (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            PRIMARY KEY (turn, rank)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_sources_by_message ON turn_sources (conversation_id, message_id);
        """

    private static let version2 = """
        -- The file that holds the valid snapshot of a generation's index.
        CREATE TABLE index_snapshots (
            generation INTEGER PRIMARY KEY REFERENCES generations,
            name TEXT NOT NULL
        ) STRICT;
        """

    private static let version3 = """
        -- The file that holds the valid snapshot of the index of words; at most one row.
        CREATE TABLE word_snapshots (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL
        ) STRICT;
        """

    private static let version4 = """
        -- Backlog is what is read from a history or embedded anew: it waits for what people write now.
        -- error_reason: for operators; never holds text of a message. failed_at: when it was given up.
        ALTER TABLE queue ADD COLUMN is_backlog INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE queue ADD COLUMN error_reason TEXT;
        ALTER TABLE queue ADD COLUMN failed_at INTEGER;
        DROP INDEX queue_ready;
        CREATE INDEX queue_ready ON queue (generation, is_backlog, is_retry, message_time DESC, message DESC)
            WHERE state = 0;

        -- A text that was embedded before in a generation is not embedded again.
        CREATE INDEX passages_by_content ON passages (generation, content_hash);

        -- Long messages had one passage, and their end was cut off; now they have several. Those that may be concerned
        -- are embedded anew: no text of 750 bytes has more than 254 tokens but in rare scripts. 4 is ChangeKind.retired.
        INSERT INTO changes (kind, conversation, passage)
            SELECT 4, m.conversation, p.number FROM passages p JOIN messages m ON m.number = p.message
            WHERE p.range_end > 750 ORDER BY p.number;
        INSERT OR IGNORE INTO queue (generation, message, state, attempts, is_retry, is_backlog, message_time, queued_at)
            SELECT p.generation, p.message, 0, 0, 0, 1, m.timestamp, unixepoch() * 1000000
            FROM passages p JOIN messages m ON m.number = p.message WHERE p.range_end > 750;
        DELETE FROM passages WHERE range_end > 750;

        -- since: older messages are left out of the generation. switch_share: how much of it must be embedded before
        -- it serves. fill_rate: the most backlog messages a second. served_at: when it began to serve last.
        -- requests_dimensions: whether the service is asked for the dimensions.
        ALTER TABLE generations ADD COLUMN since INTEGER;
        ALTER TABLE generations ADD COLUMN switch_share REAL NOT NULL DEFAULT 1;
        ALTER TABLE generations ADD COLUMN fill_rate REAL;
        ALTER TABLE generations ADD COLUMN served_at INTEGER;
        UPDATE generations SET served_at = begun_at WHERE state = 'serving';
        ALTER TABLE generations ADD COLUMN requests_dimensions INTEGER NOT NULL DEFAULT 0;
        DROP INDEX messages_embeddable;
        CREATE INDEX messages_embeddable ON messages (is_embeddable, timestamp) WHERE is_embeddable = 1;

        -- What embedding took, by day (days since 1970, UTC) and generation.
        CREATE TABLE embedding_usage (
            day INTEGER NOT NULL,
            generation INTEGER NOT NULL REFERENCES generations,
            request_count INTEGER NOT NULL,
            text_count INTEGER NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, generation)
        ) STRICT, WITHOUT ROWID;

        -- embedding: default, included or excluded, as asked for. is_excluded: what follows from it and the settings.
        ALTER TABLE conversations ADD COLUMN embedding TEXT NOT NULL DEFAULT 'default';
        ALTER TABLE conversations ADD COLUMN is_excluded INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX conversations_excluded ON conversations (number) WHERE is_excluded = 1;

        -- What a history knows of an author.
        ALTER TABLE identities ADD COLUMN name TEXT;
        ALTER TABLE identities ADD COLUMN email TEXT;
        ALTER TABLE identities ADD COLUMN is_bot INTEGER NOT NULL DEFAULT 0;

        -- The state of a message or conversation in the source that sends its changes, which may arrive out of order.
        ALTER TABLE messages ADD COLUMN source_time INTEGER;
        ALTER TABLE conversations ADD COLUMN source_time INTEGER;

        -- Messages that were deleted before they came, or were erased: they do not come back.
        CREATE TABLE tombstones (
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (conversation_id, message_id)
        ) STRICT, WITHOUT ROWID;

        -- Events that were taken in: they are delivered at least once.
        CREATE TABLE events (
            source TEXT NOT NULL,
            id TEXT NOT NULL,
            taken_at INTEGER NOT NULL,
            PRIMARY KEY (source, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX events_by_time ON events (taken_at);
        """
}
