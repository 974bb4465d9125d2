public import ChatCore
import LexicalIndex
public import Logging
import Synchronization

/// Keeps the words of all messages ready to be searched, and follows the store's change sequence.
///
/// Derived from the store alone, as ``LiveIndex`` is; it needs no embedding, so a message can be found by its words as
/// soon as it is stored.
public final class LiveLexicon: Sendable {
    /// Messages or changes read at a time.
    static let pageSize = 4_096
    /// A language counts when one of so many messages is in it.
    private static let rareLanguage = 200

    struct State {
        var followed = ChangeNumber(rawValue: 0)
        var isLoaded = false
        /// Rows that the snapshot file does not hold as they are now.
        var unsavedCount = 0
    }

    let index: BM25Index
    private let store: any ChangeFeed
    private let rows: WordRows
    private let logger: Logger
    private let gate = SerialGate()
    private let state = Mutex(State())
    /// How many messages were indexed under each language since the start.
    private let languageCounts = Mutex<[TextLanguage: Int]>([:])

    /// Makes an index that knows nothing yet; the first ``follow()`` fills it.
    ///
    /// - Parameters:
    ///   - store: What it is derived from.
    ///   - fallback: The language of texts whose own cannot be told.
    ///   - logger: Told how long loading took.
    public init(store: any ChangeFeed, fallback: TextLanguage = .english, logger: Logger) {
        self.store = store
        self.logger = logger
        rows = WordRows(fallback: fallback)
        index = BM25Index()
    }

    /// How many messages can be found by their words now.
    public var messageCount: Int { index.count }

    /// The place in the change sequence that searches see at least.
    public var followedChange: ChangeNumber { state.withLock { $0.followed } }

    /// Whether it has been brought up to the store once.
    public var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// The languages that messages are indexed under, the most frequent first; those of single messages are left out,
    /// which often are mistaken.
    var languages: [TextLanguage] {
        let counts = languageCounts.withLock { $0 }
        let least = max(1, counts.values.reduce(0, +) / Self.rareLanguage)
        let frequent = counts.filter { $0.value >= least }.sorted {
            ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue)
        }
        return frequent.map(\.key)
    }

    /// Brings the index up to the newest change of the moment of the call.
    ///
    /// - Throws: ``RepositoryError``; what was followed so far counts, and the next call goes on from there.
    public func follow() async throws {
        let target = try await store.latestChange()
        if hasFollowed(target) { return }
        try await gate.run {
            if !isLoaded { try await load() }
            while !hasFollowed(target) { try await followPage() }
        }
    }

    private func hasFollowed(_ target: ChangeNumber) -> Bool {
        state.withLock { $0.isLoaded && $0.followed >= target }
    }

    /// Reads all messages; what changes meanwhile is followed afterwards.
    private func load() async throws {
        let start = ContinuousClock.now
        let latest = try await store.latestChange()
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.pageSize)
            guard let end = page.last else { break }
            try await put(page)
            last = end.number
        }
        state.withLock { $0 = State(followed: latest, isLoaded: true, unsavedCount: index.count) }
        logger.debug(
            "The lexical index is loaded",
            metadata: ["index.rows": "\(index.count)", "index.duration": "\(ContinuousClock.now - start)"])
    }

    private func followPage() async throws {
        let changes = try await store.changes(after: state.withLock { $0.followed }, limit: Self.pageSize)
        guard let last = changes.last else { return }
        let keys = Set(changes.compactMap(\.messageKey))
        if !keys.isEmpty { try await put(try await store.indexedMessages(of: Array(keys))) }
        state.withLock { state in
            state.followed = last.number
            state.unsavedCount += keys.count
        }
    }

    /// Puts messages as the store holds them in place of what the index holds of them.
    private func put(_ messages: [IndexedMessage]) async throws {
        let (index, rows) = (index, rows)
        let languages = try await onOwnThread {
            index.remove(messages.filter { $0.content == nil }.map { WordRowKey($0.number) })
            let made = messages.compactMap(rows.row)
            index.upsert(made.map(\.row))
            return made.map(\.language)
        }
        languageCounts.withLock { counts in
            for language in languages { counts[language, default: 0] += 1 }
        }
    }
}
