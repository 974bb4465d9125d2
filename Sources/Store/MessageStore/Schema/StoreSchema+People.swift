extension StoreSchema {
    /// What assistants read for people.
    static let assistantReadings = """

        -- session: the session of the assistant, which may have ended. No text.
        CREATE TABLE assistant_readings (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            user_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
            session TEXT NOT NULL,
            assistant TEXT NOT NULL,
            tool TEXT NOT NULL,
            conversation_id TEXT NOT NULL,
            message_count INTEGER NOT NULL,
            read_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX assistant_readings_by_user ON assistant_readings (user_id, number);
        CREATE INDEX assistant_readings_by_conversation ON assistant_readings (conversation_id);
        """

    /// Who was erased in the last hour, so that requests that began before write nothing in their names.
    static let erasedUsers = """
        -- digest: of the salt and the user's id.
        CREATE TABLE erased_users (
            salt TEXT PRIMARY KEY,
            digest TEXT NOT NULL,
            erased_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// Notifications, devices, keys and accounts.
    static let people = """
        -- What people are told of. A row goes when its person has read or dismissed it. change: the change with
        -- which it came, or last looked different. item: the action item of a row of the kind 'item'.
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

        -- destination: where notifications go; see PushAddress.destination. address: JSON with the device's tokens.
        -- begun_at: the first registration by the user. position: the number of the last notification that is done.
        -- session: the session of an account that registered the device, and at whose end it is removed.
        CREATE TABLE push_devices (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL,
            destination TEXT NOT NULL UNIQUE,
            address TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            begun_at INTEGER NOT NULL,
            position INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0,
            tried_since INTEGER,
            paused_until INTEGER,
            session TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX push_devices_by_user ON push_devices (user_id, registered_at);
        CREATE INDEX push_devices_by_position ON push_devices (position);

        -- change: the last change with which a device of the user came or went.
        CREATE TABLE device_marks (
            user_id TEXT PRIMARY KEY,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- role: see APIKey.Role. digest: SHA-256 of the secret, which is not kept. last_used_at: to the hour.
        CREATE TABLE api_keys (
            id TEXT NOT NULL PRIMARY KEY,
            role TEXT NOT NULL,
            name TEXT,
            digest BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER,
            last_used_at INTEGER
        ) STRICT, WITHOUT ROWID;

        -- password: a salted hash with its parameters; NULL for an account without one.
        CREATE TABLE accounts (
            user_id TEXT PRIMARY KEY,
            name TEXT,
            role TEXT NOT NULL,
            is_disabled INTEGER NOT NULL DEFAULT 0,
            password TEXT,
            created_at INTEGER NOT NULL,
            accepted_at INTEGER,
            signed_in_at INTEGER
        ) STRICT, WITHOUT ROWID;

        -- digest: the SHA-256 of the code in the link. maker: the account that made it, or maker_key: the key; both
        -- NULL for the operator. made_at: NULL for links of earlier versions.
        CREATE TABLE account_links (
            user_id TEXT PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
            digest BLOB NOT NULL UNIQUE,
            purpose TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            made_at INTEGER,
            maker TEXT,
            maker_key TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_links_by_maker ON account_links (maker) WHERE maker IS NOT NULL;

        -- digest: the SHA-256 of the refresh token. previous: of the one before it. renewed_at: when it was
        -- replaced.
        CREATE TABLE account_sessions (
            id TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES accounts ON DELETE CASCADE,
            digest BLOB NOT NULL,
            previous BLOB,
            renewed_at INTEGER,
            created_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            user_agent TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX account_sessions_by_user ON account_sessions (user_id, used_at);

        -- Keys that this server made for itself.
        CREATE TABLE server_secrets (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;

        """
}
