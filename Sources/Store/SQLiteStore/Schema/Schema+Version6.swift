import MessageStore

extension Schema {
    static let version6 = [userTokens6, items6].joined()

    private static let userTokens6 = """
        -- What users' questions took of a language model, by day (days since 1970, UTC); kept for 30 days.
        CREATE TABLE user_tokens (
            day INTEGER NOT NULL,
            user_id TEXT NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, user_id)
        ) STRICT, WITHOUT ROWID;

        """

    private static let items6 = """
        -- What was extracted from messages. edited: the fields that a person changed. is_dismissed: a person took it
        -- away; it is kept so that it is not found again.
        CREATE TABLE items (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations,
            message INTEGER NOT NULL REFERENCES messages,
            text TEXT NOT NULL,
            person_name TEXT,
            person_id TEXT,
            due_at INTEGER,
            priority TEXT NOT NULL,
            quote TEXT NOT NULL,
            status TEXT NOT NULL,
            superseded_by TEXT,
            edited TEXT,
            is_dismissed INTEGER NOT NULL,
            extracted_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX items_by_conversation ON items (conversation, kind);
        CREATE INDEX items_by_message ON items (message);
        CREATE INDEX items_by_person ON items (person_id) WHERE person_id IS NOT NULL;
        CREATE INDEX items_superseded ON items (superseded_by) WHERE superseded_by IS NOT NULL;

        -- watermark: the change up to which messages were read. lease_id: the extraction under way, until leased_until.
        CREATE TABLE extractions (
            conversation INTEGER NOT NULL REFERENCES conversations,
            kind TEXT NOT NULL,
            watermark INTEGER NOT NULL DEFAULT 0,
            lease_id TEXT,
            leased_until INTEGER,
            PRIMARY KEY (conversation, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX extractions_by_lease ON extractions (lease_id) WHERE lease_id IS NOT NULL;

        """
}
