import IndexCore
import LexicalIndex

/// The key of a word.
func term(_ word: String) -> TermKey { TermKey(utf8: word.utf8) }

/// The keys of words that stand apart.
func keys(of words: String) -> [TermKey] { words.split(separator: " ").map { TermKey(utf8: $0.utf8) } }

extension BM25Index.Snapshot {
    /// How many rows hold a term in one of their own fields.
    func rowCount(holding term: TermKey) -> Int { rowCounts(holding: [term], in: .all)[0] }
}

/// A selection of groups by number.
func groups(_ keys: Int64...) -> GroupSelection { .only(Set(keys.map { GroupKey(rawValue: $0) })) }

/// One second in the index's unit.
let second: Int64 = 1_000_000

extension LexicalRow {
    /// A row with words for its fields, `at` seconds after the beginning.
    init(
        _ key: Int64, in group: Int64 = 1, thread: Int64 = 0, at time: Int64, sender: String = "", date: String = "",
        flags: UInt16 = 0, _ text: String
    ) {
        self.init(
            key: RowKey(rawValue: key), group: GroupKey(rawValue: group), thread: thread, order: 0,
            attributes: RowAttributes(sender: 0, time: time * second), flags: flags,
            terms: FieldTerms(text: keys(of: text), sender: keys(of: sender), date: keys(of: date)))
    }
}

extension LexicalQuery {
    /// A query of words of weight 1.
    init(_ words: String, _ weights: LexicalWeights = LexicalWeights()) {
        self.init(keys(of: words).map { Term($0) }, weights: weights)
    }
}

extension LexicalWeights {
    /// Only the row's own fields count.
    static var own: LexicalWeights {
        var weights = LexicalWeights()
        (weights.previous, weights.next) = ([], [])
        return weights
    }
}

extension [LexicalHit] {
    /// The keys in order.
    var keys: [Int64] { map(\.key.rawValue) }
}
