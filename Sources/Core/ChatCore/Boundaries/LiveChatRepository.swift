/// A live chat: positions of messages, receipts, each person's own view, and the feed that clients follow.
///
/// All calls throw ``RepositoryError``, which is ``RepositoryError/noSuchConversation(_:)`` also for a conversation that
/// the asker may not see.
public protocol LiveChatRepository: Sendable {
    /// Stores a posted conversation.
    ///
    /// - Parameters:
    ///   - roster: The conversation with its members.
    ///   - maker: The member who makes it and becomes the administrator of a group; nil for none.
    ///   - source: The source of the members' ids; see ``Identity``.
    ///   - moment: The present time.
    /// - Returns: Whether it is new; the same one may exist already.
    /// - Throws: ``RepositoryError/conflict(_:)`` if it exists with other content.
    func create(
        _ roster: ConversationRoster, by maker: UserID?, source: String, at moment: Timestamp
    ) async throws -> Bool

    /// Stores a conversation that a person makes, and becomes the administrator of; see ``create(_:by:source:at:)``.
    ///
    /// - Throws: ``GroupLimitError`` if the person makes more than one may; ``RepositoryError``.
    func create(
        _ roster: ConversationRoster, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws -> Bool

    /// Returns the direct conversation of two people, and makes it if there is none; also when both ask at once.
    ///
    /// - Parameters:
    ///   - asker: One of them.
    ///   - other: The other one; the asker for notes to oneself.
    ///   - names: Names for new members; the id counts if there is none.
    ///   - newID: The id of a new conversation.
    ///   - limits: How many conversations the asker may make.
    ///   - moment: The present time.
    /// - Returns: The conversation, and whether it is new.
    /// - Throws: ``GroupLimitError``, ``RepositoryError``.
    func openDirect(
        _ asker: UserID, _ other: UserID, names: [UserID: String], newID: ConversationID, limits: GroupLimits,
        at moment: Timestamp
    ) async throws -> (roster: ConversationRoster, isNew: Bool)

    /// Returns the conversations that a person sees: pinned ones first, then by last activity.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - query: Only conversations with this text in the name or the last message, or with a present member of whose
    ///     name a word begins with it; nil for all.
    ///   - moment: The present time.
    /// - Returns: The list, and its position in the change log, both of one moment.
    /// - Throws: ``RepositoryError``.
    func inbox(of user: UserID, matching query: String?, at moment: Timestamp) async throws -> (
        entries: [InboxEntry], cursor: ChangeCursor
    )

    /// Returns one conversation of a person's list.
    func inboxEntry(of id: ConversationID, for user: UserID, at moment: Timestamp) async throws -> InboxEntry

    /// Returns the people who are members of a conversation together with a user at a moment.
    func companions(of user: UserID, at moment: Timestamp) async throws -> Set<UserID>

    /// Stores new messages in one transaction, which also decides whether the writer may write in their conversations, and
    /// completes what the writer leaves out; see ``MessageRepository/accept(_:source:mode:at:)`` for posting.
    ///
    /// A large batch takes several transactions.
    ///
    /// - Parameters:
    ///   - drafts: The messages, in the order in which they are stored.
    ///   - writer: The party that writes; the senders are not checked.
    ///   - source: The source of the senders' ids; see ``Identity``.
    ///   - moment: The present time.
    /// - Returns: One result per message, in order; ``AcceptOutcome/noSuchConversation`` also for one that the writer does
    ///   not see.
    /// - Throws: Storage errors; then nothing was stored.
    func post(
        _ drafts: [MessageDraft], by writer: Writer, source: String, at moment: Timestamp
    ) async throws -> [PostedMessage]

    /// Returns the positions of messages that exist, without a permission check.
    func positions(of keys: [MessageKey]) async throws -> [MessageKey: MessagePosition]

    /// Returns the mentions of members in messages, without a permission check.
    func memberMentions(of keys: [MessageKey]) async throws -> [MessageKey: [MemberMention]]

    /// Returns the replies to messages that were shown to a reader; messages without any are left out.
    func replySummaries(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: ReplySummary]

    /// Returns the replies to a message that a reader may see, oldest first.
    ///
    /// - Parameters:
    ///   - key: The message; replies to a deleted one can be read, too.
    ///   - reader: The reader.
    ///   - after: Only replies after this one; nil for the first page.
    ///   - limit: The most replies.
    ///   - moment: The present time.
    /// - Returns: Messages by ascending (timestamp, arrival).
    /// - Throws: ``RepositoryError/noSuchMessage(_:)``, also if the reader may not see the message.
    func replies(
        to key: MessageKey, for reader: UserID, after: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message]

    /// Moves a member's read position to the last of these messages; it never moves back.
    ///
    /// - Returns: The receipt, and whether it moved.
    /// - Throws: ``RepositoryError/noSuchMessage(_:)`` if none of the messages is known.
    func markRead(
        _ messages: [MessageID], in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> (receipt: Receipt, isMoved: Bool)

    /// Moves a member's read position back to before a message.
    func markUnread(
        from message: MessageID, in id: ConversationID, by user: UserID, at moment: Timestamp
    ) async throws -> Receipt

    /// Notes that a device of a user has received everything up to a cursor; it never moves back.
    ///
    /// The feeds of the senders of new messages report it, at most once a second for each user. A call within that
    /// second is reported with the next call.
    func acknowledge(_ cursor: ChangeCursor, by user: UserID, at moment: Timestamp) async throws

    /// Returns the receipts of the present members of a conversation, by user id, as the asker may see them.
    func receipts(in id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> [Receipt]

    /// Changes a person's own settings for a conversation, and returns them.
    ///
    /// Two devices that change different things keep both changes. The closure may run several times.
    func changePreferences(
        of id: ConversationID, for user: UserID, at moment: Timestamp,
        _ change: @escaping @Sendable (inout ConversationPreferences) -> Void
    ) async throws -> ConversationPreferences

    /// Returns the roles of the present members that are not ``MemberRole/member``.
    func roles(in id: ConversationID) async throws -> [UserID: MemberRole]

    /// Sets the role of a present member.
    func setRole(
        _ role: MemberRole, of user: UserID, in id: ConversationID, at moment: Timestamp
    ) async throws

    /// Sets the part of the history that people who join later may read.
    ///
    /// With ``Conversation/History/joined`` present members keep what they may read now. With
    /// ``Conversation/History/all`` every member may read all of it.
    func setHistory(_ history: Conversation.History, of id: ConversationID, at moment: Timestamp) async throws

    /// Gives a conversation another name.
    func rename(_ id: ConversationID, to name: String, at moment: Timestamp) async throws

    /// Adds a person's reaction to a message, or removes it.
    ///
    /// - Returns: The message.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``, ``RepositoryError/noSuchMessage(_:)``, also for what the person
    ///   does not see.
    func react(
        _ emoji: String, isSet: Bool, to key: MessageKey, by user: UserID, at moment: Timestamp
    ) async throws -> Message

    /// Returns the present members of conversations, and which conversations everybody sees; unknown ones are left out.
    func audiences(of ids: Set<ConversationID>, at moment: Timestamp) async throws -> [ConversationID: Audience]

    /// Returns what changed for a reader after a cursor, from one read transaction.
    ///
    /// It costs one index probe for each conversation that it looks at, and the rows of what changed.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - range: The part of the log.
    ///   - limit: The most changes of one conversation.
    ///   - moment: The present time.
    /// - Returns: The present state of what changed, for what the reader may see now.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func feed(of reader: UserID, in range: FeedRange, limit: Int, at moment: Timestamp) async throws -> FeedPage

    /// Returns what changed for several readers, from one read transaction; see ``feed(of:in:limit:at:)``.
    ///
    /// - Returns: A page for each request, in order, or the reason why this reader gets none.
    func feeds(
        _ requests: [FeedRequest], limit: Int, at moment: Timestamp
    ) async throws -> [Result<FeedPage, RepositoryError>]
}

extension LiveChatRepository {
    /// Stores it without limits.
    public func create(
        _ roster: ConversationRoster, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws -> Bool {
        try await create(roster, by: adding.person, source: source, at: moment)
    }

    /// Opens a conversation within the default limits.
    public func openDirect(
        _ asker: UserID, _ other: UserID, names: [UserID: String], newID: ConversationID, at moment: Timestamp
    ) async throws -> (roster: ConversationRoster, isNew: Bool) {
        try await openDirect(asker, other, names: names, newID: newID, limits: GroupLimits(), at: moment)
    }

    /// Reads one page after another.
    public func feeds(
        _ requests: [FeedRequest], limit: Int, at moment: Timestamp
    ) async throws -> [Result<FeedPage, RepositoryError>] {
        var pages: [Result<FeedPage, RepositoryError>] = []
        for request in requests {
            do {
                pages.append(
                    .success(try await feed(of: request.reader, in: request.range, limit: limit, at: moment)))
            } catch let error as RepositoryError {
                pages.append(.failure(error))
            }
        }
        return pages
    }
}
