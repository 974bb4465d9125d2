extension Schema {
    /// Summaries of parts of conversations, in step 7.
    static let summaries7 = """
        -- The span is given by the first and the last message in the order of the conversation: (timestamp, number).
        -- level: 0 for what was written of messages. cited: ids of messages as a list in JSON.
        CREATE TABLE summaries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            conversation INTEGER NOT NULL REFERENCES conversations,
            level INTEGER NOT NULL,
            first_time INTEGER NOT NULL,
            first_message INTEGER NOT NULL,
            last_time INTEGER NOT NULL,
            last_message INTEGER NOT NULL,
            message_count INTEGER NOT NULL,
            content_hash BLOB NOT NULL,
            recipe TEXT NOT NULL,
            text TEXT NOT NULL,
            cited TEXT,
            made_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX summaries_by_span ON summaries (conversation, level, first_time, first_message);

        -- Turns whose prompt held a whole conversation, or summaries of it: they stand on each of its messages up to this
        -- number.
        CREATE TABLE turn_conversations (
            turn INTEGER NOT NULL PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
            conversation_id TEXT NOT NULL,
            through INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX turn_conversations_by_conversation ON turn_conversations (conversation_id, through);

        """
}
