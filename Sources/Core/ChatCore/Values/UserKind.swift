/// The kind of a user; it decides who may read open conversations.
public enum UserKind: String, Hashable, Codable, Sendable, CaseIterable {
    /// Reads open conversations, and those with this user as a member.
    case member
    /// A person from outside: reads only conversations with this user as a member.
    case guest
    /// A program: reads only conversations with it as a member.
    case bot
}

/// A user whose kind is known; all others are of kind ``UserKind/member``.
public struct User: Hashable, Sendable, Codable {
    /// The user's id.
    public let id: UserID
    /// The kind of the user.
    public var kind: UserKind
    /// Whether a token or an administrator set the kind; otherwise an import did.
    public var isStated: Bool

    public init(id: UserID, kind: UserKind, isStated: Bool) {
        self.id = id
        self.kind = kind
        self.isStated = isStated
    }
}
