/// The names of the metrics, as they stand in reports and gates.
public enum MetricName {
    /// Share of the evidence among the first k.
    public static func recall(_ cutoff: Int) -> String { "recall@\(cutoff)" }
    /// 1 when any evidence is among the first k.
    public static func hit(_ cutoff: Int) -> String { "hit@\(cutoff)" }
    /// Share of the first k places that hold evidence.
    public static func precision(_ cutoff: Int) -> String { "precision@\(cutoff)" }
    /// Evidence among the first k, of as much as can be there: found ÷ min(k, evidence).
    public static func cappedRecall(_ cutoff: Int) -> String { "capped-recall@\(cutoff)" }
    /// Normalised discounted cumulative gain of the first k.
    public static func gain(_ cutoff: Int) -> String { "nDCG@\(cutoff)" }
    /// Reciprocal rank of the first evidence, over the whole ranking.
    public static let reciprocalRank = "MRR"
    /// Average precision over the whole ranking.
    public static let averagePrecision = "MAP"

    /// The cutoff of the one gain that is reported.
    static let gainCutoff = 10

    /// All names for some cutoffs, in the order in which reports show them.
    public static func all(cutoffs: [Int]) -> [String] {
        cutoffs.map(recall) + cutoffs.map(hit) + cutoffs.map(precision) + cutoffs.map(cappedRecall)
            + [gain(gainCutoff), reciprocalRank, averagePrecision]
    }
}
