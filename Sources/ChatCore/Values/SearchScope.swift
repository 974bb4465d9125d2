/// Who asks, and where: every read of messages takes one, and it has no default.
///
/// A scope is a wish. What it grants is decided by the store at the moment of the read: see
/// ``ConversationRepository/permitted(_:at:)``. An empty set of conversations finds nothing.
public struct SearchScope: Hashable, Sendable {
    /// The part of what the asker may see that is wanted.
    public enum Conversations: Hashable, Sendable {
        /// All that the asker may see.
        case all
        /// These, as far as the asker may see them.
        case only(Set<ConversationID>)
    }

    /// Who asks.
    public let asker: UserID
    /// Where.
    public let conversations: Conversations

    public init(asker: UserID, conversations: Conversations) {
        self.asker = asker
        self.conversations = conversations
    }
}

extension SearchScope {
    /// Returns the scope that names only what turned out to be permitted: what a cache may know it by.
    ///
    /// A client can send any number of lists of ids; how many of them are permitted does not depend on it.
    ///
    /// - Parameter permitted: What the scope holds.
    /// - Returns: This scope, or a narrower one with the same contents; nil when it holds nothing.
    public func narrowed(to permitted: some Sequence<ConversationID>) -> SearchScope? {
        guard case .only(let wanted) = conversations else { return self }
        let held = wanted.intersection(permitted)
        return held.isEmpty ? nil : SearchScope(asker: asker, conversations: .only(held))
    }

    /// About how many bytes it takes in memory.
    public var byteCount: Int {
        let own = 64 + asker.rawValue.utf8.count
        guard case .only(let wanted) = conversations else { return own }
        return wanted.reduce(own) { $0 + 40 + $1.rawValue.utf8.count }
    }
}

/// A conversation that a scope turned out to hold.
public struct PermittedConversation: Hashable, Sendable {
    /// Its id.
    public let id: ConversationID
    /// Its number, the group in the indexes.
    public let number: ConversationNumber
    /// What the asker calls it: its name, or the other members' names of a direct conversation.
    public let displayName: String
    /// Its zone, when known.
    public let timeZone: String?
    /// Whether the asker is a present member; a reader of an open conversation need not be.
    public let isMember: Bool

    public init(
        id: ConversationID, number: ConversationNumber, displayName: String, timeZone: String?, isMember: Bool
    ) {
        self.id = id
        self.number = number
        self.displayName = displayName
        self.timeZone = timeZone
        self.isMember = isMember
    }
}

/// What else a message must fulfil to be found; applied before the cut to the best k.
public struct SearchFilter: Hashable, Sendable {
    /// Its writer is one of these; nil for anyone, an empty set for nobody.
    public var senderIDs: Set<UserID>?
    /// It was written at this moment or later.
    public var from: Timestamp?
    /// It was written before this moment.
    public var to: Timestamp?

    /// Whether every message passes.
    public var isEmpty: Bool { senderIDs == nil && from == nil && to == nil }

    public init(senderIDs: Set<UserID>? = nil, from: Timestamp? = nil, to: Timestamp? = nil) {
        self.senderIDs = senderIDs
        self.from = from
        self.to = to
    }

    /// Returns whether a message by `senderID` at `timestamp` passes.
    public func admits(senderID: UserID, timestamp: Timestamp) -> Bool {
        if let senderIDs, !senderIDs.contains(senderID) { return false }
        if let from, timestamp < from { return false }
        if let to, timestamp >= to { return false }
        return true
    }
}
