import ChatCore

/// Keeps the names that people had before as aliases, over all imports.
///
/// A later export has only the present names, and a line of our own format has the name of its time.
struct EarlierNames {
    private let users: [UserID: UserID]
    /// The names that messages show for their senders, where the conversation does not have them.
    private var shown: [ConversationID: [UserID: [String]]] = [:]

    /// - Parameters:
    ///   - identities: All authors.
    ///   - source: The source of the people's ids.
    init(_ identities: [Identity], source: String) {
        let mapped = identities.filter { $0.source == source && $0.externalID != $0.userID.rawValue }
        users = Dictionary(
            mapped.map { (UserID(rawValue: $0.externalID), $0.userID) }, uniquingKeysWith: { $1 })
    }

    /// Notes the name that a message shows; names of programs are often those of their posts.
    mutating func remember(_ message: Message) {
        // A sender without a name shows the id, here or in the source.
        guard message.kind == .text, !message.senderID.rawValue.hasSuffix(message.senderName) else { return }
        let names = shown[message.key.conversationID]?[message.senderID] ?? []
        guard names.count < Names.limit, !names.contains(message.senderName) else { return }
        shown[message.key.conversationID, default: [:]][message.senderID] = names + [message.senderName]
    }

    /// Returns a roster whose members keep the names that are stored for them.
    func merged(_ roster: ConversationRoster, stored: ConversationRoster?) -> ConversationRoster {
        guard let stored else { return roster }
        let known = Dictionary(stored.members.map { ($0.userID, $0) }, uniquingKeysWith: { $1 })
        var roster = roster
        roster.members = roster.members.map { given in
            known[users[given.userID] ?? given.userID].map { given.keeping([$0.displayName] + $0.aliases) } ?? given
        }
        return roster
    }

    /// The conversations with names that messages show.
    var conversations: [ConversationID] { shown.keys.sorted() }

    /// Returns the stored members who get a name that messages show, with the ids of the source.
    func renamed(in stored: ConversationRoster) -> ConversationRoster? {
        let known = Dictionary(stored.members.map { ($0.userID, $0) }, uniquingKeysWith: { $1 })
        var roster = stored
        roster.listedAt = nil
        roster.members = (shown[stored.conversation.id] ?? [:]).compactMap { sender, names in
            guard let member = known[users[sender] ?? sender] else { return nil }
            let named = member.keeping(names)
            guard named != member else { return nil }
            return Member(
                userID: sender, displayName: named.displayName, aliases: named.aliases, joinedAt: named.joinedAt,
                leftAt: named.leftAt)
        }
        return roster.members.isEmpty ? nil : roster
    }
}

extension Member {
    /// The same with further names as aliases, as far as there is room.
    fileprivate func keeping(_ names: [String]) -> Member {
        var member = self
        let others = Names.aliases(aliases + names.filter { $0 != userID.rawValue }, of: displayName)
        member.aliases = Array(others.prefix(Self.aliasLimit))
        return member
    }
}
