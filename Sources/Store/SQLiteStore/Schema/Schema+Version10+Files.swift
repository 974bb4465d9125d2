import MessageStore

extension Schema {
    /// Files that people attach to messages, in step 10.
    static let version10Files = """
        -- The bytes are in the folder `files` under the id. message: NULL until a message takes the file. sha256: in
        -- hexadecimal digits. text: the words of a text file until a message takes it; then the message has them.
        CREATE TABLE files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            owner_id TEXT NOT NULL,
            name TEXT NOT NULL,
            media_type TEXT NOT NULL,
            byte_count INTEGER NOT NULL,
            sha256 TEXT NOT NULL,
            uploaded_at INTEGER NOT NULL,
            message INTEGER REFERENCES messages,
            text TEXT
        ) STRICT;
        CREATE INDEX files_by_message ON files (message) WHERE message IS NOT NULL;
        CREATE INDEX files_by_owner ON files (owner_id);
        CREATE INDEX files_unattached ON files (uploaded_at) WHERE message IS NULL;
        CREATE INDEX files_unattached_by_owner ON files (owner_id, byte_count) WHERE message IS NULL;

        -- Files whose bytes are still to be deleted.
        CREATE TABLE removed_files (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE
        ) STRICT;

        """
}
