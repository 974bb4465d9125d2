package import ChatCore

/// The authors of imported histories, and the kinds of users.
package struct UserDirectory: Sendable {
    let store: any ConversationRepository

    package init(store: any ConversationRepository) {
        self.store = store
    }

    /// Returns the authors of all sources, with the users that they are mapped to.
    package func authors() async throws -> [Identity] { try await store.identities() }

    /// Returns the users whose kind is known.
    package func users() async throws -> [User] { try await store.users() }

    /// Sets the kind of a user; nil uses the kind from imports.
    ///
    /// - Returns: The kind that applies now.
    package func setKind(_ kind: UserKind?, of user: UserID) async throws -> UserKind {
        try await store.setKind(kind, of: user)
        return try await store.kind(of: user)
    }
}
