extension StoreSchema {
    /// Messages, files and the change log.
    static let messages = """
        -- number is the order of arrival. A deleted message keeps its ids and times only. source_time: the state in
        -- the source that sends changes. text_changed_at: when the text was changed after it was stored, by our
        -- clock. seq: the position among the live messages of the conversation; NULL for history. arrival: the
        -- change with which it came.
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
            source_time INTEGER,
            text_changed_at INTEGER,
            url TEXT,
            seq INTEGER,
            arrival INTEGER,
            UNIQUE (conversation, id)
        ) STRICT;
        CREATE INDEX messages_by_time ON messages (conversation, timestamp, number) WHERE deleted_at IS NULL;
        CREATE UNIQUE INDEX messages_by_local_id ON messages (conversation, source, author_id, local_id)
            WHERE local_id IS NOT NULL;
        CREATE INDEX messages_embeddable ON messages (is_embeddable, timestamp) WHERE is_embeddable = 1;
        CREATE INDEX messages_empty ON messages (timestamp) WHERE is_embeddable = 0 AND deleted_at IS NULL;
        CREATE INDEX messages_text_changed ON messages (conversation, text_changed_at)
            WHERE text_changed_at IS NOT NULL;
        CREATE UNIQUE INDEX messages_by_seq ON messages (conversation, seq) WHERE seq IS NOT NULL;
        CREATE INDEX messages_by_arrival ON messages (conversation, arrival) WHERE arrival IS NOT NULL;
        CREATE INDEX messages_by_reply ON messages (conversation, reply_to_id, kind, timestamp)
            WHERE reply_to_id IS NOT NULL AND deleted_at IS NULL;
        CREATE INDEX messages_by_root ON messages (conversation, thread_root_id, kind, timestamp, reply_to_id)
            WHERE thread_root_id IS NOT NULL AND deleted_at IS NULL;

        -- The members whose names live messages mention; offsets in Unicode scalars.
        CREATE TABLE addressed (
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            range_start INTEGER NOT NULL,
            range_end INTEGER NOT NULL,
            user_id TEXT NOT NULL,
            conversation INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (message, range_start)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX addressed_by_user ON addressed (conversation, user_id, seq);

        -- The last change that reached a device of the user. told: the position that senders were last told of,
        -- told_at: when, change: with which change.
        CREATE TABLE deliveries (
            user_id TEXT PRIMARY KEY,
            position INTEGER NOT NULL,
            told INTEGER NOT NULL DEFAULT 0,
            told_at INTEGER NOT NULL DEFAULT 0,
            change INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;

        -- Messages that were deleted before they came, or were erased: they do not come back. change: with which
        -- change an erased message went, so that clients who were away learn of it.
        CREATE TABLE tombstones (
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            deleted_at INTEGER NOT NULL,
            change INTEGER,
            PRIMARY KEY (conversation_id, message_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX tombstones_by_change ON tombstones (conversation_id, change) WHERE change IS NOT NULL;

        -- Local ids of erased messages, which are refused when they are sent again. mark: a hash of source, author
        -- and local id, because an erasure leaves no names.
        CREATE TABLE spent_local_ids (
            conversation_id TEXT NOT NULL,
            mark INTEGER NOT NULL,
            PRIMARY KEY (conversation_id, mark)
        ) STRICT, WITHOUT ROWID;

        -- Files that people attach to messages; the bytes are elsewhere, under the id. message: NULL until a message
        -- takes the file. sha256: in hexadecimal digits. text: the words of a text file until a message takes it;
        -- then the message has them.
        CREATE TABLE files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner_id TEXT NOT NULL,
            name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            byte_count INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            uploaded_at INTEGER NOT NULL,
            message INTEGER REFERENCES messages,
            text TEXT
        ) STRICT;
        CREATE INDEX files_by_message ON files (message) WHERE message IS NOT NULL;
        CREATE INDEX files_unattached ON files (uploaded_at) WHERE message IS NULL;
        CREATE INDEX files_unattached_by_owner ON files (owner_id, byte_count) WHERE message IS NULL;
        CREATE INDEX files_by_owner ON files (owner_id, byte_count);

        -- The change log. kind: see ChangeKind. user_id: the person whom a change is about: a membership, a receipt,
        -- a person's own settings.
        CREATE TABLE changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            kind INTEGER NOT NULL,
            conversation INTEGER,
            message INTEGER,
            passage INTEGER,
            generation INTEGER,
            user_id TEXT
        ) STRICT;
        CREATE INDEX changes_by_conversation ON changes (conversation, number) WHERE kind IN (1, 2, 6, 9);
        CREATE INDEX changes_by_user ON changes (user_id, number) WHERE user_id IS NOT NULL;

        -- epoch: the identity of the change log. A backup gets another one, because after a restore the same numbers
        -- stand for other changes. trimmed: old changes up to this position were removed; followers before it start
        -- again.
        CREATE TABLE change_log (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            epoch INTEGER NOT NULL,
            trimmed INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- The end of the log at a time, to find the changes that are older; about one row for each hour.
        CREATE TABLE change_marks (
            moment INTEGER PRIMARY KEY,
            position INTEGER NOT NULL
        ) STRICT;

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
