/// A search for the rows that hold any of these terms, scored by them.
public struct LexicalQuery: Hashable, Sendable {
    /// One term of a query.
    public struct Term: Hashable, Sendable {
        /// The term.
        public let key: TermKey
        /// Its weight, 0 or more; weights of the same term add up.
        public let weight: Float

        public init(_ key: TermKey, weight: Float = 1) {
            self.key = key
            self.weight = weight
        }
    }

    /// The terms, in any order.
    public var terms: [Term]
    /// The weights of evidence.
    public var weights: LexicalWeights

    public init(_ terms: [Term], weights: LexicalWeights = LexicalWeights()) {
        self.terms = terms
        self.weights = weights
    }
}

/// The weights of each kind of evidence, applied at query time, so that tuning never rebuilds the index.
///
/// The defaults were measured on chat transcripts (LoCoMo, five conversations) with SQLite's FTS5, whose formula
/// ``InverseFrequency/robertson`` is.
public struct LexicalWeights: Hashable, Sendable {
    /// The most neighbours on one side that can count.
    public static let placeLimit = 16

    /// The highest weight, also of a term, so that sums and products of weights stay within Float.
    public static let weightLimit: Float = 1_000_000

    /// The formula for the rarity of a term that `n` of `N` rows hold.
    public enum InverseFrequency: Hashable, Sendable {
        /// ln((N − n + ½) / (n + ½)), but at least 10⁻⁶: a term that half of the rows hold hardly counts.
        case robertson
        /// ln(1 + (N − n + ½) / (n + ½)), never below 0; as in Lucene.
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
    /// The longest time between neighbours of a thread, in microseconds; a longer gap also cuts off all rows beyond it.
    public var maximumGap: Int64 = 6 * 3600 * 1_000_000
    /// The number of tokens in a row's text up to which its neighbours count in full, above 0.
    ///
    /// A longer row says by itself what it is about: the weights of its neighbours, and their part in its length, are
    /// divided by how many times longer it is.
    public var neighbourTokens: Float = 20
    /// The saturation of repeated occurrences; 0 or more.
    public var k1: Float = 1.2
    /// The penalty of long rows, in 0...1.
    public var b: Float = 0.75
    /// The formula for rarity.
    public var inverseFrequency = InverseFrequency.robertson

    public init() {}

    /// Checks that every weight is usable.
    func check() throws(LexicalIndexError) {
        let singles = [("text", text), ("sender", sender), ("date", date), ("k1", k1), ("b", b)]
        for (name, weight) in singles where !Self.isUsable(weight) { throw .invalidWeight(name: name) }
        for (name, weights) in [("previous", previous), ("next", next)] {
            guard weights.count <= Self.placeLimit, weights.allSatisfy(Self.isUsable) else {
                throw .invalidWeight(name: name)
            }
        }
        guard Self.isUsable(neighbourTokens), neighbourTokens > 0 else {
            throw .invalidWeight(name: "neighbourTokens")
        }
        guard b <= 1 else { throw .invalidWeight(name: "b") }
        guard maximumGap >= 0 else { throw .invalidWeight(name: "maximumGap") }
    }

    /// Whether one weight is usable.
    static func isUsable(_ weight: Float) -> Bool { weight >= 0 && weight <= weightLimit }

    /// How far a row with so many tokens in its text needs its neighbours: above 0, at most 1.
    public func neighbourNeed(textLength: Float) -> Float {
        textLength > neighbourTokens ? neighbourTokens / textLength : 1
    }

    /// The number of neighbours whose texts count.
    var placeCount: Int { (previous + next).count { $0 > 0 } }
}
