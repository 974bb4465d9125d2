extension Schema {
    static let version5 = questionUsage5 + apiKeys5

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
}
