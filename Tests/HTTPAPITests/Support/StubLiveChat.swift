import ChatCore
import TestSupport

/// A live chat that checks who asks and keeps nothing; what it really does is tested with the program itself.
struct StubLiveChat: LiveChatRepository, ChangeNotifier {
    let store: InMemoryStore

    private func check(_ id: ConversationID, _ user: UserID, _ moment: Timestamp) async throws {
        _ = try await store.roster(of: id, asker: user, at: moment)
    }

    func openDirect(
        _ asker: UserID, _ other: UserID, names: [UserID: String], newID: ConversationID, at moment: Timestamp
    ) async throws -> (roster: ConversationRoster, isNew: Bool) { (.sample(newID, members: [asker, other]), true) }

    func inbox(
        of user: UserID, matching query: String?, at moment: Timestamp
    ) async throws -> (entries: [InboxEntry], cursor: ChangeCursor) { ([], try await store.latestChange()) }

    func inboxEntry(of id: ConversationID, for user: UserID, at moment: Timestamp) async throws -> InboxEntry {
        throw RepositoryError.noSuchConversation(id)
    }

    /// Everybody may watch everybody.
    func companions(of user: UserID, at moment: Timestamp) async throws -> Set<UserID> {
        ["ada", "bob", "ben", "cy"]
    }

    func positions(of keys: [MessageKey]) async throws -> [MessageKey: MessagePosition] { [:] }

    func memberMentions(of keys: [MessageKey]) async throws -> [MessageKey: [MemberMention]] { [:] }

    func markRead(
        _ messages: [MessageID], in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> (receipt: Receipt, isMoved: Bool) {
        try await check(id, user, moment)
        return (Receipt(userID: user, readSeq: 1), true)
    }

    func markUnread(
        from message: MessageID, in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> Receipt {
        try await check(id, user, moment)
        return Receipt(userID: user, readSeq: 0)
    }

    func acknowledge(_ cursor: ChangeCursor, by user: UserID) async throws {}

    func receipts(in id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> [Receipt] {
        try await check(id, asker, moment)
        return []
    }

    func setPreferences(
        _ preferences: ConversationPreferences, of id: ConversationID, for user: UserID, at moment: Timestamp
    ) async throws { try await check(id, user, moment) }

    func roles(in id: ConversationID) async throws -> [UserID: MemberRole] { [:] }

    func setRole(_ role: MemberRole, of user: UserID, in id: ConversationID, at moment: Timestamp) async throws {}

    func rename(_ id: ConversationID, to name: String, at moment: Timestamp) async throws {}

    func react(
        _ emoji: String, isSet: Bool, to key: MessageKey, by user: UserID, at moment: Timestamp
    ) async throws -> Message {
        guard let message = try await store.stored([key])[key] else { throw RepositoryError.noSuchMessage(key) }
        return message
    }

    func audiences(of ids: Set<ConversationID>, at moment: Timestamp) async throws -> [ConversationID: Audience] {
        [:]
    }

    /// Every cursor of another log has expired, and nothing ever changes.
    func feed(
        of reader: UserID, in range: FeedRange, limit: Int, at moment: Timestamp
    ) async throws -> FeedPage {
        let end = try await store.latestChange()
        guard range.start.epoch == end.epoch else { throw RepositoryError.expiredCursor }
        return FeedPage(changes: [], end: end)
    }

    func latestChange() async throws -> ChangeCursor { try await store.latestChange() }

    func waitForChange(after cursor: ChangeCursor) async throws { try await store.waitForChange(after: cursor) }
}
