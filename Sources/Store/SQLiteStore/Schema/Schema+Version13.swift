import MessageStore

extension Schema {
    /// Reading rights that have a time, and how far a member once read, in step 13.
    static let version13 = """
        -- history: the part that somebody who joins later may read: 'all', or 'joined' for the times of the membership.
        ALTER TABLE conversations ADD COLUMN history TEXT NOT NULL DEFAULT 'all';

        -- The times whose messages may be read in conversations with another history than 'all'. user_id: '' for
        -- everybody who may see the conversation. until: NULL while it lasts.
        CREATE TABLE reading_spans (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            since INTEGER NOT NULL,
            until INTEGER,
            PRIMARY KEY (conversation, user_id, since)
        ) STRICT, WITHOUT ROWID;

        -- reached_seq: the furthest position that was read before the member marked messages as unread again.
        ALTER TABLE members ADD COLUMN reached_seq INTEGER NOT NULL DEFAULT 0;

        """
}
