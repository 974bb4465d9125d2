extension StoreSchema {
    /// Questions and digests that the assistant repeats.
    static let schedules = """
        -- question, conversation_id: of a question; parts: of a digest, with commas between them. days: a bit for each day
        -- of the week, the lowest for Monday. minute: of the day, in time_zone. pause: see Schedule.Pause. next_at: the
        -- next time, or the one whose run is under way. due_at: when the run is to be tried, or tried again. fence:
        -- raised by each claim and each change, so that only the last claim delivers. claimed_at: when the last run began.
        -- last_at, last_outcome: the last time that came. last_basis: a hash of the basis of the last delivery.
        CREATE TABLE schedules (
            id TEXT PRIMARY KEY,
            owner_id TEXT NOT NULL,
            question TEXT,
            conversation_id TEXT,
            parts TEXT,
            days INTEGER NOT NULL,
            minute INTEGER NOT NULL,
            time_zone TEXT NOT NULL,
            language TEXT NOT NULL,
            pause TEXT,
            next_at INTEGER,
            due_at INTEGER,
            attempts INTEGER NOT NULL DEFAULT 0,
            fence INTEGER NOT NULL DEFAULT 0,
            claimed_at INTEGER,
            last_at INTEGER,
            last_outcome TEXT,
            last_basis TEXT,
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX schedules_by_owner ON schedules (owner_id, created_at, id);
        CREATE INDEX schedules_due ON schedules (due_at, id) WHERE due_at IS NOT NULL;
        CREATE INDEX schedules_by_conversation ON schedules (conversation_id) WHERE conversation_id IS NOT NULL;

        -- What schedules posted, and for whom.
        CREATE TABLE schedule_posts (
            answer INTEGER PRIMARY KEY REFERENCES messages ON DELETE CASCADE,
            owner_id TEXT NOT NULL
        ) STRICT;
        CREATE INDEX schedule_posts_by_owner ON schedule_posts (owner_id, answer);

        -- The lines of digests, and the messages with which they go. place: the line of the text, counted from 0.
        CREATE TABLE digest_lines (
            answer INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            place INTEGER NOT NULL,
            source INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            PRIMARY KEY (answer, place, source)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX digest_lines_by_source ON digest_lines (source, answer);
        """
}
