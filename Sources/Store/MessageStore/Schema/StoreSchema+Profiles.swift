extension StoreSchema {
    /// What people show of themselves.
    ///
    /// The picture is the last column of a table with row ids, so that reading the other columns does not read it.
    static let profiles = """
        -- picture_id: the beginning of the SHA-256 of the picture.
        CREATE TABLE profiles (
            user_id TEXT NOT NULL PRIMARY KEY,
            title TEXT,
            time_zone TEXT,
            picture_id TEXT,
            picture BLOB
        ) STRICT;
        """
}
