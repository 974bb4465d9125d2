extension StoreSchema {
    /// Messages that people saved for themselves.
    ///
    /// Clients see the numbers, so each person's begin at 1: numbers of all people would tell how much others save.
    static let savedMessages = """
        CREATE TABLE saved_messages (
            user_id TEXT NOT NULL,
            number INTEGER NOT NULL,
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            saved_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, number),
            UNIQUE (message, user_id)
        ) STRICT, WITHOUT ROWID;
        """

    /// Reminders of saved messages, and messages that people wrote to be sent later.
    static let remindersAndScheduledMessages = """
        -- remind_at: when the person is reminded of it, NULL without a reminder.
        ALTER TABLE saved_messages ADD COLUMN remind_at INTEGER;
        CREATE INDEX saved_messages_due ON saved_messages (remind_at, user_id, number) WHERE remind_at IS NOT NULL;

        -- id: the message keeps it. author_name: outside of the conversation. refusal: why it was not sent, NULL while it waits.
        CREATE TABLE scheduled_messages (
            user_id TEXT NOT NULL,
            id TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
            text TEXT NOT NULL,
            reply_to_id TEXT,
            thread_root_id TEXT,
            author_name TEXT,
            send_at INTEGER NOT NULL,
            refusal TEXT,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (user_id, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX scheduled_messages_due ON scheduled_messages (send_at, user_id, id) WHERE refusal IS NULL;
        CREATE INDEX scheduled_messages_by_conversation ON scheduled_messages (conversation);

        -- change: the last change of a scheduled message of the user.
        CREATE TABLE scheduled_marks (
            user_id TEXT PRIMARY KEY,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
