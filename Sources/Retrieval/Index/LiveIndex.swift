public import ChatCore
public import Logging
import Synchronization
import VectorIndex

/// The vectors of the serving generation, ready to be searched, as a ``ChangeFollower`` keeps them up to date.
///
/// Everything is derived from the store and can be read again. Searches read a published state. With ``IndexSnapshots``
/// a start maps the rows of a file and follows from there; a damaged file costs time, never a hit.
public final class LiveIndex: ChangeSubscriber {
    struct State {
        /// The position up to which changes were taken; nil before the first load.
        var followed: ChangeCursor?
        var serving: GenerationIndex?
        /// Rows that the snapshot file does not hold as they are now.
        var unsavedCount = 0
        /// Whether the file may hold rows that were removed or replaced.
        var needsScrub = false
        /// Why erased rows are still in the file, as it was logged.
        var scrubFailure: String?
        /// The rows of the generation that is about to serve; see ``LiveIndex/prepare(_:)``.
        var prepared: PreparedIndex?
    }

    let store: any IndexFeed
    let reader: GenerationReader
    let snapshots: IndexSnapshots?
    let policy: SnapshotPolicy
    /// Where searches wait for a thread, whatever generation serves.
    let searches: SearchQueue
    /// Signalled when rows have changed, so that files may have to be written or scrubbed.
    let changed = WorkSignal()
    let logger: Logger
    /// Held while the rows or the published state change.
    let gate = AsyncLock()
    /// Held while prepared rows change.
    let preparationGate = AsyncLock()
    /// Held while a file is written.
    let savingGate = AsyncLock()
    let state = Mutex(State())

    /// Makes an index that knows nothing yet; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: What it is derived from.
    ///   - snapshots: Its files; nil for none.
    ///   - policy: When files are written.
    ///   - searchThreadCount: The most threads that search at a time, 1 or more.
    ///   - logger: Told of vectors and files that cannot be used.
    public init(
        store: any IndexFeed, snapshots: IndexSnapshots? = nil,
        policy: SnapshotPolicy = SnapshotPolicy(), searchThreadCount: Int = 1, logger: Logger
    ) {
        self.store = store
        self.snapshots = snapshots
        self.policy = policy
        searches = SearchQueue(threadCount: searchThreadCount)
        self.logger = logger
        reader = GenerationReader(store: store, logger: logger)
    }

    /// The vectors that searches use now; nil before the first generation.
    var serving: GenerationIndex? { state.withLock { $0.serving } }

    /// How many passages can be found now.
    public var passageCount: Int { serving?.index.count ?? 0 }

    /// Bytes that the vectors of those passages take, with keys and codes.
    public var byteCount: Int { serving?.index.snapshot().byteCount ?? 0 }

    /// The position in the change log that searches see at least; nil before ``load()``.
    public var followed: ChangeCursor? { state.withLock { $0.followed } }

    /// Whether it is loaded, so that searches have little to wait for.
    public var isLoaded: Bool { followed != nil }

    /// Fills the index from its file, or from the store.
    ///
    /// - Throws: ``RepositoryError``.
    public func load() async throws {
        try await gate.run {
            guard !isLoaded else { return }
            try await loadServing()
        }
    }

    /// Takes the changes of a page; one that tells of another serving generation loads that one.
    ///
    /// - Throws: ``RepositoryError``; then nothing of the page was taken.
    public func take(_ page: ChangePage) async throws {
        try await gate.run {
            let (followed, serving) = state.withLock { ($0.followed, $0.serving) }
            guard let followed, !followed.reaches(page.end) else { return }
            let changes = page.changes(after: followed)
            if changes.contains(where: \.concernsGenerations) {
                if try await reader.servingGeneration() != serving?.generation { return try await loadServing() }
                try await forgetDropped()
            }
            let changedCount = if let serving { try await reader.apply(changes, to: serving) } else { 0 }
            state.withLock { state in
                state.followed = page.end
                state.unsavedCount += changedCount
                state.needsScrub = state.needsScrub || changedCount > 0
            }
            if changedCount > 0 { changed.signal() }
        }
    }

    /// Publishes the serving generation, from its file or from the store, in place of the present state.
    private func loadServing() async throws {
        let start = ContinuousClock.now
        let end = try await store.latestChange()
        guard let generation = try await reader.servingGeneration() else {
            state.withLock { $0 = State(followed: end) }
            return
        }
        let prepared = try await takePrepared(for: generation)
        let opened = if let prepared { prepared } else { try await open(generation) }
        if opened != nil, try await reader.servingGeneration() != generation {
            // It followed past the change that told of another one.
            return try await loadServing()
        }
        let loaded = if let opened { opened } else { try await readAll(of: generation, at: end) }
        state.withLock { $0 = loaded }
        changed.signal()
        try await snapshots?.sweep()
        let source = prepared != nil ? "prepared" : opened != nil ? "file" : "store"
        logger.debug(
            "The index is loaded",
            metadata: [
                "index.source": "\(source)", "index.rows": "\(passageCount)",
                "index.changed": "\(loaded.unsavedCount)", "index.duration": "\(ContinuousClock.now - start)",
            ])
    }

    /// Reads a generation from the store.
    ///
    /// The cursor lies before the first read: later changes are taken again, which does no harm.
    private func readAll(of generation: EmbeddingGeneration, at cursor: ChangeCursor) async throws -> State {
        let fresh = try await reader.readAll(of: generation)
        return State(followed: cursor, serving: fresh, unsavedCount: fresh.index.count)
    }

    /// Opens the file of a generation and brings it up to the store.
    ///
    /// - Returns: What is to be published; nil when there is no file that can be used.
    private func open(_ generation: EmbeddingGeneration) async throws -> State? {
        guard let snapshots, let opened = try await snapshots.open(generation) else { return nil }
        var (cursor, draft) = (opened.cursor, State(serving: opened.index))
        while true {
            let page: ChangePage
            do {
                page = try await store.changes(after: cursor, limit: GenerationReader.pageSize)
            } catch RepositoryError.expiredCursor {
                try await snapshots.discard(generation, because: "it belongs to another change log")
                return nil
            }
            if !page.changes.isEmpty {
                draft.unsavedCount += try await reader.apply(page.changes, to: opened.index)
                cursor = page.end
                continue
            }
            let census = try await store.census(of: generation.number)
            guard cursor.reaches(census.cursor) else { continue }
            draft.followed = cursor
            draft.needsScrub = draft.unsavedCount > 0
            // A row that was scrubbed from the file after a backup of the store is in the backup still.
            if census.cursor == cursor, census.count == opened.index.index.count { return draft }
            try await snapshots.discard(generation, because: "its rows are not those of the store")
            return nil
        }
    }
}

extension LiveIndex {
    /// Brings this index up to the end of the change log, where no ``ChangeFollower`` is shared.
    ///
    /// - Throws: ``RepositoryError``; changes taken so far count.
    public func follow() async throws {
        try await ChangeFollower(store: store, subscribers: [self]).catchUp()
    }
}
