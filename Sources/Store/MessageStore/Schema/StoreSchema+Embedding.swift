extension StoreSchema {
    /// Generations, passages, the queue and the files of indexes.
    static let embedding = """
        -- since: older messages are left out. switch_share: how much of it must be embedded before it serves.
        -- fill_rate: the most backlog messages a second. served_at: when it began to serve last.
        -- requests_dimensions: whether the service is asked for the dimensions.
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
            begun_at INTEGER NOT NULL,
            since INTEGER,
            switch_share REAL NOT NULL DEFAULT 1,
            fill_rate REAL,
            served_at INTEGER,
            requests_dimensions INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX generations_serving ON generations (state) WHERE state = 'serving';

        -- A text that was embedded before in a generation is not embedded again: content_hash finds it.
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
        CREATE INDEX passages_by_content ON passages (generation, content_hash);

        -- components: Float32, little-endian.
        CREATE TABLE vectors (
            passage INTEGER PRIMARY KEY REFERENCES passages ON DELETE CASCADE,
            components BLOB NOT NULL
        ) STRICT;

        -- state: see QueueState. due_at: when a lease or a wait ends. message_time is the message's timestamp.
        -- is_backlog: it is read from a history or embedded again, and waits for what people write now. error_reason:
        -- for operators; never holds text of a message. failed_at: when it was given up.
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
            is_backlog INTEGER NOT NULL DEFAULT 0,
            error_reason TEXT,
            failed_at INTEGER,
            PRIMARY KEY (generation, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX queue_due ON queue (generation, due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX queue_ready ON queue (generation, is_backlog, is_retry, message_time DESC, message DESC)
            WHERE state = 0;

        -- What embedding took, by day (days since 1970, UTC) and generation.
        CREATE TABLE embedding_usage (
            day INTEGER NOT NULL,
            generation INTEGER NOT NULL REFERENCES generations,
            request_count INTEGER NOT NULL,
            text_count INTEGER NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, generation)
        ) STRICT, WITHOUT ROWID;

        -- What the embedding of questions took, by day (days since 1970, UTC) and generation.
        CREATE TABLE question_usage (
            day INTEGER NOT NULL,
            generation INTEGER NOT NULL REFERENCES generations,
            request_count INTEGER NOT NULL,
            text_count INTEGER NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, generation)
        ) STRICT, WITHOUT ROWID;

        -- The file that holds the valid snapshot of a generation's index. cursor: every change before it is in the
        -- file.
        CREATE TABLE index_snapshots (
            generation INTEGER PRIMARY KEY REFERENCES generations,
            name TEXT NOT NULL,
            cursor TEXT NOT NULL
        ) STRICT;

        -- The same for the index of words; at most one row.
        CREATE TABLE word_snapshots (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            cursor TEXT NOT NULL
        ) STRICT;

        -- Hashes of what erasures take away, until every file was searched for it; see ErasurePiece. item: which
        -- text or vector a piece is of.
        CREATE TABLE erasure_pieces (
            place INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (place, whole)
        ) STRICT, WITHOUT ROWID;

        """
}
