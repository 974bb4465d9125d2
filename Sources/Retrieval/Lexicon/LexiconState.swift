import ChatCore
import LexicalIndex

/// The rows of a ``LiveLexicon``, and the words that may be in its file.
struct LexiconState: Sendable {
    private(set) var index = BM25Index()
    /// The position up to which changes were taken; nil before the first load.
    var followed: ChangeCursor?
    /// The newest message that has, or had, a row.
    private var newest = MessageNumber(rawValue: 0)
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

    /// Notes that a file may hold the present rows from now on.
    mutating func beginSaving() { savedUpTo = newest }

    /// Notes an update of rows before they are changed; returns whether a file may hold words that it erases.
    mutating func note(_ update: WordUpdate, at moment: ContinuousClock.Instant) -> Bool {
        newest = max(newest, update.newest ?? newest)
        if update.firstErased != nil { changeCount += 1 }
        guard let erased = update.firstErased, erased <= savedUpTo ?? erased else { return false }
        lastErasure = moment
        defer { savedUpTo = nil }
        return savedUpTo != nil
    }
}
