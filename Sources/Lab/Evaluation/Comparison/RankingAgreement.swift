/// How alike two rankings of the same question are.
package struct RankingAgreement: Hashable, Sendable, Codable {
    /// The number of first hits that both have, divided by the longer one's count; 1 when both are empty.
    package let overlap: Double
    /// Kendall's tau over the hits that both rankings have, at any rank: -1...1; nil for fewer than two.
    ///
    /// The pairs in the same order minus those in the opposite order, divided by all pairs
    /// (https://doi.org/10.2307/2332226); ranks have no ties.
    package let kendallTau: Double?
    /// How many of the first ranks differ: they hold different hits, or only one ranking has a hit.
    package let differingCount: Int

    /// Compares two rankings.
    ///
    /// - Parameters:
    ///   - first: Hits, best first, each once.
    ///   - second: The same.
    ///   - cutoff: How many ranks ``overlap`` and ``differingCount`` look at, 1 or more.
    package init<Key: Hashable>(_ first: [Key], _ second: [Key], cutoff: Int) {
        let (left, right) = (first.prefix(cutoff), second.prefix(cutoff))
        let longer = max(left.count, right.count)
        overlap = longer == 0 ? 1 : Double(Set(left).intersection(right).count) / Double(longer)
        differingCount = longer - zip(left, right).count { $0 == $1 }
        let ranks = Dictionary(second.enumerated().map { ($1, $0) }, uniquingKeysWith: { rank, _ in rank })
        kendallTau = Self.tau(first.compactMap { ranks[$0] })
    }

    private static func tau(_ ranks: [Int]) -> Double? {
        guard ranks.count > 1 else { return nil }
        var balance = 0
        for later in ranks.indices.dropFirst() {
            for earlier in 0..<later { balance += ranks[earlier] < ranks[later] ? 1 : -1 }
        }
        return Double(balance) / Double(ranks.count * (ranks.count - 1) / 2)
    }
}
