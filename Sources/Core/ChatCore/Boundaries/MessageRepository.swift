/// The result for a message that was handed to the store.
public enum AcceptOutcome: Hashable, Sendable {
    /// It is new, and queued for embedding unless it has nothing to embed.
    case inserted
    /// It exists with the same content, or it was sent before with the same local id under this id.
    case unchanged(MessageID)
    /// It existed with other content, and was updated (importing only).
    case updated
    /// It was deleted or erased before; it stays so.
    case deletedBefore
    /// It exists with other content (posting only); nothing changed.
    case conflict
    /// Its conversation does not exist.
    case noSuchConversation
    /// It breaks a rule.
    case invalid(field: String, reason: String)
}

/// Messages: the truth that everything else is derived from.
///
/// All calls throw ``RepositoryError``. A message, its queue entries and its change are stored in one transaction; when
/// a call returns they survive a crash.
public protocol MessageRepository: Sendable {
    /// Stores messages in one transaction; each succeeds or fails separately.
    ///
    /// - Parameters:
    ///   - messages: In the order in which they happened.
    ///   - source: The source of the senders' ids; see ``Identity``.
    ///   - mode: How existing messages are treated.
    ///   - moment: The present time.
    /// - Returns: One outcome per message, in order.
    /// - Throws: Storage errors; then nothing was stored.
    func accept(_ messages: [Message], source: String, mode: AcceptMode, at moment: Timestamp) async throws
        -> [AcceptOutcome]

    /// Changes the text and the files of a message that the writer may change; what it has already changes nothing.
    ///
    /// The same transaction deletes its passages and vectors and queues it again, and deletes files that it no longer has.
    ///
    /// - Parameters:
    ///   - key: The message.
    ///   - text: The new text; nil to keep it.
    ///   - files: All files that the message has from now on, nil to keep them; attachments without an id stay.
    ///   - writer: The party that writes.
    ///   - moment: The present time.
    /// - Returns: The message.
    /// - Throws: ``PermissionError/notOwn``; ``RepositoryError/noSuchConversation(_:)`` and
    ///   ``RepositoryError/noSuchMessage(_:)``, also for one that the writer does not see;
    ///   ``RepositoryError/invalid(field:reason:)``.
    func edit(
        _ key: MessageKey, text: String?, files: [FileID]?, by writer: Writer, at moment: Timestamp
    ) async throws -> Message

    /// Deletes a message: text, captions, extra, reactions, passages, vectors and queue entries are removed, and turns
    /// based on it are redacted; a tombstone remains. Deleting it again is not an error.
    ///
    /// - Throws: As ``edit(_:text:files:by:at:)``.
    func delete(_ key: MessageKey, by writer: Writer, at moment: Timestamp) async throws

    /// Returns messages of one conversation, newest first, without deleted ones.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: The reader; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - before: Only messages before this one; an unknown one is ``RepositoryError/noSuchMessage(_:)``.
    ///   - limit: The most messages.
    ///   - moment: The present time.
    /// - Returns: Messages by descending (timestamp, arrival).
    /// - Throws: ``RepositoryError``.
    func page(
        of id: ConversationID, asker: UserID, before: MessageID?, limit: Int, at moment: Timestamp
    ) async throws -> [Message]

    /// Returns messages of one conversation after another message, oldest first, without deleted ones.
    ///
    /// - Parameters:
    ///   - id: The conversation.
    ///   - asker: The reader; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - after: Only messages after this one; an unknown one is ``RepositoryError/noSuchMessage(_:)``.
    ///   - limit: The most messages.
    ///   - moment: The present time.
    /// - Returns: Messages by ascending (timestamp, arrival).
    /// - Throws: ``RepositoryError``.
    func page(
        of id: ConversationID, asker: UserID, after: MessageID, limit: Int, at moment: Timestamp
    ) async throws -> [Message]

    /// Returns a message and its neighbours, without deleted ones, from one read transaction.
    ///
    /// - Parameters:
    ///   - key: The message; an unknown one is ``RepositoryError/noSuchMessage(_:)``.
    ///   - asker: The reader; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - earlier: The most messages before it.
    ///   - later: The most messages after it.
    ///   - moment: The present time.
    /// - Returns: The messages.
    /// - Throws: ``RepositoryError``.
    func surroundings(
        of key: MessageKey, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings

    /// Returns the first message from a time on, with its neighbours, from one transaction.
    ///
    /// - Parameters:
    ///   - id: The conversation; ``RepositoryError/noSuchConversation(_:)`` unless permitted.
    ///   - time: The time; a message of exactly this time is the first.
    ///   - asker: The reader.
    ///   - earlier: The most messages before it.
    ///   - later: The most messages after it.
    ///   - moment: The present time.
    /// - Returns: The messages; without a message if all are earlier.
    /// - Throws: ``RepositoryError``.
    func messages(
        of id: ConversationID, from time: Timestamp, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings

    /// Returns those of `keys` that exist, are not deleted and are within `scope` at `moment`.
    func messages(_ keys: [MessageKey], in scope: SearchScope, at moment: Timestamp) async throws
        -> [MessageKey: Message]

    /// Returns those of `keys` that exist, including the remains of deleted ones, without a permission check.
    ///
    /// For checks whether a message may be changed; never for showing a message to a person.
    func stored(_ keys: [MessageKey]) async throws -> [MessageKey: Message]

    /// Returns how far a conversation could have been read by now; nil for an unknown conversation.
    func extent(of id: ConversationID) async throws -> ReadBasis.Extent?

    /// Returns whether all messages of a reading are unchanged, and may still be read.
    ///
    /// False when one of the messages was edited, deleted or otherwise changed since the reading began, or when the
    /// asker may no longer see one of them. Messages that arrived later do not count.
    func isUnchanged(_ basis: ReadBasis, at moment: Timestamp) async throws -> Bool

    /// Returns messages by their numbers, if they exist, are not deleted and are within a scope.
    ///
    /// Permission is decided at the moment at which the messages are read. Reactions, `extra` and local ids are not
    /// read because a search does not need them.
    ///
    /// - Parameters:
    ///   - messages: The numbers.
    ///   - generation: The generation whose passages are read; nil for no passages, and no repeats.
    ///   - best: Those whose repeats are wanted, as of ``repeats(of:for:in:limit:)``, if that costs no further call.
    ///   - limit: The most repeats of each.
    ///   - scope: The reader, and the conversations.
    ///   - moment: The present time.
    /// - Returns: Each message once, in the order of the first mention; the repeats of those for which they were looked
    ///   up, also if there are none.
    /// - Throws: ``RepositoryError``.
    func visible(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, repeatsOf best: [MessageNumber],
        limit: Int, in scope: SearchScope, at moment: Timestamp
    ) async throws -> (messages: [VisibleMessage], repeats: [MessageNumber: [MessageNumber]])

    /// Returns messages that begin with the same embedded text as given ones, are in the same conversation, and were
    /// written at a time that the asker may read there.
    ///
    /// Whether the asker may see the conversation is not checked: the messages must be read with
    /// ``visible(_:passagesOf:in:at:)``.
    ///
    /// - Parameters:
    ///   - messages: The numbers.
    ///   - asker: Who will read them.
    ///   - generation: The generation whose passages are compared.
    ///   - limit: The most messages for each given one, the newest.
    /// - Returns: The other messages by the given one, newest first; nothing for a message without others.
    /// - Throws: ``RepositoryError``.
    func repeats(
        of messages: [MessageNumber], for asker: UserID, in generation: GenerationNumber, limit: Int
    ) async throws -> [MessageNumber: [MessageNumber]]
}

extension MessageRepository {
    /// Returns messages by their numbers, if they exist, are not deleted and are within a scope, without repeats.
    ///
    /// - Returns: Each message once, in the order of the first mention.
    public func visible(
        _ messages: [MessageNumber], passagesOf generation: GenerationNumber?, in scope: SearchScope,
        at moment: Timestamp
    ) async throws -> [VisibleMessage] {
        try await visible(messages, passagesOf: generation, repeatsOf: [], limit: 0, in: scope, at: moment).messages
    }
}

/// The messages of a past reading, to check later whether they are unchanged.
public struct ReadBasis: Hashable, Sendable {
    /// A conversation that was read as a whole.
    public struct Extent: Hashable, Sendable {
        /// The conversation.
        public let conversationID: ConversationID
        /// The newest message that could have been read, by its number in the store.
        public let through: MessageNumber
        /// The number of messages, without deleted ones.
        public let messageCount: Int

        public init(conversationID: ConversationID, through: MessageNumber, messageCount: Int) {
            self.conversationID = conversationID
            self.through = through
            self.messageCount = messageCount
        }
    }

    /// The reader.
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

extension MessageRepository {
    /// Reads one page after another.
    public func surroundings(
        of key: MessageKey, asker: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings {
        let (id, message) = (key.conversationID, key.messageID)
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        return MessageSurroundings(
            message: try await messages([key], in: scope, at: moment)[key],
            earlier: try await page(of: id, asker: asker, before: message, limit: earlier, at: moment),
            later: try await page(of: id, asker: asker, after: message, limit: later, at: moment))
    }
}
