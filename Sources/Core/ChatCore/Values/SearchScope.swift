/// The asker and the conversations: every read of messages takes a scope, and there is no default.
///
/// A scope is a request. The store decides at the moment of the read what it grants: see
/// ``ConversationRepository/permitted(_:at:)``. An empty set of conversations finds nothing.
public struct SearchScope: Hashable, Sendable {
    /// The requested conversations.
    public enum Conversations: Hashable, Sendable {
        /// All that the asker may see.
        case all
        /// Some conversations, as far as the asker may see them.
        case only(Set<ConversationID>)
    }

    /// The user who asks.
    public let asker: UserID
    /// The requested conversations.
    public let conversations: Conversations

    public init(asker: UserID, conversations: Conversations) {
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
    public func narrowed(to permitted: some Sequence<ConversationID>) -> SearchScope? {
        guard case .only(let wanted) = conversations else { return self }
        let held = wanted.intersection(permitted)
        return held.isEmpty ? nil : SearchScope(asker: asker, conversations: .only(held))
    }

    /// The approximate size in memory, in bytes.
    public var byteCount: Int {
        let own = 64 + asker.rawValue.utf8.count
        guard case .only(let wanted) = conversations else { return own }
        return wanted.reduce(own) { $0 + 40 + $1.rawValue.utf8.count }
    }
}

/// A conversation that a scope grants.
public struct PermittedConversation: Hashable, Sendable {
    /// Its id.
    public let id: ConversationID
    /// Its number, the group in the indexes.
    public let number: ConversationNumber
    /// The asker's name for it: its name, or the other members' names of a direct conversation.
    public let displayName: String
    /// Its time zone, if known.
    public let timeZone: String?
    /// Whether the asker is a present member; a reader of an open conversation need not be.
    public let isMember: Bool
    /// The times whose messages the asker may read; nil for all.
    public let spans: ReadingSpans?

    public init(
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
public struct ScopeView: Sendable {
    /// See ``ConversationRepository/permitted(_:at:)``.
    public let permitted: [PermittedConversation]
    /// See ``ConversationRepository/people(in:at:)``; without those who are only in ``large`` conversations.
    public let people: [Person]
    /// The conversations whose members are too many to be read; see ``ConversationRepository/people(named:in:at:)``.
    public let large: [ConversationNumber]
    /// The end of the change log.
    public let end: ChangeCursor
    /// The first changes that the indexes have not followed, with their contents; nil if they were not read.
    public var page: ChangePage?

    public init(
        permitted: [PermittedConversation], people: [Person], large: [ConversationNumber] = [], end: ChangeCursor
    ) {
        self.permitted = permitted
        self.people = people
        self.large = large
        self.end = end
    }
}

/// How far the indexes of a search have followed the change log.
public struct FollowedPosition: Sendable {
    /// The position.
    public let cursor: ChangeCursor
    /// The generation whose vectors are searched; nil for none.
    public let generation: GenerationNumber?

    public init(cursor: ChangeCursor, generation: GenerationNumber?) {
        self.cursor = cursor
        self.generation = generation
    }
}

/// Further conditions for a message; they apply before the cut to the best k.
public struct SearchFilter: Hashable, Sendable {
    /// The sender is one of these; nil for anyone, an empty set for nobody.
    public var senderIDs: Set<UserID>?
    /// The message was written at this moment or later.
    public var from: Timestamp?
    /// The message was written before this moment.
    public var to: Timestamp?
    /// The message has content of one of these kinds; nil for any message, an empty set for none.
    public var kinds: ContentKinds?

    /// Whether every message passes.
    public var isEmpty: Bool { senderIDs == nil && from == nil && to == nil && kinds == nil }

    public init(
        senderIDs: Set<UserID>? = nil, from: Timestamp? = nil, to: Timestamp? = nil, kinds: ContentKinds? = nil
    ) {
        self.senderIDs = senderIDs
        self.from = from
        self.to = to
        self.kinds = kinds
    }

    /// Returns whether a message passes.
    public func admits(_ message: Message) -> Bool {
        if let senderIDs, !senderIDs.contains(message.senderID) { return false }
        if let from, message.timestamp < from { return false }
        if let to, message.timestamp >= to { return false }
        if let kinds, kinds.isDisjoint(with: message.contentKinds) { return false }
        return true
    }
}
