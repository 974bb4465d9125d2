/// What is asked: the rows that hold any of these terms, scored by them.
public struct LexicalQuery: Hashable, Sendable {
    /// One term of a query.
    public struct Term: Hashable, Sendable {
        /// The term.
        public let key: TermKey
        /// How much it counts, 0 or more; weights of the same term add up.
        public let weight: Float

        public init(_ key: TermKey, weight: Float = 1) {
            self.key = key
            self.weight = weight
        }
    }

    /// The terms, in any order.
    public var terms: [Term]
    /// How evidence counts.
    public var weights: LexicalWeights

    public init(_ terms: [Term], weights: LexicalWeights = LexicalWeights()) {
        self.terms = terms
        self.weights = weights
    }
}

/// How much each kind of evidence counts; all of it at query time, so that tuning never writes the index anew.
///
/// The defaults were measured on chat transcripts (LoCoMo, five conversations) with SQLite's FTS5, whose formula
/// ``InverseFrequency/robertson`` is.
public struct LexicalWeights: Hashable, Sendable {
    /// The most neighbours on one side that can count.
    public static let placeLimit = 16

    /// The highest weight, of a term too: sums and products of weights stay within Float.
    public static let weightLimit: Float = 1_000_000

    /// How the rarity of a term is valued, `n` of `N` rows holding it.
    public enum InverseFrequency: Hashable, Sendable {
        /// ln((N − n + ½) / (n + ½)), and 10⁻⁶ where that is less: a term that half of the rows hold hardly counts.
        case robertson
        /// ln(1 + (N − n + ½) / (n + ½)), never below 0, as Lucene has it.
        case lucene
    }

    /// Weight of an occurrence in the row's own text.
    public var text: Float = 1
    /// Weight of an occurrence in the sender's name.
    public var sender: Float = 3
    /// Weight of an occurrence in the date.
    public var date: Float = 3
    /// Weights of an occurrence in the texts of the rows before, nearest first; a place of weight 0 does not count.
    public var previous: [Float] = [0.7, 0.6, 0.2]
    /// Weights of an occurrence in the texts of the rows after, nearest first; a place of weight 0 does not count.
    public var next: [Float] = [0.5, 0.3]
    /// Rows of a thread that lie further apart are no neighbours, nor are the rows beyond; in microseconds.
    public var maximumGap: Int64 = 6 * 3600 * 1_000_000
    /// How soon repeated occurrences count for less; 0 or more.
    public var k1: Float = 1.2
    /// How much length tells against a row, in 0...1.
    public var b: Float = 0.75
    /// How rarity is valued.
    public var inverseFrequency = InverseFrequency.robertson

    public init() {}

    /// Checks that every weight can be reckoned with.
    func check() throws(LexicalIndexError) {
        let singles = [("text", text), ("sender", sender), ("date", date), ("k1", k1), ("b", b)]
        for (name, weight) in singles where !Self.isUsable(weight) { throw .invalidWeight(name: name) }
        for (name, weights) in [("previous", previous), ("next", next)] {
            guard weights.count <= Self.placeLimit, weights.allSatisfy(Self.isUsable) else {
                throw .invalidWeight(name: name)
            }
        }
        guard b <= 1 else { throw .invalidWeight(name: "b") }
        guard maximumGap >= 0 else { throw .invalidWeight(name: "maximumGap") }
    }

    /// Whether one weight can be reckoned with.
    static func isUsable(_ weight: Float) -> Bool { weight >= 0 && weight <= weightLimit }

    /// Neighbours whose texts count.
    var placeCount: Int { (previous + next).count { $0 > 0 } }
}
