extension StoreSchema {
    /// What people show of themselves, and pictures of groups.
    ///
    /// A picture is the last column of a table with row ids, so that reading the other columns does not read it.
    static let profiles = """
        -- picture_id: the beginning of the SHA-256 of the picture.
        CREATE TABLE profiles (
            user_id TEXT NOT NULL PRIMARY KEY,
            title TEXT,
            time_zone TEXT,
            picture_id TEXT,
            picture BLOB
        ) STRICT;

        CREATE TABLE conversation_pictures (
            conversation INTEGER PRIMARY KEY REFERENCES conversations ON DELETE CASCADE,
            picture_id TEXT NOT NULL,
            picture BLOB NOT NULL
        ) STRICT;
        """
}
