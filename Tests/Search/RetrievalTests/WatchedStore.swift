import ChatCore
import Synchronization
import TestSupport

/// A store that counts what the index reads of it, and can be interfered with.
final class WatchedStore: StoreWrapper, ChangeFeed, GenerationRepository, SnapshotRegister {
    let base: any Store
    private let readCount = Mutex(0)
    private let messageReadCount = Mutex(0)
    private let actions = Mutex<[Moment: @Sendable () async throws -> Void]>([:])
    private let namingFailure = Mutex<RepositoryError?>(nil)

    init(_ base: any Store) {
        self.base = base
    }

    /// Passages that were read with their vectors.
    var passagesRead: Int { readCount.withLock { $0 } }

    /// Messages that were read, deleted ones too.
    var messagesRead: Int { messageReadCount.withLock { $0 } }

    /// When the store can be interfered with.
    enum Moment {
        case census, naming, messageCensus, wordNaming
    }

    /// Does something once before the next call of a kind.
    func interfere(before moment: Moment, _ action: @escaping @Sendable () async throws -> Void) {
        actions.withLock { $0[moment] = action }
    }

    private func act(before moment: Moment) async throws {
        try await actions.withLock { $0.removeValue(forKey: moment) }?()
    }

    /// Lets the remembering of names fail until nil is given.
    func failNaming(_ error: RepositoryError?) {
        namingFailure.withLock { $0 = error }
    }

    private func counted(_ passages: [IndexedPassage]) -> [IndexedPassage] {
        readCount.withLock { $0 += passages.count }
        return passages
    }

    private func counted(_ messages: [IndexedMessage]) -> [IndexedMessage] {
        messageReadCount.withLock { $0 += messages.count }
        return messages
    }

    func indexedPassages(of generation: GenerationNumber, after: PassageNumber, limit: Int) async throws
        -> [IndexedPassage]
    {
        counted(try await base.indexedPassages(of: generation, after: after, limit: limit))
    }

    func indexedPassages(_ numbers: [PassageNumber], of generation: GenerationNumber) async throws -> [IndexedPassage] {
        counted(try await base.indexedPassages(numbers, of: generation))
    }

    func indexedMessages(after: MessageNumber, limit: Int) async throws -> [IndexedMessage] {
        counted(try await base.indexedMessages(after: after, limit: limit))
    }

    func indexedMessages(of keys: [MessageKey]) async throws -> [IndexedMessage] {
        counted(try await base.indexedMessages(of: keys))
    }

    func census(of generation: GenerationNumber) async throws -> IndexCensus {
        try await act(before: .census)
        return try await base.census(of: generation)
    }

    func messageCensus() async throws -> IndexCensus {
        try await act(before: .messageCensus)
        return try await base.messageCensus()
    }

    func setWordSnapshot(_ record: SnapshotRecord?) async throws {
        try await act(before: .wordNaming)
        if let failure = namingFailure.withLock({ $0 }) { throw failure }
        try await base.setWordSnapshot(record)
    }

    func setSnapshot(_ record: SnapshotRecord?, of generation: GenerationNumber) async throws -> Bool {
        try await act(before: .naming)
        if let failure = namingFailure.withLock({ $0 }) { throw failure }
        return try await base.setSnapshot(record, of: generation)
    }
}
