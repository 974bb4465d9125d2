extension StoreSchema {
    /// Messages that people saved for themselves.
    ///
    /// Clients see the numbers, so each person's begin at 1: numbers of all people would tell how much others save.
    static let savedMessages = """
        CREATE TABLE saved_messages (
            user_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            saved_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, number),
            UNIQUE (message, user_id)
        ) STRICT, WITHOUT ROWID;
        """
}
