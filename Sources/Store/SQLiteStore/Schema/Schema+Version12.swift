import MessageStore

extension Schema {
    /// Devices that belong to sessions, in step 12.
    static let version12 = """
        -- session: the session of an account that registered the device, and at whose end it is removed.
        ALTER TABLE push_devices ADD COLUMN session TEXT;

        """
}
