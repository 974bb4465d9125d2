import MessageStore

extension Schema {
    static let version5 = [apiKeys5, questionUsage5, removals5].joined()

    private static let apiKeys5 = """
        -- role: see APIKey.Role. digest: SHA-256 of the secret, which is not kept. last_used_at: to the hour.
        CREATE TABLE api_keys (
            id TEXT NOT NULL PRIMARY KEY,
            role TEXT NOT NULL,
            name TEXT,
            digest BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        """

    private static let questionUsage5 = """
        -- What the embedding of questions took, by day (days since 1970, UTC) and generation.
        CREATE TABLE question_usage (
            day INTEGER NOT NULL,
            generation INTEGER NOT NULL REFERENCES generations,
            request_count INTEGER NOT NULL,
            text_count INTEGER NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, generation)
        ) STRICT, WITHOUT ROWID;

        -- Messages with nothing to embed are counted without reading the others.
        CREATE INDEX messages_empty ON messages (timestamp) WHERE is_embeddable = 0 AND deleted_at IS NULL;

        """

    private static let removals5 = """
        -- Conversations that their source deleted before they came: what it tells of an earlier time does not bring them.
        CREATE TABLE conversation_tombstones (
            conversation_id TEXT PRIMARY KEY,
            deleted_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- Hashes of what erasures take away, until every file was searched for it; see ErasurePiece.
        -- item: which text or vector a piece is of.
        CREATE TABLE erasure_pieces (
            place INTEGER NOT NULL,
            whole INTEGER NOT NULL,
            item INTEGER NOT NULL,
            PRIMARY KEY (place, whole)
        ) STRICT, WITHOUT ROWID;
        """
}
