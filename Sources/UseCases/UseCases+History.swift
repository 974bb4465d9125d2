public import ChatCore

/// Where a page of a conversation begins.
public enum HistoryPlace: Hashable, Sendable {
    /// With the newest message.
    case newest
    /// Before a message, which is not part of the page.
    case before(MessageID)
    /// After a message, which is not part of the page.
    case after(MessageID)
    /// With a message in the middle.
    case around(MessageID)
    /// With the asker's first unread message in the middle; with the newest one if everything is read.
    case unread
}

/// A page of a conversation.
public struct HistoryPage: Hashable, Sendable {
    /// The messages, newest first.
    public var messages: [Message]
    /// Whether there are older messages than these.
    public var hasOlder: Bool
    /// Whether there are newer messages than these.
    public var hasNewer: Bool
    /// The asker's first unread message, for a page that begins there.
    public var firstUnreadID: MessageID?
}

/// Pages of conversations, replies and reactions.
extension UseCases {
    /// Returns a page of a conversation.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: The reader.
    ///   - place: Where the page begins.
    ///   - limit: The most messages, 1 or more.
    /// - Returns: The page, without deleted messages.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    public func history(
        of id: ConversationID, asker: UserID, at place: HistoryPlace, limit: Int
    ) async throws -> HistoryPage {
        var page: HistoryPage
        switch place {
        case .newest: page = try await older(of: id, asker: asker, before: nil, limit: limit)
        case .before(let message): page = try await older(of: id, asker: asker, before: message, limit: limit)
        case .after(let message): page = try await newer(of: id, asker: asker, after: message, limit: limit)
        case .around(let message): page = try await middle(of: id, asker: asker, around: message, limit: limit)
        case .unread:
            if let first = try await live.inboxEntry(of: id, for: asker, at: now()).firstUnreadID {
                page = try await middle(of: id, asker: asker, around: first, limit: limit)
                page.firstUnreadID = first
            } else {
                page = try await older(of: id, asker: asker, before: nil, limit: limit)
            }
        }
        page.messages = page.messages.map { $0.shown(to: asker) }
        return page
    }

    private func older(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int
    ) async throws -> HistoryPage {
        let found = try await store.page(of: id, asker: asker, before: before, limit: limit + 1, at: now())
        return HistoryPage(
            messages: Array(found.prefix(limit)), hasOlder: found.count > limit,
            hasNewer: before == nil ? false : try await hasMessages(of: id, asker: asker, after: found.first))
    }

    private func newer(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int
    ) async throws -> HistoryPage {
        let found = try await store.page(of: id, asker: asker, after: after, limit: limit + 1, at: now())
        let hasOlder: Bool
        if let first = found.first {
            hasOlder = try await hasMessages(of: id, asker: asker, before: first)
        } else {
            hasOlder = try await hasMessages(of: id, asker: asker, after: nil)
        }
        return HistoryPage(
            messages: found.prefix(limit).reversed(), hasOlder: hasOlder, hasNewer: found.count > limit)
    }

    private func middle(
        of id: ConversationID, asker: UserID, around message: MessageID, limit: Int
    ) async throws -> HistoryPage {
        let middle = try await self.message(MessageKey(conversationID: id, messageID: message), asker: asker)
        let half = (limit - 1) / 2
        let earlier = try await store.page(of: id, asker: asker, before: message, limit: half + 1, at: now())
        let room = limit - 1 - min(half, earlier.count)
        let later = try await store.page(of: id, asker: asker, after: message, limit: room + 1, at: now())
        return HistoryPage(
            messages: later.prefix(room).reversed() + [middle] + earlier.prefix(half), hasOlder: earlier.count > half,
            hasNewer: later.count > room)
    }

    /// Whether there are messages after `message`; whether there are any for nil.
    private func hasMessages(of id: ConversationID, asker: UserID, after message: Message?) async throws -> Bool {
        guard let message else {
            return try await !store.page(of: id, asker: asker, before: nil, limit: 1, at: now()).isEmpty
        }
        return try await !store.page(of: id, asker: asker, after: message.key.messageID, limit: 1, at: now()).isEmpty
    }

    private func hasMessages(of id: ConversationID, asker: UserID, before message: Message) async throws -> Bool {
        try await !store.page(of: id, asker: asker, before: message.key.messageID, limit: 1, at: now()).isEmpty
    }

    /// Lists the replies to a message that somebody may see, oldest first; those to a deleted message can be read, too.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    public func replies(
        to key: MessageKey, asker: UserID, after: MessageID? = nil, limit: Int
    ) async throws -> ListPage<Message> {
        let isDeleted = try await store.stored([key])[key]?.deletedAt != nil
        if !isDeleted { _ = try await message(key, asker: asker) }
        let found = try await live.replies(to: key, for: asker, after: after, limit: limit + 1, at: now())
        return ListPage(found.map { $0.shown(to: asker) }, limit: limit)
    }

    /// Returns the places of messages that the asker was shown, with the replies to them.
    package func places(of keys: [MessageKey], asker: UserID) async throws -> [MessageKey: MessagePosition] {
        var places = try await live.positions(of: keys)
        for (key, replies) in try await live.replySummaries(of: keys, for: asker, at: now()) {
            places[key, default: MessagePosition(seq: nil, arrival: nil)].replies = replies
        }
        return places
    }

    /// Returns a message that somebody may see, and the names of those who reacted; the id is the name of a person who
    /// never was a member.
    ///
    /// Reactions of people who left stay, as their messages do.
    public func reactions(
        to key: MessageKey, asker: UserID
    ) async throws -> (reactions: [Message.Reaction], names: [UserID: String]) {
        let message = try await message(key, asker: asker)
        let users = message.reactions.reduce(into: Set<UserID>()) { $0.formUnion($1.userIDs) }
        let roster = try await roster(of: key.conversationID, only: users, asker: asker)
        let names = roster.members.map { ($0.userID, $0.displayName) }
        return (message.reactions, Dictionary(names) { first, _ in first })
    }
}
