package import ChatCore
import LexicalIndex
package import Logging
import Synchronization
package import TextAnalysis

/// The words of all messages, ready to be searched, as a ``ChangeFollower`` keeps them up to date.
///
/// Everything is derived from the store, as in ``LiveIndex``. It needs no embedding, so a message can be found by its
/// words as soon as it is stored. With ``SnapshotFiles`` a start reads the rows from a file and follows from there.
///
/// When a message is deleted or edited, its words are erased from all files before the call that follows the change
/// returns. A file that is being written at that moment is deleted as soon as it is complete.
package final class LiveLexicon: ChangeSubscriber {
    /// Messages read at a time.
    static let pageSize = 4_096

    let store: any ChangeFeed
    /// The file of the rows.
    let lifecycle: SnapshotLifecycle
    let rows: WordRows
    let now: @Sendable () -> ContinuousClock.Instant
    let state = Mutex(LexiconState())

    /// Makes an empty index; ``load()`` fills it.
    ///
    /// - Parameters:
    ///   - store: The store that it is derived from.
    ///   - files: Where its file is; nil for an index without a file.
    ///   - policy: When files are written.
    ///   - fallback: The language of texts whose language cannot be detected.
    ///   - now: The time by which an erasure is recent.
    ///   - logger: Logs how long loading took, and files that cannot be used.
    package init(
        store: any ChangeFeed, files: SnapshotFiles? = nil, policy: SnapshotPolicy = SnapshotPolicy(),
        fallback: TextLanguage = .english,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }, logger: Logger
    ) {
        self.store = store
        lifecycle = SnapshotLifecycle(.words, of: store, in: files, policy: policy, now: now, logger: logger)
        rows = WordRows(fallback: fallback)
        self.now = now
    }

    /// The rows that searches use now.
    var index: BM25Index { state.withLock { $0.index } }

    /// How many messages can be found by their words now.
    package var messageCount: Int { index.count }

    /// The position in the change log that searches see at least; nil before ``load()``.
    package var followed: ChangeCursor? { state.withLock { $0.followed } }

    /// Whether it is loaded.
    package var isLoaded: Bool { followed != nil }

    /// The newest message that has, or had, a row.
    var newestMessage: MessageNumber { state.withLock { $0.newest } }

    /// Grows whenever words of known messages were erased or replaced; everything derived from them must be dropped
    /// then.
    var changeCount: Int { state.withLock { $0.changeCount } }

    /// Fills the index from its file, or from the store.
    ///
    /// - Throws: ``RepositoryError``.
    package func load() async throws {
        try await lifecycle.rowLock.run {
            guard !isLoaded else { return }
            let start = ContinuousClock.now
            let saved = try await restored()
            let cursor = if let saved { saved } else { try await readAll() }
            state.withLock { $0.followed = cursor }
            try await lifecycle.logLoaded(
                from: saved != nil ? "file" : "store", rowCount: messageCount, since: start)
        }
    }

    /// Takes the changes of a page.
    ///
    /// - Throws: ``RepositoryError``; then nothing of the page was taken.
    package func take(_ page: ChangePage) async throws {
        try await lifecycle.rowLock.run {
            guard let followed, !followed.reaches(page.end) else { return }
            try await apply(page.changes(after: followed), of: page.contents)
            state.withLock { $0.followed = page.end }
            lifecycle.changed.signal()
        }
    }

    /// Forgets all rows; see ``ChangeSubscriber/startAgain()``.
    package func startAgain() async {
        await lifecycle.rowLock.run {
            restart(with: BM25Index())
            state.withLock { $0.leaveLog() }
            lifecycle.countOtherLog()
        }
    }

    /// Brings this index up to the end of the change log; for callers without a shared ``ChangeFollower``.
    ///
    /// - Throws: ``RepositoryError``; changes taken so far count.
    package func follow() async throws {
        try await ChangeFollower(store: store, subscribers: [self]).catchUp()
    }

    /// Brings the rows of changed messages up to date; the caller holds the lock of the rows.
    func apply(_ changes: [Change]) async throws { try await apply(changes, of: nil) }

    /// Brings rows up to date as ``apply(_:)`` does; `contents` are those of the changes, if they were read with them.
    private func apply(_ changes: [Change], of contents: ChangeContents?) async throws {
        let keys = Set(changes.compactMap(\.messageKey))
        var messages: [IndexedMessage] = []
        if let contents {
            // Also those of changes that were taken before: they are as new.
            messages = contents.messages
        } else if !keys.isEmpty {
            messages = try await store.indexedMessages(of: Array(keys))
        }
        let erased = Set(changes.compactMap(\.erasedMessage))
        if !erased.isEmpty {
            messages += erased.map { IndexedMessage(number: $0, conversation: .init(rawValue: 0), content: nil) }
            messages.sort { $0.number < $1.number }
        }
        if !messages.isEmpty { await put(messages) }
        await lifecycle.dropErased()
    }

    /// Reads all messages; returns a position before the first read.
    private func readAll() async throws -> ChangeCursor {
        let start = try await store.latestChange()
        restart(with: BM25Index())
        var batch = LoadBatch<IndexedMessage>()
        var last = MessageNumber(rawValue: 0)
        while true {
            let page = try await store.indexedMessages(after: last, limit: Self.pageSize)
            batch.add(page, byteCount: page.reduce(0) { $0 + ($1.content?.text.utf8.count ?? 0) })
            if page.isEmpty || batch.isFull { await put(batch.takeAll()) }
            guard let end = page.last else { return start }
            last = end.number
        }
    }

    /// Replaces all rows.
    ///
    /// - Parameters:
    ///   - index: The new rows.
    ///   - newest: The newest message in the file that they come from; nil if they come from no file.
    func restart(with index: BM25Index, newest: MessageNumber? = nil) {
        state.withLock { $0.restart(with: index, newest: newest) }
        lifecycle.restart(unsavedCount: 0)
    }

    /// Replaces the rows of messages by rows of their present content.
    private func put(_ messages: [IndexedMessage]) async {
        await onOwnThread { [self] in
            let index = index
            let update = WordUpdate(messages, in: index.snapshot(), rows: rows)
            let moment = now()
            let isInFile = state.withLock { $0.remember(update, at: moment) }
            lifecycle.countChanges(update.changedCount)
            if isInFile {
                lifecycle.countErasure()
                // The file is deleted, so the next start reads every row.
                lifecycle.countUnsaved(atLeast: index.count)
            }
            update.apply(to: index)
        }
    }
}

/// The rows of a ``LiveLexicon``, and the words that may be in its file.
struct LexiconState: Sendable {
    private(set) var index = BM25Index()
    /// The position up to which changes were taken; nil before the first load.
    var followed: ChangeCursor?
    /// The newest message that has, or had, a row.
    private(set) var newest = MessageNumber(rawValue: 0)
    /// The newest message whose row may be in a file, valid or being written; nil when there is no file.
    private var savedUpTo: MessageNumber?
    /// How often words of known messages were erased or replaced.
    private(set) var changeCount = 0
    /// The time of the last erasure of words that may have been in a file, or would have been if there were a file.
    private(set) var lastErasure: ContinuousClock.Instant?

    /// Begins again with other rows; `newest` is the newest message in the file that they come from, nil for no file.
    mutating func restart(with index: BM25Index, newest: MessageNumber?) {
        self.index = index
        self.newest = newest ?? self.newest
        savedUpTo = newest
    }

    /// Forgets the position, and lets caches of words be dropped.
    mutating func leaveLog() {
        followed = nil
        changeCount += 1
    }

    /// Notes that a file may hold the present rows from now on.
    mutating func beginSaving() { savedUpTo = newest }

    /// Notes an update of rows before they are changed; returns whether a file may hold words that it erases.
    mutating func remember(_ update: WordUpdate, at moment: ContinuousClock.Instant) -> Bool {
        newest = max(newest, update.newest ?? newest)
        if update.firstErased != nil { changeCount += 1 }
        guard let erased = update.firstErased, erased <= savedUpTo ?? erased else { return false }
        lastErasure = moment
        defer { savedUpTo = nil }
        return savedUpTo != nil
    }
}
