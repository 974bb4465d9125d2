public import ChatCore
import LexicalIndex
public import Logging
import Synchronization
public import TextAnalysis

/// The words of all messages, ready to be searched, as a ``ChangeFollower`` keeps them up to date.
///
/// Everything is derived from the store, as in ``LiveIndex``. It needs no embedding, so a message can be found by its
/// words as soon as it is stored. With ``LexiconFiles`` a start reads the rows from a file and follows from there.
///
/// Words that were erased, because a message was deleted or edited, are in no file when the follow that saw it returns,
/// unless a file is being written then: that one is deleted as soon as it is complete.
public final class LiveLexicon: ChangeSubscriber {
    /// Messages read at a time.
    static let pageSize = 4_096

    let store: any ChangeFeed
    let files: LexiconFiles?
    let policy: SnapshotPolicy
    let rows: WordRows
    let now: @Sendable () -> ContinuousClock.Instant
    let logger: Logger
    /// Held while the rows or the published state change.
    let gate = AsyncLock()
    /// Held while a file is written.
    let savingGate = AsyncLock()
    /// Signalled when rows have changed, so that a file may have to be written or deleted.
    let changed = WorkSignal()
    let state = Mutex(LexiconState())

    /// Makes an index that knows nothing yet; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: What it is derived from.
    ///   - files: Where it lives between starts; nil for nowhere.
    ///   - policy: When files are written.
    ///   - fallback: The language of texts whose own cannot be told.
    ///   - now: The time by which an erasure is recent.
    ///   - logger: Told how long loading took, and of files that cannot be used.
    public init(
        store: any ChangeFeed, files: LexiconFiles? = nil, policy: SnapshotPolicy = SnapshotPolicy(),
        fallback: TextLanguage = .english,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }, logger: Logger
    ) {
        self.store = store
        self.files = files
        self.policy = policy
        rows = WordRows(fallback: fallback)
        self.now = now
        self.logger = logger
    }

    /// The rows that searches use now.
    var index: BM25Index { state.withLock { $0.index } }

    /// How many messages can be found by their words now.
    public var messageCount: Int { index.count }

    /// The position in the change log that searches see at least; nil before ``load()``.
    public var followed: ChangeCursor? { state.withLock { $0.followed } }

    /// Whether it is loaded.
    public var isLoaded: Bool { followed != nil }

    /// Grows whenever words of known messages were erased or replaced: what was derived of them elsewhere has to go.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Fills the index from its file, or from the store.
    ///
    /// - Throws: ``RepositoryError``.
    public func load() async throws {
        try await gate.run {
            guard !isLoaded else { return }
            let start = ContinuousClock.now
            let opened = try await loadFromFile()
            let cursor = if let opened { opened } else { try await readAll() }
            let loaded = state.withLock { state in
                state.followed = cursor
                return state
            }
            changed.signal()
            try await files?.sweep()
            logger.debug(
                "The lexical index is loaded",
                metadata: [
                    "index.source": "\(opened != nil ? "file" : "store")", "index.rows": "\(loaded.index.count)",
                    "index.changed": "\(loaded.unsavedCount)", "index.duration": "\(ContinuousClock.now - start)",
                ])
        }
    }

    /// Takes the changes of a page.
    ///
    /// - Throws: ``RepositoryError``; then nothing of the page was taken.
    public func take(_ page: ChangePage) async throws {
        try await gate.run {
            guard let followed, !followed.reaches(page.end) else { return }
            try await apply(page.changes(after: followed))
            state.withLock { $0.followed = page.end }
            changed.signal()
        }
    }

    /// Brings the rows of changed messages up to date; the caller holds the gate.
    func apply(_ changes: [Change]) async throws {
        let keys = Set(changes.compactMap(\.messageKey))
        if !keys.isEmpty { await put(try await store.indexedMessages(of: Array(keys))) }
        await forgetErased()
    }

    /// Reads all messages; returns a position before the first of them was read.
    private func readAll() async throws -> ChangeCursor {
        let start = try await store.latestChange()
        state.withLock { $0.restart(with: BM25Index()) }
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.pageSize)
            guard let end = page.last else { return start }
            await put(page)
            last = end.number
        }
    }

    /// Puts messages as the store holds them in place of what the index holds of them.
    private func put(_ messages: [IndexedMessage]) async {
        await onOwnThread { [self] in
            let index = index
            let update = WordUpdate(messages, in: index.snapshot(), rows: rows)
            let moment = now()
            state.withLock { $0.note(update, at: moment) }
            update.apply(to: index)
        }
    }
}

extension LiveLexicon {
    /// Brings this index up to the end of the change log, where no ``ChangeFollower`` is shared.
    ///
    /// - Throws: ``RepositoryError``; changes taken so far count.
    public func follow() async throws {
        try await ChangeFollower(store: store, subscribers: [self]).catchUp()
    }
}
