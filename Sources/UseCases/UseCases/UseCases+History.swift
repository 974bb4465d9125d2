package import ChatCore

/// Where a page of a conversation begins.
package enum HistoryPlace: Hashable, Sendable {
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
    /// With the first message from a time on in the middle; with the newest one if all are earlier.
    case from(Timestamp)
}

/// A page of a conversation.
package struct HistoryPage: Hashable, Sendable {
    /// The messages, newest first.
    package var messages: [Message]
    /// Whether there are older messages than these.
    package var hasOlder: Bool
    /// Whether there are newer messages than these.
    package var hasNewer: Bool
    /// The asker's first unread message, for a page that begins there.
    package var firstUnreadID: MessageID?
    /// The first message from the time on, for a page that begins there.
    package var firstID: MessageID?
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
    package func history(
        of id: ConversationID, asker: UserID, at place: HistoryPlace, limit: Int
    ) async throws -> HistoryPage {
        var page: HistoryPage
        switch place {
        case .newest: page = try await older(of: id, asker: asker, before: nil, limit: limit)
        case .before(let message): page = try await older(of: id, asker: asker, before: message, limit: limit)
        case .after(let message): page = try await newer(of: id, asker: asker, after: message, limit: limit)
        case .around(let message): page = try await middle(of: id, asker: asker, around: message, limit: limit)
        case .unread:
            let (earlier, later) = Self.shares(of: limit)
            if let found = try await live.firstUnread(in: id, of: asker, earlier: earlier, later: later, at: now()) {
                page = middle(found, limit: limit)
                page.firstUnreadID = found.message?.key.messageID
            } else {
                page = try await older(of: id, asker: asker, before: nil, limit: limit)
            }
        case .from(let time):
            let (_, later) = Self.shares(of: limit)
            // If nothing is later, the page is full of what is earlier.
            let found = try await store.messages(
                of: id, from: time, asker: asker, earlier: limit + 1, later: later, at: now())
            page =
                found.message == nil
                ? HistoryPage(
                    messages: Array(found.earlier.prefix(limit)), hasOlder: found.earlier.count > limit, hasNewer: false
                )
                : middle(found, limit: limit)
            page.firstID = found.message?.key.messageID
        }
        page.messages = page.messages.map { $0.shown(to: asker) }
        return page
    }

    private func older(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int
    ) async throws -> HistoryPage {
        guard let before else {
            let found = try await store.page(of: id, asker: asker, before: nil, limit: limit + 1, at: now())
            return HistoryPage(messages: Array(found.prefix(limit)), hasOlder: found.count > limit, hasNewer: false)
        }
        let found = try await surroundings(of: id, before, asker: asker, earlier: limit + 1, later: 1)
        return HistoryPage(
            messages: Array(found.earlier.prefix(limit)), hasOlder: found.earlier.count > limit,
            hasNewer: found.message != nil || !found.later.isEmpty)
    }

    private func newer(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int
    ) async throws -> HistoryPage {
        let found = try await surroundings(of: id, after, asker: asker, earlier: 1, later: limit + 1)
        return HistoryPage(
            messages: found.later.prefix(limit).reversed(), hasOlder: found.message != nil || !found.earlier.isEmpty,
            hasNewer: found.later.count > limit)
    }

    private func middle(
        of id: ConversationID, asker: UserID, around message: MessageID, limit: Int
    ) async throws -> HistoryPage {
        let (earlier, later) = Self.shares(of: limit)
        let found = try await surroundings(of: id, message, asker: asker, earlier: earlier, later: later)
        guard found.message != nil else {
            throw RepositoryError.noSuchMessage(MessageKey(conversationID: id, messageID: message))
        }
        return middle(found, limit: limit)
    }

    private func surroundings(
        of id: ConversationID, _ message: MessageID, asker: UserID, earlier: Int, later: Int
    ) async throws -> MessageSurroundings {
        let key = MessageKey(conversationID: id, messageID: message)
        return try await store.surroundings(of: key, asker: asker, earlier: earlier, later: later, at: now())
    }

    /// The messages that are read before and after the middle of a page, one more than it may need on each side.
    private static func shares(of limit: Int) -> (earlier: Int, later: Int) { ((limit - 1) / 2 + 1, limit) }

    private func middle(_ found: MessageSurroundings, limit: Int) -> HistoryPage {
        let half = (limit - 1) / 2
        let room = limit - 1 - min(half, found.earlier.count)
        let middle = found.message.map { [$0] } ?? []
        return HistoryPage(
            messages: found.later.prefix(room).reversed() + middle + found.earlier.prefix(half),
            hasOlder: found.earlier.count > half, hasNewer: found.later.count > room)
    }

    /// Lists the replies to a message that somebody may see, oldest first; those to a deleted message can be read, too.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``.
    package func replies(
        to key: MessageKey, asker: UserID, after: MessageID? = nil, limit: Int
    ) async throws -> ListPage<Message> {
        let found = try await live.replies(to: key, for: asker, after: after, limit: limit + 1, at: now())
        return ListPage(found.map { $0.shown(to: asker) }, limit: limit)
    }

    /// Returns what the asker is shown beside messages.
    package func details(of keys: [MessageKey], asker: UserID) async throws -> [MessageKey: MessageDetails] {
        guard !keys.isEmpty else { return [:] }
        return try await live.details(of: keys, for: asker, at: now())
    }

    /// Returns a message that somebody may see, and the names of those who reacted; the id is the name of a person who
    /// never was a member.
    ///
    /// Reactions of people who left stay, as their messages do.
    package func reactions(
        to key: MessageKey, asker: UserID
    ) async throws -> (reactions: [Message.Reaction], names: [UserID: String]) {
        let message = try await message(key, asker: asker)
        let users = message.reactions.reduce(into: Set<UserID>()) { $0.formUnion($1.userIDs) }
        let roster = try await roster(of: key.conversationID, only: users, asker: asker)
        let names = roster.members.map { ($0.userID, $0.displayName) }
        return (message.reactions, Dictionary(names) { first, _ in first })
    }
}
