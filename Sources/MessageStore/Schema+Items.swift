extension Schema {
    /// How lists of items are followed, in step 7.
    static let followedItems7 = """
        -- change: the entry of the change sequence that told of the item last; 0 before there were such entries.
        ALTER TABLE items ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX items_by_change ON items (conversation, kind, change);

        -- Items that went, or were taken away by a person.
        CREATE TABLE item_removals (
            conversation INTEGER NOT NULL REFERENCES conversations,
            kind TEXT NOT NULL,
            change INTEGER NOT NULL,
            id TEXT NOT NULL,
            PRIMARY KEY (conversation, kind, change, id)
        ) STRICT, WITHOUT ROWID;

        """
}
