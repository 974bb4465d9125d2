package import ChatCore

/// A person as the token tells.
package struct TokenUser: Hashable, Sendable {
    /// The longest name that is taken from a token, in characters and in bytes.
    private static let nameLimit = (characters: 256, bytes: 1_024)

    package let id: UserID
    /// What the token calls the person; nil when it does not say.
    package let name: String?

    /// A name that is empty, too long or holds control characters counts as none.
    package init(id: UserID, name: String? = nil) {
        self.id = id
        let name = name?.trimmingWhitespace()
        let isUsable = name.map { name in
            !name.isEmpty && name.utf8.count <= Self.nameLimit.bytes && name.count <= Self.nameLimit.characters
                && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        self.name = isUsable == true ? name : nil
    }
}
