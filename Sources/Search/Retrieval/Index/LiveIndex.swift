package import ChatCore
package import Logging
import Synchronization
import VectorIndex

/// The vectors of the serving generation, ready to be searched, as a ``ChangeFollower`` keeps them up to date.
///
/// Everything is derived from the store and can be read again. Searches read a published state. With ``SnapshotFiles``
/// a start maps the rows of a file and follows from there; a damaged file costs time, never a hit.
package final class LiveIndex: ChangeSubscriber {
    struct State {
        /// The position up to which changes were taken; nil before the first load.
        var followed: ChangeCursor?
        var serving: GenerationIndex?
        /// The rows of the generation that is about to serve; see ``LiveIndex/prepare(_:)``.
        var prepared: PreparedIndex?
    }

    let store: any IndexFeed
    let reader: GenerationReader
    /// The file of the rows.
    let lifecycle: SnapshotLifecycle
    /// Where searches of every generation wait for a thread.
    let searches: SearchQueue
    let logger: Logger
    /// Held while prepared rows change.
    let preparationLock = AsyncLock()
    let state = Mutex(State())
    private let loadedOnce = Mutex(false)

    /// Makes an empty index; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: The store that it is derived from.
    ///   - files: Where its file is; nil for an index without a file.
    ///   - policy: When files are written.
    ///   - searchThreadCount: The most threads that search at a time, 1 or more.
    ///   - logger: Logs vectors and files that cannot be used.
    package init(
        store: any IndexFeed, files: SnapshotFiles? = nil,
        policy: SnapshotPolicy = SnapshotPolicy(), searchThreadCount: Int = 1, logger: Logger
    ) {
        self.store = store
        lifecycle = SnapshotLifecycle(.vectors, of: store, in: files, policy: policy, logger: logger)
        searches = SearchQueue(threadCount: searchThreadCount)
        self.logger = logger
        reader = GenerationReader(store: store, logger: logger)
    }

    /// The vectors that searches use now; nil before the first generation.
    var serving: GenerationIndex? { state.withLock { $0.serving } }

    /// How many passages can be found now.
    package var passageCount: Int { serving?.index.count ?? 0 }

    /// Bytes that the vectors of those passages take, with keys and codes.
    package var byteCount: Int { serving?.index.snapshot().byteCount ?? 0 }

    /// The position in the change log that searches see at least; nil before ``load()``.
    package var followed: ChangeCursor? { state.withLock { $0.followed } }

    /// Whether it is loaded, so that searches have little to wait for.
    package var isLoaded: Bool { followed != nil }

    /// Whether it was loaded once; a node whose log was replaced still serves everything else meanwhile.
    package var hasBeenLoaded: Bool { loadedOnce.withLock { $0 } }

    /// Fills the index from its file, or from the store.
    ///
    /// - Throws: ``RepositoryError``.
    package func load() async throws {
        try await lifecycle.rowLock.run {
            guard !isLoaded else { return }
            try await loadServing()
            loadedOnce.withLock { $0 = true }
        }
    }

    /// Takes the changes of a page; loads another generation if the page says that it serves now.
    ///
    /// - Throws: ``RepositoryError``; then nothing of the page was taken.
    package func take(_ page: ChangePage) async throws {
        try await lifecycle.rowLock.run {
            let followed = state.withLock { $0.followed }
            var serving = serving
            guard let followed, !followed.reaches(page.end) else { return }
            let changes = page.changes(after: followed)
            if changes.contains(where: \.concernsGenerations) {
                switch (try await reader.servingGeneration(), serving) {
                case (nil, nil): break
                case (let present?, let known?) where present.isSame(as: known.generation):
                    let renewed = known.renewed(as: present)
                    serving = renewed
                    state.withLock { $0.serving = renewed }
                default: return try await loadServing()
                }
                try await forgetDropped()
            }
            let changedCount =
                if let serving { try await reader.apply(changes, of: page.contents, to: serving) } else { 0 }
            state.withLock { $0.followed = page.end }
            guard changedCount > 0 else { return }
            lifecycle.countChanges(changedCount)
            lifecycle.countErasure()
            lifecycle.changed.signal()
        }
    }

    /// Forgets its position and all rows; see ``ChangeSubscriber/startAgain()``.
    package func startAgain() async {
        await lifecycle.rowLock.run {
            state.withLock { $0 = State() }
            lifecycle.countOtherLog()
        }
    }

    /// Brings this index up to the end of the change log; for callers without a shared ``ChangeFollower``.
    ///
    /// - Throws: ``RepositoryError``; changes taken so far count.
    package func follow() async throws {
        try await ChangeFollower(store: store, subscribers: [self]).catchUp()
    }

    // MARK: - Loading

    /// Publishes the serving generation, from its file or from the store, instead of the present state.
    private func loadServing() async throws {
        let start = ContinuousClock.now
        let end = try await store.latestChange()
        guard let generation = try await reader.servingGeneration() else {
            state.withLock { $0 = State(followed: end) }
            return
        }
        var found = try await takePrepared(for: generation)
        if found == nil { found = try await restored(generation) }
        if found != nil, try await reader.servingGeneration()?.isSame(as: generation) != true {
            // It followed past the change that announced another one.
            return try await loadServing()
        }
        let loaded = if let found { found } else { try await readAll(of: generation, at: end) }
        state.withLock { $0 = State(followed: loaded.followed, serving: loaded.index) }
        lifecycle.restart(unsavedCount: loaded.unsavedCount)
        if loaded.source == .file, loaded.unsavedCount > 0 { lifecycle.countErasure() }
        try await lifecycle.logLoaded(from: loaded.source.rawValue, rowCount: passageCount, since: start)
    }

    /// Reads a generation from the store.
    ///
    /// The cursor is older than the first read: later changes are taken again, which does no harm.
    private func readAll(of generation: EmbeddingGeneration, at cursor: ChangeCursor) async throws -> LoadedIndex {
        let index = try await reader.readAll(of: generation)
        return LoadedIndex(index: index, followed: cursor, unsavedCount: index.index.count, source: .store)
    }

    /// Opens the file of a generation and brings it up to the store; nil when no file can be used.
    private func restored(_ generation: EmbeddingGeneration) async throws -> LoadedIndex? {
        let restored = try await lifecycle.restore(.vectors(generation.number)) { [reader] name, path in
            let index = try CosineIndex.open(
                snapshotAt: path, identity: name, dimensions: generation.space.dimensions,
                threadCount: GenerationIndex.threadCount)
            return RestoredGeneration(index: GenerationIndex(generation, index: index), reader: reader)
        }
        return restored.map { rows, cursor in
            LoadedIndex(index: rows.index, followed: cursor, unsavedCount: rows.changedCount, source: .file)
        }
    }
}

/// The rows of a generation that serves from now on.
struct LoadedIndex: Sendable {
    /// Where the rows came from.
    enum Source: String, Sendable {
        case prepared, file, store
    }

    let index: GenerationIndex
    let followed: ChangeCursor
    /// Rows that have changed since the file was written; all without a file.
    let unsavedCount: Int
    let source: Source
}

/// The rows of a generation's file.
private struct RestoredGeneration: RestoredRows {
    let index: GenerationIndex
    let reader: GenerationReader
    /// Rows that changed since the file was written.
    var changedCount = 0

    var rowCount: Int { index.index.count }

    mutating func apply(_ changes: [Change]) async throws {
        let count = try await reader.apply(changes, to: index)
        changedCount += count
    }

    func census() async throws -> IndexCensus { try await reader.store.census(of: index.generation.number) }
}
