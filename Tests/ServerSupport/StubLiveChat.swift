package import ChatCore
package import TestSupport

/// A live chat that checks who asks, reads what the store has and keeps nothing; what it really does is tested with the program itself.
package struct StubLiveChat: LiveChatRepository, ChangeNotifier {
    package let store: InMemoryStore

    package init(store: InMemoryStore) {
        self.store = store
    }

    private func check(_ id: ConversationID, _ user: UserID, _ moment: Timestamp) async throws {
        _ = try await store.roster(of: id, asker: user, at: moment)
    }

    package func openDirect(
        _ asker: UserID, _ other: UserID, names: [UserID: String], newID: ConversationID, limits: GroupLimits,
        at moment: Timestamp
    ) async throws -> (roster: ConversationRoster, isNew: Bool) { (.sample(newID, members: [asker, other]), true) }

    package func create(
        _ roster: ConversationRoster, by maker: UserID?, source: String, at moment: Timestamp
    ) async throws -> Bool { try await store.store([roster], source: source, mode: .posting, at: moment) > 0 }

    package func inbox(
        of user: UserID, matching query: String?, at moment: Timestamp
    ) async throws -> (entries: [InboxEntry], cursor: ChangeCursor) {
        let scope = SearchScope(asker: user, conversations: .all)
        var entries: [InboxEntry] = []
        for permitted in try await store.permitted(scope, at: moment) {
            entries.append(try await inboxEntry(of: permitted.id, for: user, at: moment))
        }
        return (entries.sorted { $0.precedes($1) }, try await store.latestChange())
    }

    /// Nothing is unread, and the assistant says nothing last.
    package func inboxEntry(of id: ConversationID, for user: UserID, at moment: Timestamp) async throws -> InboxEntry {
        let roster = try await store.roster(of: id, asker: user, at: moment)
        let last = try await store.page(of: id, asker: user, before: nil, limit: 9, at: moment)
            .first { $0.kind != .assistant }
        return InboxEntry(
            conversation: roster.conversation, displayName: roster.conversation.name ?? id.rawValue, head: 0,
            lastMessage: last, activeAt: last?.timestamp ?? roster.conversation.createdAt, readSeq: 0, unreadCount: 0,
            mentionCount: 0, firstUnreadID: nil, role: nil, preferences: .init(), members: [])
    }

    private func replies(to key: MessageKey, for reader: UserID, at moment: Timestamp) async throws -> [Message] {
        try await store.page(of: key.conversationID, asker: reader, before: nil, limit: 10_000, at: moment)
            .filter { message in
                message.key != key && [message.replyToID, message.threadRootID].contains(key.messageID)
            }.reversed()
    }

    package func replySummaries(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: ReplySummary] {
        var found: [MessageKey: ReplySummary] = [:]
        for key in keys {
            let replies = try await replies(to: key, for: reader, at: moment)
            found[key] = replies.last.map { ReplySummary(count: replies.count, lastAt: $0.timestamp) }
        }
        return found
    }

    package func replies(
        to key: MessageKey, for reader: UserID, after: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message] {
        let isDeleted = try await store.stored([key])[key]?.deletedAt != nil
        if !isDeleted {
            _ = try await store.page(of: key.conversationID, asker: reader, after: key.messageID, limit: 1, at: moment)
        }
        let all = try await replies(to: key, for: reader, at: moment)
        let rest = after.map { last in all.drop { $0.key.messageID != last }.dropFirst() } ?? all[...]
        return Array(rest.prefix(limit))
    }

    /// Everybody may watch everybody.
    package func companions(of user: UserID, at moment: Timestamp) async throws -> Set<UserID> {
        ["ada", "bob", "ben", "cy"]
    }

    package func post(
        _ drafts: [MessageDraft], by writer: Writer, source: String, at moment: Timestamp
    ) async throws -> [PostedMessage] {
        var posted: [PostedMessage] = []
        for draft in drafts {
            let key = draft.message.key
            let roster = try? await store.roster(
                of: key.conversationID, only: [draft.message.senderID], asker: writer.reader, at: moment)
            guard let roster else {
                posted.append(PostedMessage(outcome: .noSuchConversation, seq: nil))
                continue
            }
            let stored = try await store.stored([key])[key]
            let message = draft.message(
                stored: stored?.deletedAt == nil ? stored : nil, memberName: roster.members.first?.displayName)
            posted += try await store.accept([message], source: source, mode: .posting, at: moment)
                .map { PostedMessage(outcome: $0, seq: nil) }
        }
        return posted
    }

    package func positions(of keys: [MessageKey]) async throws -> [MessageKey: MessagePosition] { [:] }

    package func memberMentions(of keys: [MessageKey]) async throws -> [MessageKey: [MemberMention]] { [:] }

    package func markRead(
        _ messages: [MessageID], in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> (receipt: Receipt, isMoved: Bool) {
        try await check(id, user, moment)
        return (Receipt(userID: user, readSeq: 1), true)
    }

    package func markUnread(
        from message: MessageID, in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> Receipt {
        try await check(id, user, moment)
        return Receipt(userID: user, readSeq: 0)
    }

    package func acknowledge(_ cursor: ChangeCursor, by user: UserID, at moment: Timestamp) async throws {}

    package func receipts(in id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> [Receipt] {
        try await check(id, asker, moment)
        return []
    }

    package func changePreferences(
        of id: ConversationID, for user: UserID, at moment: Timestamp,
        _ change: @escaping @Sendable (inout ConversationPreferences) -> Void
    ) async throws -> ConversationPreferences {
        try await check(id, user, moment)
        var preferences = ConversationPreferences()
        change(&preferences)
        return preferences
    }

    /// The user `boss` is the administrator of every group.
    package func roles(in id: ConversationID) async throws -> [UserID: MemberRole] { ["boss": .admin] }

    package func setRole(_ role: MemberRole, of user: UserID, in id: ConversationID, at moment: Timestamp) async throws
    {}

    package func setHistory(_ history: Conversation.History, of id: ConversationID, at moment: Timestamp) async throws {
    }

    package func rename(_ id: ConversationID, to name: String, at moment: Timestamp) async throws {}

    package func react(
        _ emoji: String, isSet: Bool, to key: MessageKey, by user: UserID, at moment: Timestamp
    ) async throws -> Message {
        guard let message = try await store.stored([key])[key] else { throw RepositoryError.noSuchMessage(key) }
        return message
    }

    package func audiences(of ids: Set<ConversationID>, at moment: Timestamp) async throws -> [ConversationID: Audience]
    {
        [:]
    }

    /// Every cursor of another log has expired, and nothing ever changes.
    package func feed(
        of reader: UserID, in range: FeedRange, limit: Int, at moment: Timestamp
    ) async throws -> FeedPage {
        let end = try await store.latestChange()
        guard range.start.epoch == end.epoch else { throw RepositoryError.expiredCursor }
        return FeedPage(changes: [], end: end)
    }

    package func latestChange() async throws -> ChangeCursor { try await store.latestChange() }

    package func waitForChange(after cursor: ChangeCursor) async throws { try await store.waitForChange(after: cursor) }
}
