extension Schema {
    /// Questions to the assistant in conversations, in step 7.
    static let mentions7 = """
        -- Messages that ask the assistant. due_at: when a waiting one is to be tried, or tried again.
        CREATE TABLE mentions (
            message INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            conversation INTEGER NOT NULL REFERENCES conversations,
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            due_at INTEGER,
            answer INTEGER REFERENCES messages ON DELETE SET NULL,
            answered_at INTEGER
        ) STRICT;
        CREATE INDEX mentions_due ON mentions (due_at) WHERE due_at IS NOT NULL;
        CREATE INDEX mentions_answered ON mentions (conversation, answered_at) WHERE answered_at IS NOT NULL;
        CREATE INDEX mentions_by_answer ON mentions (answer) WHERE answer IS NOT NULL;

        -- What the assistant's messages stand on: they go with each of them.
        CREATE TABLE mention_sources (
            source INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            answer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            PRIMARY KEY (source, answer)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX mention_sources_by_answer ON mention_sources (answer);

        -- Answers that another system is told of. due_at: NULL once it was told, or given up.
        CREATE TABLE mention_deliveries (
            answer INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            attempts INTEGER NOT NULL,
            due_at INTEGER
        ) STRICT;
        CREATE INDEX mention_deliveries_due ON mention_deliveries (due_at) WHERE due_at IS NOT NULL;

        -- The change up to which messages were looked through for questions; one row.
        CREATE TABLE mention_watermark (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            change INTEGER NOT NULL
        ) STRICT;

        """
}
