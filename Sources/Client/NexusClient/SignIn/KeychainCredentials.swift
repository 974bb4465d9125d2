#if canImport(Security)
import Foundation
import Security

/// Credentials in the keychain of this device; compiled on Apple platforms only.
public struct KeychainCredentials: CredentialStore {
    private let service: String

    /// - Parameter service: The name of the entries, such as the app's bundle identifier.
    public init(service: String = "nexus") {
        self.service = service
    }

    /// See ``CredentialStore/credentials(for:)``.
    public func credentials(for server: String) throws -> Credentials? {
        var query = entry(server)
        query[kSecReturnData] = true
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let data = found as? Data else { throw StoreError.failed }
        return try JSONDecoder().decode(Credentials.self, from: data)
    }

    /// See ``CredentialStore/keep(_:for:)``.
    public func keep(_ credentials: Credentials?, for server: String) throws {
        guard let credentials else {
            let status = SecItemDelete(entry(server) as CFDictionary)
            guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw StoreError.failed }
            return
        }
        let value: [CFString: Any] = [kSecValueData: try JSONEncoder().encode(credentials)]
        var status = SecItemUpdate(entry(server) as CFDictionary, value as CFDictionary)
        if status == errSecItemNotFound {
            var entry = entry(server).merging(value) { $1 }
            // A session also renews itself while the screen is locked, and is of this device only.
            entry[kSecAttrAccessible] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            status = SecItemAdd(entry as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw StoreError.failed }
    }

    private func entry(_ server: String) -> [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: server]
    }
}
#endif
