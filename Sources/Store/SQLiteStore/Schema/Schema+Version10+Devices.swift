import MessageStore

extension Schema {
    /// The devices for push, in step 10.
    static let version10Devices = """
        -- destination: where notifications go; see PushAddress.destination. address: JSON with the device's tokens.
        -- begun_at: the first registration by the user. position: the number of the last notification that is done.
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
            paused_until INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX push_devices_by_user ON push_devices (user_id, registered_at);
        CREATE INDEX push_devices_by_position ON push_devices (position);

        -- change: the last change with which a device of the user came or went.
        CREATE TABLE device_marks (
            user_id TEXT PRIMARY KEY,
            change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        """
}
