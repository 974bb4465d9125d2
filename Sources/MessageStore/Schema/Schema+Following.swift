extension Schema {
    /// How lists are followed, in step 7.
    static let following7 = """
        -- change: the entry of the change sequence that told of the row last; 0 before there were such entries.
        ALTER TABLE items ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX items_by_change ON items (conversation, kind, change);
        DROP INDEX items_by_conversation;
        ALTER TABLE threads ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX threads_by_change ON threads (owner_id, change);
        ALTER TABLE turns ADD COLUMN change INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX turns_by_change ON turns (thread, change) WHERE thread IS NOT NULL;

        -- What went from a list, or was taken away by a person. list: see FollowedList. conversation: where the list is
        -- one of a conversation. owner_id: whose it is, where it is somebody's.
        CREATE TABLE removals (
            list TEXT NOT NULL,
            conversation INTEGER REFERENCES conversations,
            owner_id TEXT,
            change INTEGER NOT NULL,
            id TEXT NOT NULL
        ) STRICT;
        CREATE INDEX removals_by_list ON removals (list, conversation, owner_id, change, id);
        CREATE INDEX removals_by_conversation ON removals (conversation) WHERE conversation IS NOT NULL;
        CREATE INDEX removals_by_owner ON removals (owner_id) WHERE owner_id IS NOT NULL;

        """
}
