import MessageStore

extension Schema {
    /// Replies, administrators, local ids of erased messages and the retention of the change log, in step 10.
    static let version10Conversations = """
        CREATE INDEX messages_by_reply ON messages (conversation, reply_to_id, kind, timestamp)
            WHERE reply_to_id IS NOT NULL AND deleted_at IS NULL;
        CREATE INDEX messages_by_root ON messages (conversation, thread_root_id, kind, timestamp, reply_to_id)
            WHERE thread_root_id IS NOT NULL AND deleted_at IS NULL;

        CREATE INDEX members_with_roles ON members (conversation, role) WHERE role <> 'member';

        -- Local ids of erased messages, which are refused when they are sent again. mark: a hash of source, author and
        -- local id, because an erasure leaves no names.
        CREATE TABLE spent_local_ids (
            conversation_id TEXT NOT NULL,
            mark INTEGER NOT NULL,
            PRIMARY KEY (conversation_id, mark)
        ) STRICT, WITHOUT ROWID;

        -- trimmed: old changes up to this position were removed; followers before it start again.
        ALTER TABLE change_log ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;

        -- The end of the log at a time, to find the changes that are older; about one row for each hour.
        CREATE TABLE change_marks (
            moment INTEGER PRIMARY KEY,
            position INTEGER NOT NULL
        ) STRICT;

        """
}
