public import ChatCore
import LexicalIndex
public import Logging
import Synchronization
public import TextAnalysis

/// Keeps the words of all messages ready to be searched, and follows the store's change sequence.
///
/// Derived from the store alone, as ``LiveIndex`` is; it needs no embedding, so a message can be found by its words as
/// soon as it is stored. With ``LexiconFiles`` a start reads the rows from a file and follows from there.
///
/// Words that were erased, because a message was deleted or edited, are in no file when the follow that saw it returns,
/// unless a file is being written then: that one is deleted as soon as it is complete.
public final class LiveLexicon: Sendable {
    /// Messages or changes read at a time.
    static let pageSize = 4_096

    let store: any ChangeFeed
    let files: LexiconFiles?
    let policy: SnapshotPolicy
    let rows: WordRows
    let now: @Sendable () -> ContinuousClock.Instant
    let logger: Logger
    /// Held while the rows or the published state change.
    let gate = SerialGate()
    /// Held while a file is written.
    let savingGate = SerialGate()
    let state = Mutex(LexiconState())

    /// Makes an index that knows nothing yet; the first ``follow()`` fills it.
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

    /// The place in the change sequence that searches see at least.
    public var followedChange: ChangeNumber { state.withLock { $0.followed } }

    /// Whether it has been brought up to the store once.
    public var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// Grows whenever words of known messages were erased or replaced: what was derived of them elsewhere has to go.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Brings the index up to the newest change of the moment of the call.
    ///
    /// - Throws: ``RepositoryError``; what was followed so far counts, and the next call goes on from there.
    public func follow() async throws {
        let target = try await store.latestChange()
        if hasFollowed(target) { return }
        try await gate.run {
            if !isLoaded { try await load() }
            // The page decides, not the number: nothing that is not in the store can be followed.
            while !hasFollowed(target), try await followPage() {}
        }
    }

    private func hasFollowed(_ target: ChangeNumber) -> Bool {
        state.withLock { $0.isLoaded && $0.followed >= target }
    }

    /// Fills the index from its file or from the store.
    private func load() async throws {
        let start = ContinuousClock.now
        let isFromFile = try await loadFromFile()
        if !isFromFile { try await readAll() }
        let loaded = state.withLock { state in
            state.isLoaded = true
            return state
        }
        try await files?.sweep()
        logger.debug(
            "The lexical index is loaded",
            metadata: [
                "index.source": "\(isFromFile ? "file" : "store")", "index.rows": "\(loaded.index.count)",
                "index.changed": "\(loaded.unsavedCount)", "index.duration": "\(ContinuousClock.now - start)",
            ])
    }

    /// Reads all messages; what changes meanwhile is followed afterwards.
    private func readAll() async throws {
        let latest = try await store.latestChange()
        state.withLock { $0.restart(with: BM25Index()) }
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.pageSize)
            guard let end = page.last else { break }
            try await put(page)
            last = end.number
        }
        state.withLock { $0.followed = latest }
    }

    /// Returns whether there was something to follow.
    func followPage() async throws -> Bool {
        let changes = try await store.changes(after: state.withLock { $0.followed }, limit: Self.pageSize)
        guard let last = changes.last else { return false }
        let keys = Set(changes.compactMap(\.messageKey))
        if !keys.isEmpty { try await put(try await store.indexedMessages(of: Array(keys))) }
        state.withLock { $0.followed = last.number }
        await forgetErased()
        return true
    }

    /// Puts messages as the store holds them in place of what the index holds of them.
    private func put(_ messages: [IndexedMessage]) async throws {
        try await onOwnThread { [self] in
            let index = index
            let update = WordUpdate(messages, in: index.snapshot(), rows: rows)
            let moment = now()
            state.withLock { $0.note(update, at: moment) }
            update.apply(to: index)
        }
    }
}
