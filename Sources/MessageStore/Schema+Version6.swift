extension Schema {
    /// What comes with step 6.
    static let version6 = [userTokens6].joined()

    private static let userTokens6 = """
        -- What users' questions took of a language model, by day (days since 1970, UTC); kept for 30 days.
        CREATE TABLE user_tokens (
            day INTEGER NOT NULL,
            user_id TEXT NOT NULL,
            token_count INTEGER NOT NULL,
            PRIMARY KEY (day, user_id)
        ) STRICT, WITHOUT ROWID;

        """
}
