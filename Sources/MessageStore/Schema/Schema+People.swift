extension Schema {
    /// Kinds of users and memberships that ended, in step 8.
    static let people8 = """
        -- Users who are not members of the team, and those whose kind was stated; see UserKind.
        -- is_stated: a token or an administrator said so; imports leave it alone then.
        CREATE TABLE users (
            id TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL,
            is_stated INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- kind: as the source tells it.
        ALTER TABLE identities ADD COLUMN kind TEXT;
        CREATE INDEX identities_by_user ON identities (user_id);
        INSERT INTO users (id, kind, is_stated)
            SELECT user_id, 'bot', 0 FROM identities GROUP BY user_id HAVING MIN(is_bot) = 1;

        -- importer: the source whose imports give and end the membership; NULL where it was given otherwise.
        ALTER TABLE members ADD COLUMN importer TEXT;
        UPDATE members SET importer = source WHERE source <> 'api';
        -- listed_at: the time of the last complete list of members that an import told.
        ALTER TABLE conversations ADD COLUMN listed_at INTEGER;

        """
}
