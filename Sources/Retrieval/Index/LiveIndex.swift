public import ChatCore
public import Logging
import Synchronization
import VectorIndex

/// Keeps the vectors of the serving generation ready to be searched, and follows the store's change sequence.
///
/// Derived from the store alone: what is lost is read again. Follows are taken one at a time; searches read a
/// published state and wait for none but the one that makes them see what is stored already. With ``IndexSnapshots`` a
/// start maps the rows of a file and follows from there; whatever is wrong with a file costs time, never a hit.
public final class LiveIndex: Sendable {
    struct State {
        var followed = ChangeNumber(rawValue: 0)
        var serving: GenerationIndex?
        /// Whether the store was read, or followed, to the change that was the newest then.
        var isLoaded = false
        /// Rows that the snapshot file does not hold as they are now.
        var unsavedCount = 0
        /// Whether the file may hold rows that were removed or replaced.
        var needsScrub = false
        /// Why erased rows are still in the file, as it was logged.
        var scrubFailure: String?
        /// The generation that is about to serve; see ``LiveIndex/isPrepared(for:)``.
        var wanted: EmbeddingGeneration?
        /// Its rows, as far as they are read.
        var prepared: PreparedIndex?
    }

    let store: any ChangeFeed & GenerationRepository
    let reader: GenerationReader
    let snapshots: IndexSnapshots?
    let policy: SnapshotPolicy
    /// Where searches wait for a thread, whatever generation serves.
    let searches: SearchQueue
    let logger: Logger
    /// Held while the rows or the published state change.
    let gate = SerialGate()
    /// Held while prepared rows change.
    let preparationGate = SerialGate()
    /// Held while a file is written.
    let savingGate = SerialGate()
    let state = Mutex(State())

    /// Makes an index that knows nothing yet; the first ``follow()`` fills it.
    ///
    /// - Parameters:
    ///   - store: What it is derived from.
    ///   - snapshots: Its files; nil for none.
    ///   - policy: When files are written.
    ///   - searchThreadCount: The most threads that search at a time, 1 or more.
    ///   - logger: Told of vectors and files that cannot be used.
    public init(
        store: any ChangeFeed & GenerationRepository, snapshots: IndexSnapshots? = nil,
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

    /// The place in the change sequence that searches see at least.
    public var followedChange: ChangeNumber { state.withLock { $0.followed } }

    /// Whether it has been brought up to the store once, so that searches have little to wait for.
    public var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// Brings the index up to the newest change of the moment of the call.
    ///
    /// - Throws: ``RepositoryError``; what was followed so far counts, and the next call goes on from there.
    public func follow() async throws {
        let target = try await store.latestChange()
        if hasFollowed(target) { return }
        try await gate.run {
            while !hasFollowed(target), try await followPage() {}
        }
    }

    private func hasFollowed(_ target: ChangeNumber) -> Bool {
        state.withLock { $0.isLoaded && $0.followed >= target }
    }

    /// Returns whether there was something to follow.
    private func followPage() async throws -> Bool {
        let (followed, serving, isLoaded) = state.withLock { ($0.followed, $0.serving, $0.isLoaded) }
        guard let serving else {
            try await load()
            return !isLoaded || state.withLock { $0.followed > followed }
        }
        let changes = try await store.changes(after: followed, limit: GenerationReader.pageSize)
        guard let last = changes.last else { return false }
        if changes.contains(where: \.concernsGenerations),
            try await reader.servingGeneration() != serving.generation
        {
            try await load()
            return true
        }
        let changedCount = try await reader.apply(changes, to: serving)
        state.withLock { state in
            state.followed = last.number
            state.unsavedCount += changedCount
            state.needsScrub = state.needsScrub || changedCount > 0
        }
        return true
    }

    /// Publishes the serving generation in place of what was there, from its file or from the store.
    private func load() async throws {
        let start = ContinuousClock.now
        let latest = try await store.latestChange()
        guard let generation = try await reader.servingGeneration() else {
            state.withLock { $0 = State(followed: latest, isLoaded: true) }
            return
        }
        let prepared = try await takePrepared(for: generation)
        let opened = if let prepared { prepared } else { try await open(generation) }
        if opened != nil, try await reader.servingGeneration() != generation {
            // It followed past the change that told of another one.
            return try await load()
        }
        let loaded = if let opened { opened } else { try await readAll(of: generation, followed: latest) }
        state.withLock { $0 = loaded }
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
    /// - Parameters:
    ///   - generation: Which.
    ///   - latest: A change from before the first read: what came meanwhile is followed again, which does no harm.
    /// - Returns: What is to be published.
    /// - Throws: ``RepositoryError``.
    private func readAll(of generation: EmbeddingGeneration, followed latest: ChangeNumber) async throws -> State {
        let fresh = try await reader.readAll(of: generation)
        return State(followed: latest, serving: fresh, isLoaded: true, unsavedCount: fresh.index.count)
    }

    /// Opens the file of a generation and brings it up to the store.
    ///
    /// - Returns: What is to be published; nil when there is no file that can be used.
    private func open(_ generation: EmbeddingGeneration) async throws -> State? {
        guard let snapshots, let opened = try await snapshots.open(generation) else { return nil }
        var draft = State(followed: opened.watermark, serving: opened.index, isLoaded: true)
        while true {
            let changes = try await store.changes(after: draft.followed, limit: GenerationReader.pageSize)
            if let last = changes.last {
                draft.unsavedCount += try await reader.apply(changes, to: opened.index)
                draft.followed = last.number
                continue
            }
            let census = try await store.census(of: generation.number)
            if census.change > draft.followed { continue }
            draft.needsScrub = draft.unsavedCount > 0
            // A row that was scrubbed from the file after a backup of the store is in the backup still.
            if census.change == draft.followed, census.count == opened.index.index.count { return draft }
            try await snapshots.discard(generation, because: "its rows are not those of the store")
            return nil
        }
    }
}
