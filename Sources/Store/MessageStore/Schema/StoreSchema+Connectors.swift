extension StoreSchema {
    /// What connectors have read of their sources.
    static let connectors = """
        -- progress: how far the history was read, in the words of the connector.
        CREATE TABLE connector_rooms (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,
            room_id TEXT NOT NULL,
            conversation_id TEXT NOT NULL,
            progress TEXT NOT NULL,
            UNIQUE (source, room_id)
        ) STRICT;

        -- kind: the effect of the event, or the reason why it was left out. target: the message that it is about.
        -- author_id, emoji: of a reaction.
        CREATE TABLE connector_events (
            room INTEGER NOT NULL REFERENCES connector_rooms ON DELETE CASCADE,
            id TEXT NOT NULL,
            kind TEXT NOT NULL,
            target TEXT,
            author_id TEXT,
            emoji TEXT,
            PRIMARY KEY (room, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX connector_events_by_target ON connector_events (room, target) WHERE target IS NOT NULL;
        CREATE INDEX connector_events_by_author ON connector_events (author_id) WHERE author_id IS NOT NULL;
        """

    /// Decisions of administrators about connections, and events that wait.
    static let connections = """
        -- state: paused, disconnecting or disconnected; without a row or with another word it is active.
        -- version: how often something was decided, about rooms too.
        CREATE TABLE connections (
            source TEXT NOT NULL PRIMARY KEY,
            state TEXT NOT NULL,
            version INTEGER NOT NULL,
            decided_at INTEGER NOT NULL
        ) STRICT;
        ALTER TABLE connector_rooms ADD COLUMN left_out_at INTEGER;

        -- Events that a source sent over HTTP. body: NULL once it was taken, empty if it was lost.
        CREATE TABLE connector_inbox (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            source TEXT NOT NULL,
            event_id TEXT NOT NULL,
            body TEXT,
            received_at INTEGER NOT NULL,
            UNIQUE (source, event_id)
        ) STRICT;
        CREATE INDEX connector_inbox_waiting ON connector_inbox (source, number) WHERE body IS NOT NULL;
        CREATE INDEX connector_inbox_taken ON connector_inbox (received_at) WHERE body IS NULL;
        """

    /// Files of messages that connectors read.
    static let remoteFiles = """
        -- Those whose bytes are not here. remote_id: the file's id in the source. sent_at: the time of the message.
        -- failures: how often it could not be fetched. problem: why it could not be. due_at: when it is tried; NULL: never.
        CREATE TABLE remote_files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            room INTEGER NOT NULL REFERENCES connector_rooms ON DELETE CASCADE,
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            remote_id TEXT NOT NULL,
            sent_at INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            problem TEXT,
            due_at INTEGER,
            UNIQUE (message, remote_id)
        ) STRICT;
        CREATE INDEX remote_files_waiting ON remote_files (sent_at, number) WHERE due_at IS NOT NULL;
        CREATE INDEX remote_files_by_room ON remote_files (room);
        """

    /// Authors of sources who are joined with accounts.
    static let personLinks = """
        -- email: the verified address of the account. email_origin: administrator or service.
        ALTER TABLE accounts ADD COLUMN email TEXT;
        ALTER TABLE accounts ADD COLUMN email_origin TEXT;
        CREATE INDEX accounts_by_email ON accounts (email) WHERE email IS NOT NULL;

        -- way: email or code. email: the address that joined them.
        CREATE TABLE person_links (
            source TEXT NOT NULL,
            author_id TEXT NOT NULL,
            user_id TEXT NOT NULL,
            way TEXT NOT NULL,
            email TEXT,
            linked_at INTEGER NOT NULL,
            PRIMARY KEY (source, author_id),
            UNIQUE (source, user_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX person_links_by_user ON person_links (user_id);

        -- Addresses that sources have verified. author_id: who had it first. is_held: whether the author has it now.
        -- is_barred: it joins nobody, because another author had it too, or because a link was ended.
        CREATE TABLE source_addresses (
            source TEXT NOT NULL,
            address TEXT NOT NULL,
            author_id TEXT NOT NULL,
            is_held INTEGER NOT NULL,
            is_barred INTEGER NOT NULL,
            PRIMARY KEY (source, address)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX source_addresses_by_author ON source_addresses (source, author_id);
        CREATE INDEX source_addresses_held ON source_addresses (address) WHERE is_held = 1;

        -- digest: the SHA-256 of the code.
        CREATE TABLE link_codes (
            user_id TEXT NOT NULL PRIMARY KEY,
            digest BLOB NOT NULL UNIQUE,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Wrong codes that authors wrote.
        CREATE TABLE link_attempts (
            source TEXT NOT NULL,
            author_id TEXT NOT NULL,
            failures INTEGER NOT NULL,
            since INTEGER NOT NULL,
            PRIMARY KEY (source, author_id)
        ) STRICT, WITHOUT ROWID;

        -- What became of messages that were commands about links.
        CREATE TABLE link_outcomes (
            message INTEGER NOT NULL PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            outcome TEXT NOT NULL
        ) STRICT;
        """
}
