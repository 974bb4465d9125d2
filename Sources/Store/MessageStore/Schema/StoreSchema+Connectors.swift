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
}
