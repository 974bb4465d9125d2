extension Schema {
    /// Threads of questions, what askers think of answers, and how these came about, in step 7.
    static let threads7 = """
        -- title: as the user gave it; without one the first question names the thread, and is not repeated here.
        -- conversation_id: the conversation whose own assistant is asked there.
        CREATE TABLE threads (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner_id TEXT NOT NULL,
            title TEXT,
            conversation_id TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX threads_by_owner ON threads (owner_id, updated_at, id);
        CREATE UNIQUE INDEX threads_by_conversation ON threads (conversation_id, owner_id)
            WHERE conversation_id IS NOT NULL;

        -- trace: see TurnTrace, without hits and the searched question.
        ALTER TABLE turns ADD COLUMN thread INTEGER REFERENCES threads ON DELETE CASCADE;
        ALTER TABLE turns ADD COLUMN rating TEXT;
        ALTER TABLE turns ADD COLUMN rating_reason TEXT;
        ALTER TABLE turns ADD COLUMN rated_at INTEGER;
        ALTER TABLE turns ADD COLUMN searched_question TEXT;
        ALTER TABLE turns ADD COLUMN trace TEXT;
        CREATE INDEX turns_by_thread ON turns (thread, asked_at, number) WHERE thread IS NOT NULL;
        CREATE INDEX turns_judged ON turns (number) WHERE rating IS NOT NULL;

        -- The turns that entered a turn's prompt: what they stand on it stands on too.
        CREATE TABLE turn_history (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            earlier INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            PRIMARY KEY (turn, earlier)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_history_by_earlier ON turn_history (earlier);

        CREATE TABLE turn_hits (
            turn INTEGER NOT NULL REFERENCES turns ON DELETE CASCADE,
            rank INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            message_id TEXT NOT NULL,
            score REAL NOT NULL,
            relevance REAL NOT NULL,
            signals TEXT,
            PRIMARY KEY (turn, rank)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX turn_hits_by_message ON turn_hits (conversation_id, message_id);

        """
}
