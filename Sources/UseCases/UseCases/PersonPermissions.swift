package import ChatCore

/// The permissions of persons in conversations; keys with the role ingest are not restricted.
package struct PersonPermissions: Hashable, Sendable {
    /// The people who may add others to a conversation.
    package enum Adding: String, CaseIterable, Sendable {
        /// Only keys with the role ingest; people join and leave only for themselves.
        case nobody
        /// The person who makes a conversation, at that moment.
        case creator
        /// That person, and later every present member of a group.
        case members
    }

    /// The people who may create conversations that everybody reads.
    package enum Opening: String, CaseIterable, Sendable {
        /// Only keys with the role ingest.
        case nobody
        /// Every person.
        case everyone
    }

    /// The people who may add others to a conversation.
    package var adding: Adding
    /// The people who may create conversations that everybody reads.
    package var opening: Opening
    /// How many conversations a person makes, and how many members a person adds.
    package var groups: GroupLimits

    /// The defaults are the strictest permissions with which people can begin conversations.
    package init(adding: Adding = .creator, opening: Opening = .nobody, groups: GroupLimits = GroupLimits()) {
        self.adding = adding
        self.opening = opening
        self.groups = groups
    }
}
