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
            return nil
        }
        let password = try passwordFile.map { try keys.read($0, key: .storePasswordFile).reveal() }
        guard let address = PostgresAddress(text, password: password) else {
            throw SettingsError.invalidValue(
                key: SettingKey.storeURL.name, expected: "an address such as postgres://nexus@localhost/nexus")
        }
        return address
    }
}
