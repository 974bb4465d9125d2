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
}
