import ChatCore
import PostgresStore

extension NexusSettings {
    /// Returns the PostgreSQL database; nil for SQLite.
    static func database(_ source: SettingsSource, _ keys: KeyReader) throws -> PostgresAddress? {
        let passwordFile = try source.text(.storePasswordFile)
        guard let text = try source.text(.storeURL) else {
            guard passwordFile == nil else {
                throw SettingsError.inconsistent("store.password-file needs store.url")
            }
            guard try source.flag(.storeAcceptsLoss) != true else {
                throw SettingsError.inconsistent("store.accept-loss needs store.url")
            }
            guard try source.integer(.storeAcceptedTimeline) == nil else {
                throw SettingsError.inconsistent("store.accept-timeline needs store.url")
            }
            return nil
        }
        // It is read again for each connection, because passwords change. A wrong file is reported at once.
        let password = { @Sendable in try passwordFile.map { try keys.read($0, key: .storePasswordFile).reveal() } }
        _ = try password()
        guard let address = PostgresAddress(text, password: password) else {
            throw SettingsError.invalidValue(
                key: SettingKey.storeURL.name, expected: "an address such as postgres://nexus@localhost/nexus")
        }
        return address
    }
}
