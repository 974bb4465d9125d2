/// The asker and the conversations: every read of messages takes a scope, and there is no default.
///
/// A scope is a request. The store decides at the moment of the read what it grants: see
/// ``ConversationRepository/permitted(_:at:)``. An empty set of conversations finds nothing.
package struct SearchScope: Hashable, Sendable {
    /// The requested conversations.
    package enum Conversations: Hashable, Sendable {
        /// All that the asker may see.
        case all
        /// Some conversations, as far as the asker may see them.
        case only(Set<ConversationID>)
    }

    /// The user who asks.
    package let asker: UserID
    /// The requested conversations.
    package let conversations: Conversations

    package init(asker: UserID, conversations: Conversations) {
        self.asker = asker
        self.conversations = conversations
    }
}

extension SearchScope {
    /// Returns the scope with only the permitted conversations, as a key for caches.
    ///
    /// A client can send any number of lists of ids; the number of permitted conversations does not depend on it.
    ///
    /// - Parameter permitted: The permitted conversations.
    /// - Returns: This scope, or a narrower one with the same contents; nil when it is empty.
    package func narrowed(to permitted: some Sequence<ConversationID>) -> SearchScope? {
        guard case .only(let wanted) = conversations else { return self }
        let held = wanted.intersection(permitted)
        return held.isEmpty ? nil : SearchScope(asker: asker, conversations: .only(held))
    }

    /// The approximate size in memory, in bytes.
    package var byteCount: Int {
        let own = 64 + asker.rawValue.utf8.count
        guard case .only(let wanted) = conversations else { return own }
        return wanted.reduce(own) { $0 + 40 + $1.rawValue.utf8.count }
    }
}

/// A conversation that a scope grants.
package struct PermittedConversation: Hashable, Sendable {
    /// Its id.
    package let id: ConversationID
    /// Its number, the group in the indexes.
    package let number: ConversationNumber
    /// The asker's name for it: its name, or the other members' names of a direct conversation.
    package let displayName: String
    /// Its time zone, if known.
    package let timeZone: String?
    /// Whether the asker is a present member; a reader of an open conversation need not be.
    package let isMember: Bool
    /// The times whose messages the asker may read; nil for all.
    package let spans: ReadingSpans?

    package init(
        id: ConversationID, number: ConversationNumber, displayName: String, timeZone: String?, isMember: Bool,
        spans: ReadingSpans? = nil
    ) {
        self.id = id
        self.number = number
        self.displayName = displayName
        self.timeZone = timeZone
        self.isMember = isMember
        self.spans = spans
    }
}

/// What a scope grants, in one state of the store.
package struct ScopeView: Sendable {
    /// See ``ConversationRepository/permitted(_:at:)``.
    package let permitted: [PermittedConversation]
    /// See ``ConversationRepository/people(in:at:)``; without those who are only in ``large`` conversations.
    package let people: [Person]
    /// The conversations whose members are too many to be read; see ``ConversationRepository/people(named:in:at:)``.
    package let large: [ConversationNumber]
    /// The end of the change log.
    package let end: ChangeCursor

    package init(
        permitted: [PermittedConversation], people: [Person], large: [ConversationNumber] = [], end: ChangeCursor
    ) {
        self.permitted = permitted
        self.people = people
        self.large = large
        self.end = end
    }
}

/// Further conditions for a message; they apply before the cut to the best k.
package struct SearchFilter: Hashable, Sendable {
    /// The sender is one of these; nil for anyone, an empty set for nobody.
    package var senderIDs: Set<UserID>?
    /// The message was written at this moment or later.
    package var from: Timestamp?
    /// The message was written before this moment.
    package var to: Timestamp?

    /// Whether every message passes.
    package var isEmpty: Bool { senderIDs == nil && from == nil && to == nil }

    package init(senderIDs: Set<UserID>? = nil, from: Timestamp? = nil, to: Timestamp? = nil) {
        self.senderIDs = senderIDs
        self.from = from
        self.to = to
    }

    /// Returns whether a message of `senderID` at `timestamp` passes.
    package func admits(senderID: UserID, timestamp: Timestamp) -> Bool {
        if let senderIDs, !senderIDs.contains(senderID) { return false }
        if let from, timestamp < from { return false }
        if let to, timestamp >= to { return false }
        return true
    }
}
