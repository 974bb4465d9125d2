/// Announces changes of the store to services in the same process.
public protocol ChangeNotifier: Sendable {
    /// Returns the end of the change log.
    func latestChange() async throws -> ChangeCursor

    /// Waits until there is a change after a cursor, without cost; returns at once when there is one already.
    ///
    /// It may also return because the store was closed.
    ///
    /// - Throws: `CancellationError`.
    func waitForChange(after cursor: ChangeCursor) async throws
}

/// The change log, and what the indexes read through it.
public protocol ChangeFeed: ChangeNotifier {
    /// Returns the changes after a cursor, at most `limit`.
    ///
    /// - Throws: ``RepositoryError/expiredCursor`` for a cursor of another log, one after the end of this log, or one
    ///   before changes that were removed.
    func changes(after cursor: ChangeCursor, limit: Int) async throws -> ChangePage

    /// Returns passages of a generation with their vectors, by ascending number, those after `after`, at most `limit`.
    func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]

    /// Returns those of `numbers` that (still) have a vector in a generation; by ascending number.
    func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws -> [IndexedPassage]

    /// Returns the passages that messages have in a generation; by ascending number, unknown messages add none.
    func passages(of messages: [MessageKey], in generation: GenerationNumber) async throws -> [PassageNumber]

    /// Returns messages by ascending number, those after `after`, at most `limit`; deleted ones too, without content.
    func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage]

    /// Returns those of `keys` that exist, deleted ones without content; by ascending number.
    func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage]

    /// Returns how many passages have a vector in a generation, and the end of the log at the same moment.
    func census(of generation: GenerationNumber) async throws -> IndexCensus

    /// Returns how many messages have searchable content, and the end of the log at the same moment.
    func messageCensus() async throws -> IndexCensus
}

/// A snapshot file of an index.
public struct SnapshotRecord: Hashable, Sendable {
    /// The file's name.
    public let name: String
    /// Every change before this cursor is in the file.
    public let cursor: ChangeCursor

    public init(name: String, cursor: ChangeCursor) {
        self.name = name
        self.cursor = cursor
    }
}

/// Remembers the valid snapshot file of each index: one per generation of vectors, and one for words.
///
/// The files are outside the store and are only a cache.
public protocol SnapshotRegister: Sendable {
    /// Returns the valid files; standby and retired generations have none.
    func snapshots() async throws -> [GenerationNumber: SnapshotRecord]

    /// Replaces the valid file of a generation; nil forgets it.
    ///
    /// - Returns: False when the generation is unknown, on standby or retired; then nothing is remembered.
    /// - Throws: ``RepositoryError``.
    func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool

    /// Returns the valid file of words; nil for none.
    func wordSnapshot() async throws -> SnapshotRecord?

    /// Replaces the valid file of words; nil forgets it.
    ///
    /// - Throws: ``RepositoryError``; then nothing has changed.
    func setWordSnapshot(_ record: SnapshotRecord?) async throws
}

/// A message in the form that the lexical index needs.
public struct IndexedMessage: Sendable, Hashable {
    /// The searchable content of a message.
    public struct Content: Sendable, Hashable {
        /// The sender's id.
        public var senderID: UserID
        /// The sender's name when the message was written.
        public var senderName: String
        /// See ``Message/searchableText``.
        public var text: String
        /// When the message was written.
        public var timestamp: Timestamp
        /// The IANA name of the conversation's time zone, if known; it decides on which day the message was written.
        public var timeZone: String?
        /// The first message of its thread; nil outside of threads.
        public var threadRootID: MessageID?
        /// See ``Message/contentKinds``.
        public var kinds: ContentKinds

        public init(
            senderID: UserID, senderName: String, text: String, timestamp: Timestamp, timeZone: String? = nil,
            threadRootID: MessageID? = nil, kinds: ContentKinds = []
        ) {
            self.senderID = senderID
            self.senderName = senderName
            self.text = text
            self.timestamp = timestamp
            self.timeZone = timeZone
            self.threadRootID = threadRootID
            self.kinds = kinds
        }
    }

    /// Its number, the row's key.
    public let number: MessageNumber
    /// The number of its conversation, the row's group.
    public let conversation: ConversationNumber
    /// The searchable content; nil if there is none because the message was deleted, has no text, or is the
    /// application's own.
    public let content: Content?

    public init(number: MessageNumber, conversation: ConversationNumber, content: Content?) {
        self.number = number
        self.conversation = conversation
        self.content = content
    }
}
