/// What persons, unlike keys that ingest, may do with conversations.
public struct PersonPermissions: Hashable, Sendable {
    /// Who adds others to a conversation.
    public enum Adding: String, CaseIterable, Sendable {
        /// Keys that ingest only; everybody joins and leaves for himself or herself.
        case nobody
        /// The person who makes a conversation, at that moment.
        case creator
        /// That person, and later every present member of a group.
        case members
    }

    /// Who makes conversations that everybody reads.
    public enum Opening: String, CaseIterable, Sendable {
        /// Keys that ingest only.
        case nobody
        /// Every person.
        case everyone
    }

    /// Who adds others to a conversation.
    public var adding: Adding
    /// Who makes conversations that everybody reads.
    public var opening: Opening

    /// Makes permissions; the defaults are the strictest with which people can begin conversations.
    public init(adding: Adding = .creator, opening: Opening = .nobody) {
        self.adding = adding
        self.opening = opening
    }
}
