/// What kind of user somebody is; it decides who reads conversations that are open to everyone.
public enum UserKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// Reads open conversations, and those that he or she is a member of.
    case member
    /// Somebody from outside: reads only conversations that this person is a member of.
    case guest
    /// A program: reads only conversations that it is a member of.
    case bot
}

/// A user whose kind is known; all others are of kind ``UserKind/member``.
public struct User: Hashable, Sendable, Codable {
    /// The user's id.
    public let id: UserID
    /// What kind of user it is.
    public var kind: UserKind
    /// Whether a token or an administrator said so; otherwise an import did.
    public var isStated: Bool

    public init(id: UserID, kind: UserKind, isStated: Bool) {
        self.id = id
        self.kind = kind
        self.isStated = isStated
    }
}
