/// What became of a message that was handed in.
public enum AcceptOutcome: Hashable, Sendable {
    /// It is new, and queued for embedding unless it has nothing to embed.
    case inserted
    /// It was there already, the same; or it was sent before under this id with the same local id.
    case unchanged(MessageID)
    /// It was there with other content, and was renewed (importing only).
    case updated
    /// It was deleted or erased before; it stays so.
    case deletedBefore
    /// It was there with other content (posting only); nothing changed.
    case conflict
    /// Its conversation does not exist.
    case noSuchConversation
    /// Something of it breaks a rule.
    case invalid(field: String, reason: String)
}

/// Messages: the truth that everything else is derived from.
///
/// All calls throw ``RepositoryError``. A message, its queue entries and its change are stored in one transaction; when
/// a call returns they survive a crash.
public protocol MessageRepository: Sendable {
    /// Stores messages; each succeeds or fails on its own, all in one transaction.
    ///
    /// - Parameters:
    ///   - messages: In the order in which they happened.
    ///   - source: Where the senders' ids come from; see ``Identity``.
    ///   - mode: How what exists is treated.
    ///   - moment: The present time.
    /// - Returns: One outcome a message, in order.
    /// - Throws: Storage errors; then nothing was stored.
    func accept(_ messages: [Message], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> [AcceptOutcome]

    /// Gives a message a new text.
    ///
    /// In the same transaction its passages and vectors go and it is queued anew.
    func edit(_ key: MessageKey, text: String, at moment: Timestamp) async throws -> Message

    /// Deletes a message: text, captions, extra, reactions, passages, vectors and queue entries go, turns that stood on
    /// it are redacted; a tombstone stays. Deleting it again is no error.
    func delete(_ key: MessageKey, at moment: Timestamp) async throws

    /// Returns messages of one conversation, newest first, deleted ones left out.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: Who reads; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - before: Only those that stand before this one; an unknown one is ``RepositoryError/noSuchMessage(_:)``.
    ///   - limit: The most wanted.
    ///   - moment: The present time.
    /// - Returns: Messages by descending (timestamp, arrival).
    /// - Throws: ``RepositoryError``.
    func page(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message]

    /// Returns messages of one conversation that stand behind another one, oldest first, deleted ones left out.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: Who reads; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - after: Only those that stand behind this one; an unknown one is ``RepositoryError/noSuchMessage(_:)``.
    ///   - limit: The most wanted.
    ///   - moment: The present time.
    /// - Returns: Messages by ascending (timestamp, arrival).
    /// - Throws: ``RepositoryError``.
    func page(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int, at moment: Timestamp
    ) async throws -> [Message]

    /// Returns those of `keys` that exist, are not deleted and lie within `scope` at `moment`.
    func messages(_ keys: [MessageKey], in scope: SearchScope, at moment: Timestamp) async throws
        -> [MessageKey: Message]

    /// Returns those of `keys` that exist, deleted ones as what is left of them, whoever may see them.
    ///
    /// For what decides whether a message may be changed; never for what a person is shown.
    func stored(_ keys: [MessageKey]) async throws -> [MessageKey: Message]

    /// Returns how far a conversation can have been read by now; nil when there is no such conversation.
    func extent(of id: ConversationID) async throws -> ReadBasis.Extent?

    /// Returns whether all that was read is as it was, and may still be read.
    ///
    /// False when one of the messages was edited, deleted or otherwise changed since the reading began, or when the
    /// asker may not see one of them any more. Messages that came later do not count.
    func isUnchanged(_ basis: ReadBasis, at moment: Timestamp) async throws -> Bool

    /// Returns messages by their numbers, as far as they exist, are not deleted and lie within a scope.
    ///
    /// Permission is decided in the same moment as the messages are read. Reactions, `extra` and local ids are not read:
    /// a search needs none of them.
    ///
    /// - Parameters:
    ///   - messages: What was found.
    ///   - generation: Of which their passages are wanted; nil for none.
    ///   - scope: Who reads, and where.
    ///   - moment: The present time.
    /// - Returns: Each message once, in the order in which it is named first.
    /// - Throws: ``RepositoryError``.
    func visible(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, in scope: SearchScope,
        at moment: Timestamp
    ) async throws
        -> [VisibleMessage]
}

/// What somebody read at a time, so that it can be decided later whether it is still the same.
public struct ReadBasis: Hashable, Sendable {
    /// A conversation that was read as a whole.
    public struct Extent: Hashable, Sendable {
        /// Which one.
        public let conversationID: ConversationID
        /// The newest message that can have been read, by its number in the store.
        public let through: MessageNumber
        /// How many messages there were, deleted ones left out.
        public let messageCount: Int

        public init(conversationID: ConversationID, through: MessageNumber, messageCount: Int) {
            self.conversationID = conversationID
            self.through = through
            self.messageCount = messageCount
        }
    }

    /// Who read.
    public let asker: UserID
    /// Single messages that were read.
    public let keys: Set<MessageKey>
    /// The conversation that was read as a whole; nil for none.
    public let extent: Extent?
    /// The end of the change log before the reading began.
    public let since: ChangeCursor

    public init(asker: UserID, keys: Set<MessageKey>, extent: Extent?, since: ChangeCursor) {
        self.asker = asker
        self.keys = keys
        self.extent = extent
        self.since = since
    }
}
