import ChatCore
import Foundation

/// The keys of one JSON Web Key Set.
struct KeySet: Sendable {
    /// The most keys of a set that are looked at.
    private static let keyLimit = 100

    let keys: [VerificationKey]

    init(_ keys: [VerificationKey]) {
        self.keys = keys
    }

    /// Reads a set; keys that cannot be used are passed over.
    ///
    /// - Parameters:
    ///   - document: The set in JSON.
    ///   - takesSecrets: Whether secrets count.
    /// - Returns: The set; nil when it is none, or holds no key that can be used.
    static func read(_ document: Data, takesSecrets: Bool) async -> KeySet? {
        guard let value = try? JSONParser.parse(Array(document), takesRepeatedKeys: false),
            let items = try? JSONField(value)["keys"].optionalArray()
        else { return nil }
        var keys: [VerificationKey] = []
        for item in items.prefix(keyLimit) {
            if let key = await VerificationKey.read(item, takesSecrets: takesSecrets) { keys.append(key) }
        }
        return keys.isEmpty ? nil : KeySet(keys)
    }

    /// Returns the key that a token names; without a name the only one that could be meant.
    func key(for token: SignedToken) -> VerificationKey? {
        if let id = token.keyID { return keys.first { $0.id == id } }
        let possible = keys.filter { $0.algorithm == token.algorithm }
        return possible.count == 1 ? possible.first : nil
    }
}
