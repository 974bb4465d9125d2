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
