import MessageStore

extension Schema {
    /// Accounts, in step 11.
    static let version11 = """
        -- password: a salted hash with its parameters; NULL for an account without one.
        CREATE TABLE accounts (
            user_id TEXT PRIMARY KEY,
            name TEXT,
            role TEXT NOT NULL,
            is_disabled INTEGER NOT NULL DEFAULT 0,
            password TEXT,
            created_at INTEGER NOT NULL,
            accepted_at INTEGER,
            signed_in_at INTEGER
        ) STRICT, WITHOUT ROWID;

        -- digest: the SHA-256 of the code in the link.
        CREATE TABLE account_links (
            user_id TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE,
            purpose TEXT NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- digest: the SHA-256 of the refresh token. previous: of the one before it. renewed_at: when it was replaced.
        CREATE TABLE account_sessions (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
            digest BLOB NOT NULL,
            previous BLOB,
            renewed_at INTEGER,
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            user_agent TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_sessions_by_user ON account_sessions (user_id, used_at);

        -- Keys that this server made for itself.
        CREATE TABLE server_secrets (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        """
}
