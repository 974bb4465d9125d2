extension StoreSchema {
    /// What people say about messages that later ones replaced, or did not.
    static let verdicts = """
        -- range_start, range_end: the statement in the earlier message, in UTF-16 code units; 0 and 0 for all of it.
        -- is_replaced: 1 if the later message replaced it, 0 if it still holds.
        CREATE TABLE replacement_verdicts (
            older INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            newer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            user_id TEXT NOT NULL,
            range_start INTEGER NOT NULL,
            range_end INTEGER NOT NULL,
            is_replaced INTEGER NOT NULL,
            said_at INTEGER NOT NULL,
            PRIMARY KEY (older, newer, user_id, range_start)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX replacement_verdicts_by_time ON replacement_verdicts (older, said_at, user_id, newer, range_start);
        CREATE INDEX replacement_verdicts_by_newer ON replacement_verdicts (newer);
        CREATE INDEX replacement_verdicts_by_user ON replacement_verdicts (user_id);
        """
}
