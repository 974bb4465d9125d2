extension StoreSchema {
    /// Later messages that make answers wrong.
    static let outdatedAnswers = """
        -- The answers of turns. newer: the later message. older: the message whose statement it replaces; the same one
        -- for an edit. change: the change with which the asker's feed tells of it; 0 for none.
        CREATE TABLE outdated_turns (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            newer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            older INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            change INTEGER NOT NULL,
            noted_at INTEGER NOT NULL,
            PRIMARY KEY (turn, newer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outdated_turns_by_newer ON outdated_turns (newer);
        CREATE INDEX outdated_turns_by_older ON outdated_turns (older);
        CREATE INDEX outdated_turns_by_change ON outdated_turns (change);

        -- The answers that the assistant posted in conversations.
        CREATE TABLE outdated_posts (
            answer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            newer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            older INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            noted_at INTEGER NOT NULL,
            PRIMARY KEY (answer, newer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX outdated_posts_by_newer ON outdated_posts (newer);
        CREATE INDEX outdated_posts_by_older ON outdated_posts (older);

        -- The change up to which messages were compared with answers; one row.
        CREATE TABLE outdated_watermark (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            change INTEGER NOT NULL
        ) STRICT;

        -- The newest answers that are based on a conversation.
        CREATE INDEX turn_shown_by_turn ON turn_shown (conversation_id, turn) WHERE number IS NOT NULL;
        """
}
