/// Announces changes of the store to services in the same process.
public protocol ChangeNotifier: Sendable {
    /// Returns the end of the change log.
    func latestChange() async throws -> ChangeCursor

    /// Returns once there is a change after a cursor, at once when there is one; without cost while nothing happens.
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
    /// - Throws: ``RepositoryError/expiredCursor`` for a cursor of another log, or one after the end of this log.
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

    /// Returns how many messages have content to be found by, and the end of the log at the same moment.
    func messageCensus() async throws -> IndexCensus
}

/// A snapshot file of an index.
public struct SnapshotRecord: Hashable, Sendable {
    /// The file's name.
    public let name: String
    /// Every change before it is in the file.
    public let cursor: ChangeCursor

    public init(name: String, cursor: ChangeCursor) {
        self.name = name
        self.cursor = cursor
    }
}

/// Remembers which files hold the valid snapshots of the indexes: of each generation's vectors, and of the words.
///
/// The files lie outside of the store and are only a cache.
public protocol SnapshotRegister: Sendable {
    /// Returns the valid files; generations that stand by or are retired have none.
    func snapshots() async throws -> [GenerationNumber: SnapshotRecord]

    /// Replaces the valid file of a generation; nil forgets it.
    ///
    /// - Returns: False when the generation is unknown, stands by or is retired; then nothing is remembered.
    /// - Throws: ``RepositoryError``.
    func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool

    /// Returns the valid file of words; nil for none.
    func wordSnapshot() async throws -> SnapshotRecord?

    /// Replaces the valid file of words; nil forgets it.
    ///
    /// - Throws: ``RepositoryError``; nothing has changed then.
    func setWordSnapshot(_ record: SnapshotRecord?) async throws
}

/// What the lexical index knows of a message.
public struct IndexedMessage: Sendable, Hashable {
    /// What can be found of a message.
    public struct Content: Sendable, Hashable {
        /// Who wrote it.
        public var senderID: UserID
        /// The writer's name when it was written.
        public var senderName: String
        /// See ``Message/searchableText``.
        public var text: String
        /// When it was written.
        public var timestamp: Timestamp
        /// The IANA name of its conversation's zone, when known: decides which day it was written on.
        public var timeZone: String?
        /// The first message of its thread; nil outside of threads.
        public var threadRootID: MessageID?

        public init(
            senderID: UserID, senderName: String, text: String, timestamp: Timestamp, timeZone: String? = nil,
            threadRootID: MessageID? = nil
        ) {
            self.senderID = senderID
            self.senderName = senderName
            self.text = text
            self.timestamp = timestamp
            self.timeZone = timeZone
            self.threadRootID = threadRootID
        }
    }

    /// Its number, the row's key.
    public let number: MessageNumber
    /// The number of its conversation, the row's group.
    public let conversation: ConversationNumber
    /// What can be found of it; nil when there is nothing: it was deleted, has no text, or is the application's own.
    public let content: Content?

    public init(number: MessageNumber, conversation: ConversationNumber, content: Content?) {
        self.number = number
        self.conversation = conversation
        self.content = content
    }
}
