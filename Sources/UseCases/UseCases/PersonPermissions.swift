package import ChatCore

/// Why a person may not add somebody to a conversation.
package enum AddingRefusal: Error, Hashable, Sendable {
    /// People name the members only when they make the conversation.
    case whenMade
    /// Only administrators of the group add others.
    case administrators
    /// Only present members add others.
    case members
    /// A direct conversation has two members.
    case direct
}

/// The permissions of persons in conversations; keys with the role ingest are not restricted.
package struct PersonPermissions: Hashable, Sendable {
    /// The people who may add others to a conversation.
    package enum Adding: String, CaseIterable, Sendable {
        /// Only keys with the role ingest; people join and leave only for themselves.
        case nobody
        /// The person who makes a conversation, at that moment.
        case creator
        /// That person, and later the administrators of a group.
        case administrators
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

    /// By default people make groups and add others to their own, and open nothing to everybody.
    package init(adding: Adding = .administrators, opening: Opening = .nobody, groups: GroupLimits = GroupLimits()) {
        self.adding = adding
        self.opening = opening
        self.groups = groups
    }
}
