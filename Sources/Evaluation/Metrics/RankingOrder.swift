/// The order in which trec_eval reads a run: by score, the best first, equal scores by name, the last name first.
///
/// trec_eval keeps scores in single precision, so scores that differ only beyond it are equal; names are compared
/// byte by byte. The rank column and the order of lines count for nothing.
public enum RankingOrder {
    /// Returns whether one entry stands before another.
    public static func precedes(_ left: (name: String, score: Double), _ right: (name: String, score: Double)) -> Bool {
        let scores = (Float(left.score), Float(right.score))
        if scores.0 != scores.1 { return scores.0 > scores.1 }
        return right.name.utf8.lexicographicallyPrecedes(left.name.utf8)
    }
}
