import MessageStore

extension Schema {
    /// A live chat, in step 10.
    static let version10 = """
        -- head: the last position that was given to a live message. It never goes back, also when messages are erased.
        ALTER TABLE conversations ADD COLUMN head INTEGER NOT NULL DEFAULT 0;

        -- The direct conversation of two people that is opened for them; a pair is ordered by its bytes.
        CREATE TABLE direct_pairs (
            first_id TEXT NOT NULL,
            second_id TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations,
            PRIMARY KEY (first_id, second_id)
        ) STRICT, WITHOUT ROWID;

        -- seq: the position among the live messages of the conversation; NULL for history. arrival: the change with
        -- which it came.
        ALTER TABLE messages ADD COLUMN seq INTEGER;
        ALTER TABLE messages ADD COLUMN arrival INTEGER;
        CREATE UNIQUE INDEX messages_by_seq ON messages (conversation, seq) WHERE seq IS NOT NULL;
        CREATE INDEX messages_by_arrival ON messages (conversation, arrival) WHERE arrival IS NOT NULL;

        -- joined_seq: the head of the conversation when the membership began.
        ALTER TABLE members ADD COLUMN role TEXT NOT NULL DEFAULT 'member';
        ALTER TABLE members ADD COLUMN joined_seq INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE members ADD COLUMN read_seq INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE members ADD COLUMN read_at INTEGER;

        -- A person's own settings for a conversation, as JSON.
        CREATE TABLE preferences (
            conversation INTEGER NOT NULL REFERENCES conversations,
            user_id TEXT NOT NULL,
            content TEXT NOT NULL,
            PRIMARY KEY (conversation, user_id)
        ) STRICT, WITHOUT ROWID;

        -- The last change that reached a device of the user.
        CREATE TABLE deliveries (
            user_id TEXT PRIMARY KEY,
            position INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- The members whose names live messages mention; offsets in Unicode scalars.
        CREATE TABLE addressed (
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            range_start INTEGER NOT NULL,
            range_end INTEGER NOT NULL,
            user_id TEXT NOT NULL,
            conversation INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            PRIMARY KEY (message, range_start)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX addressed_by_user ON addressed (conversation, user_id, seq);

        -- change: with which change an erased message went, so that clients who were away learn of it.
        ALTER TABLE tombstones ADD COLUMN change INTEGER;
        CREATE INDEX tombstones_by_change ON tombstones (conversation_id, change) WHERE change IS NOT NULL;

        -- The members of a conversation that was erased, for the same reason.
        CREATE TABLE departures (
            user_id TEXT NOT NULL,
            change INTEGER NOT NULL,
            conversation_id TEXT NOT NULL,
            PRIMARY KEY (user_id, change)
        ) STRICT, WITHOUT ROWID;

        -- user_id: the person whom a change is about: a membership, a receipt, a person's own settings.
        ALTER TABLE changes ADD COLUMN user_id TEXT;
        CREATE INDEX changes_by_conversation ON changes (conversation, number) WHERE kind IN (1, 2, 6, 9);
        CREATE INDEX changes_by_user ON changes (user_id, number) WHERE user_id IS NOT NULL;

        """
}
