import ChatCore
import LexicalIndex

/// What a ``LiveLexicon`` knows of its rows and of their file.
struct LexiconState: Sendable {
    var index = BM25Index()
    /// The position up to which changes were taken; nil before the first load.
    var followed: ChangeCursor?
    /// Rows that the file does not hold as they are now.
    var unsavedCount = 0
    /// The newest message that has, or had, a row.
    private var newest = MessageNumber(rawValue: 0)
    /// The newest message whose row may be in a file, be it valid or being written; nil when there is no file.
    private var savedUpTo: MessageNumber?
    /// How often words of known messages were erased or replaced.
    private(set) var changeCount = 0
    /// How often words were erased that may have been in a file.
    private(set) var erasureCount = 0
    /// When that was last, or would have been if there were a file.
    private(set) var lastErasure: ContinuousClock.Instant?
    /// Whether files must go before anything else becomes of them.
    var mustForget = false
    /// Why they have not gone, as it was logged.
    var forgetFailure: String?

    /// Begins anew with rows that come from no file.
    mutating func restart(with index: BM25Index) {
        self.index = index
        unsavedCount = 0
        savedUpTo = nil
    }

    /// Begins with the rows of a file.
    mutating func restart(with index: BM25Index, newest: MessageNumber) {
        restart(with: index)
        self.newest = newest
        savedUpTo = newest
    }

    /// From here on a file may hold the present rows.
    mutating func beginSaving() { savedUpTo = newest }

    /// Takes note of rows before they are changed.
    mutating func note(_ update: WordUpdate, at moment: ContinuousClock.Instant) {
        unsavedCount += update.changedCount
        newest = max(newest, update.newest ?? newest)
        if update.firstErased != nil { changeCount += 1 }
        guard let erased = update.firstErased, erased <= savedUpTo ?? erased else { return }
        lastErasure = moment
        if savedUpTo != nil { noteErasedFile() }
    }

    private mutating func noteErasedFile() {
        savedUpTo = nil
        // Without a file the next start reads every row.
        unsavedCount = max(unsavedCount, index.count)
        erasureCount += 1
        mustForget = true
    }
}
