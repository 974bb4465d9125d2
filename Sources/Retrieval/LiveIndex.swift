public import ChatCore
public import Logging
import Synchronization
import VectorIndex

/// Keeps the vectors of the serving generation in memory, and follows the store's change sequence.
///
/// Derived from the store alone: what is lost with the process is read again. Follows are taken one at a time;
/// searches read a published state and wait for none but the one that makes them see what is stored already.
public final class LiveIndex: Sendable {
    private struct State {
        var followed = ChangeNumber(rawValue: 0)
        var serving: GenerationIndex?
    }

    /// Passages read at a time when a generation is loaded: about 6 MB of vectors at 384 dimensions.
    private static let pageSize = 4_096

    private let store: any ChangeFeed & GenerationRepository
    private let logger: Logger
    private let gate = SerialGate()
    private let state = Mutex(State())

    /// Makes an index that knows nothing yet; the first ``follow()`` reads everything.
    ///
    /// - Parameters:
    ///   - store: What it is derived from.
    ///   - logger: Told of vectors that cannot be used.
    public init(store: any ChangeFeed & GenerationRepository, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The vectors that searches use now; nil before the first generation.
    var serving: GenerationIndex? { state.withLock { $0.serving } }

    /// How many passages can be found now.
    public var passageCount: Int { serving?.index.count ?? 0 }

    /// The place in the change sequence that searches see at least.
    public var followedChange: ChangeNumber { state.withLock { $0.followed } }

    /// Brings the index up to the newest change of the moment of the call.
    ///
    /// - Throws: ``RepositoryError``; what was followed so far counts, and the next call goes on from there.
    public func follow() async throws {
        let target = try await store.latestChange()
        if followedChange >= target { return }
        try await gate.run {
            while followedChange < target { try await followPage() }
        }
    }

    private func followPage() async throws {
        let (followed, serving) = state.withLock { ($0.followed, $0.serving) }
        guard let serving else { return try await load() }
        let changes = try await store.changes(after: followed, limit: Self.pageSize)
        guard let last = changes.last else { return }
        if changes.contains(where: \.concernsGenerations), try await servingGeneration() != serving.generation {
            return try await load()
        }
        try await apply(changes, to: serving)
        state.withLock { $0.followed = last.number }
    }

    /// Applies a page: what a later entry of it takes back is not read at all.
    private func apply(_ changes: [Change], to serving: GenerationIndex) async throws {
        let generation = serving.generation.number
        var isPresent: [PassageNumber: Bool] = [:]
        // Their senders or times may be others now, which the filters have to know.
        for passage in try await store.passages(of: changes.compactMap(\.messageKey), in: generation) {
            isPresent[passage] = true
        }
        for change in changes {
            switch change.subject {
            case .embedded(let passage, generation): isPresent[passage] = true
            case .retired(let passage): isPresent[passage] = false
            case .message, .conversation, .embedded, .generation: break
            }
        }
        let wanted = isPresent.filter(\.value).map(\.key)
        let found = wanted.isEmpty ? [] : try await store.indexedPassages(wanted, of: generation)
        let gone = Set(isPresent.keys).subtracting(found.map(\.number))
        serving.remove(Array(gone))
        try insert(found, into: serving)
    }

    private func insert(_ passages: [IndexedPassage], into target: GenerationIndex) throws {
        let unusable = try target.insert(passages)
        guard let first = unusable.first else { return }
        logger.error(
            "Stored vectors cannot be used",
            metadata: ["index.unusable": "\(unusable.count)", "passage.number": "\(first.rawValue)"])
    }

    private func servingGeneration() async throws -> EmbeddingGeneration? {
        try await store.generations().last { $0.state == .serving }
    }

    /// Reads the serving generation from the start and publishes it in place of what was there.
    ///
    /// The place in the sequence is taken before the first read: what comes meanwhile is followed again, which does
    /// no harm.
    private func load() async throws {
        let latest = try await store.latestChange()
        guard let generation = try await servingGeneration() else {
            state.withLock { $0 = State(followed: latest, serving: nil) }
            return
        }
        let fresh = GenerationIndex(generation)
        var last = PassageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedPassages(of: generation.number, after: last, limit: Self.pageSize)
            guard let end = page.last else { break }
            try insert(page, into: fresh)
            last = end.number
        }
        state.withLock { $0 = State(followed: latest, serving: fresh) }
    }
}

extension Change {
    /// The message that it tells of.
    fileprivate var messageKey: MessageKey? {
        guard case .message(let id) = subject, let conversationID else { return nil }
        return MessageKey(conversationID: conversationID, messageID: id)
    }

    fileprivate var concernsGenerations: Bool {
        if case .generation = subject { true } else { false }
    }
}
