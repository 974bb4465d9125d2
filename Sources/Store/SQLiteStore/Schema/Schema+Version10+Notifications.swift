import MessageStore

extension Schema {
    /// Notifications and personal settings, in step 10.
    static let version10Notifications = """
        -- What people are told of. A row goes when its person has read or dismissed it. change: the change with which it
        -- came, or last looked different. item: the action item of a row of the kind 'item'.
        CREATE TABLE notifications (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL,
            kind TEXT NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversations,
            message INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
            item TEXT,
            seq INTEGER,
            change INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            UNIQUE (message, user_id)
        ) STRICT;
        CREATE INDEX notifications_by_user ON notifications (user_id);
        CREATE INDEX notifications_by_change ON notifications (user_id, change);
        CREATE INDEX notifications_changed ON notifications (change, user_id);
        CREATE INDEX notifications_by_place ON notifications (conversation, user_id, seq);
        CREATE INDEX notifications_by_item ON notifications (item) WHERE item IS NOT NULL;

        -- change: the last change with which notifications of the user went.
        CREATE TABLE notification_marks (
            user_id TEXT PRIMARY KEY,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notification_marks_changed ON notification_marks (change);

        -- content: JSON. hides_read: a part of it. change: the last change of it.
        CREATE TABLE personal_settings (
            user_id TEXT PRIMARY KEY,
            content TEXT NOT NULL,
            hides_read INTEGER NOT NULL,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX personal_settings_hiding ON personal_settings (user_id) WHERE hides_read = 1;

        -- told: the position that senders were last told of, told_at: when, change: with which change.
        ALTER TABLE deliveries ADD COLUMN told INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE deliveries ADD COLUMN told_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE deliveries ADD COLUMN change INTEGER NOT NULL DEFAULT 0;

        """
}
