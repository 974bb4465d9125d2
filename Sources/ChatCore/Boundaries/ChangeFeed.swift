/// Announces changes of the store to services in the same process.
public protocol ChangeNotifier: Sendable {
    /// Returns the number of the newest change; 0 when there is none.
    func latestChange() async throws -> ChangeNumber

    /// Returns once there is a change after `number`, at once when there is one; without cost while nothing happens.
    ///
    /// It may also return because the store was closed.
    ///
    /// - Parameter number: The change that is known.
    /// - Throws: `CancellationError`.
    func waitForChange(after number: ChangeNumber) async throws
}

/// The change sequence, and what the indexes read through it.
public protocol ChangeFeed: ChangeNotifier {
    /// Returns the changes after `number` in order, at most `limit`.
    func changes(after number: ChangeNumber, limit: Int) async throws -> [Change]

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

    /// Returns how many passages have a vector in a generation, and what the newest change is at the same moment.
    func census(of generation: GenerationNumber) async throws -> IndexCensus

    /// Returns how many messages have content to be found by, and what the newest change is at the same moment.
    func messageCensus() async throws -> IndexCensus
}

/// Remembers which files hold the valid snapshots of the indexes: of each generation's vectors, and of the words.
///
/// The files lie outside of the store and are only a cache. What is remembered goes into backups of the store and comes
/// back with them, so that a file that was written after the backup is not taken to belong to it.
public protocol SnapshotRegister: Sendable {
    /// Returns the names that are remembered; generations that stand by or are retired have none.
    func snapshotNames() async throws -> [GenerationNumber: String]

    /// Remembers a name in place of the one before; nil forgets it.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - generation: Whose index it holds.
    /// - Returns: False when the generation is unknown, stands by or is retired; then nothing is remembered.
    /// - Throws: ``RepositoryError``.
    func setSnapshotName(_ name: String?, of generation: GenerationNumber) async throws -> Bool

    /// Returns the name that is remembered of the file of words; nil for none.
    func wordSnapshotName() async throws -> String?

    /// Remembers the name of the file of words in place of the one before; nil forgets it.
    ///
    /// - Parameter name: The file's name.
    /// - Throws: ``RepositoryError``; what was remembered stays so.
    func setWordSnapshotName(_ name: String?) async throws
}

/// Everything that a store does.
public protocol Store: ConversationRepository, MessageRepository, WorkQueue, GenerationRepository, ChangeFeed,
    SnapshotRegister, TurnRepository, ThreadRepository, EventIntake, APIKeyRepository, TokenUsageRepository,
    ItemRepository, SummaryRepository, MentionRepository
{}
