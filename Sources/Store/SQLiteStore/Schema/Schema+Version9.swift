import MessageStore

extension Schema {
    /// Cursors, in step 9.
    static let version9 = """
        -- epoch: the identity of the change log. A backup gets another one, because after a restore the same numbers
        -- stand for other changes.
        CREATE TABLE change_log (
            place INTEGER PRIMARY KEY CHECK (place = 1),
            epoch INTEGER NOT NULL
        ) STRICT;
        \(newEpoch)

        -- cursor: every change before it is in the file. Files that were written without one are built again.
        DROP TABLE index_snapshots;
        CREATE TABLE index_snapshots (
            generation INTEGER PRIMARY KEY REFERENCES generations,
            name TEXT NOT NULL,
            cursor TEXT NOT NULL
        ) STRICT;
        DROP TABLE word_snapshots;
        CREATE TABLE word_snapshots (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            name TEXT NOT NULL,
            cursor TEXT NOT NULL
        ) STRICT;

        """

    /// Begins a new epoch; 48 bits keep cursors short.
    static let newEpoch = "INSERT OR REPLACE INTO change_log (place, epoch) VALUES (1, random() & 0xFFFFFFFFFFFF);"
}
