extension StoreSchema {
    /// Messages that people saved for themselves.
    static let savedMessages = """
        CREATE TABLE saved_messages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL,
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            saved_at INTEGER NOT NULL,
            UNIQUE (message, user_id)
        ) STRICT;
        CREATE INDEX saved_messages_by_user ON saved_messages (user_id, number);
        """
}
