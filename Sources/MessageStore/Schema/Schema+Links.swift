extension Schema {
    /// Links to messages in the application they came from, and what a turn shows of its sources, in step 8.
    static let links8 = """
        ALTER TABLE messages ADD COLUMN url TEXT;

        -- reply: see TurnReply, without sources.
        ALTER TABLE turns ADD COLUMN reply TEXT;

        -- The sources that are listed with an answer, by rank; number: see TurnReply.Source.
        CREATE TABLE turn_shown (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            place INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            number INTEGER,
            rank INTEGER NOT NULL,
            relevance REAL NOT NULL,
            PRIMARY KEY (turn, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_shown_by_message ON turn_shown (conversation_id, message_id);

        """
}
