import Foundation

/// The metrics of one question's ranking, defined as trec_eval defines them.
///
/// Relevance grades of 1 and more count as relevant; the gain is the grade itself, the discount log2(rank + 1).
package enum RankingMetrics {
    /// Returns every metric of ``MetricName/all(cutoffs:)`` by name.
    ///
    /// - Parameters:
    ///   - ranked: Names of documents, best first, each once: see ``RankingOrder``.
    ///   - relevant: Grades by name; the evidence.
    ///   - cutoffs: The ks of recall, hit, precision and capped recall, 1 or more each.
    /// - Returns: The values, 0…1 each; 0 throughout when nothing is relevant.
    package static func values(ranked: [String], relevant: [String: Int], cutoffs: [Int]) -> [String: Double] {
        let grades = ranked.map { max(0, relevant[$0] ?? 0) }
        let ideal = relevant.values.filter { $0 > 0 }.sorted(by: >)
        var found: [Int] = [0]
        for grade in grades { found.append(found[found.count - 1] + (grade > 0 ? 1 : 0)) }
        var values: [String: Double] = [:]
        for cutoff in cutoffs {
            let count = Double(found[min(cutoff, grades.count)])
            values[MetricName.recall(cutoff)] = ideal.isEmpty ? 0 : count / Double(ideal.count)
            values[MetricName.hit(cutoff)] = count > 0 ? 1 : 0
            values[MetricName.precision(cutoff)] = count / Double(cutoff)
            values[MetricName.cappedRecall(cutoff)] = ideal.isEmpty ? 0 : count / Double(min(cutoff, ideal.count))
        }
        let best = discountedGain(ideal, MetricName.gainCutoff)
        values[MetricName.gain(MetricName.gainCutoff)] =
            best > 0 ? discountedGain(grades, MetricName.gainCutoff) / best : 0
        values[MetricName.reciprocalRank] = grades.firstIndex { $0 > 0 }.map { 1 / Double($0 + 1) } ?? 0
        values[MetricName.averagePrecision] = ideal.isEmpty ? 0 : precisionSum(grades) / Double(ideal.count)
        return values
    }

    /// Sums the gains of the first `cutoff` places, each divided by log2(rank + 1).
    private static func discountedGain(_ grades: [Int], _ cutoff: Int) -> Double {
        grades.prefix(cutoff).enumerated().reduce(0) { $0 + Double($1.element) / log2(Double($1.offset + 2)) }
    }

    /// Sums the precision at each relevant place.
    private static func precisionSum(_ grades: [Int]) -> Double {
        var found = 0.0
        var sum = 0.0
        for (index, grade) in grades.enumerated() where grade > 0 {
            found += 1
            sum += found / Double(index + 1)
        }
        return sum
    }
}

/// The order in which trec_eval reads a run: by score, the best first, equal scores by name, the last name first.
///
/// trec_eval keeps scores in single precision, so scores that differ only beyond it are equal; names are compared
/// byte by byte. The rank column and the order of lines do not matter.
package enum RankingOrder {
    /// Returns whether one entry comes before another.
    package static func precedes(_ left: (name: String, score: Double), _ right: (name: String, score: Double)) -> Bool
    {
        let scores = (Float(left.score), Float(right.score))
        if scores.0 != scores.1 { return scores.0 > scores.1 }
        return right.name.utf8.lexicographicallyPrecedes(left.name.utf8)
    }
}

/// The names of the metrics in reports and gates.
package enum MetricName {
    /// Share of the evidence among the first k.
    package static func recall(_ cutoff: Int) -> String { "recall@\(cutoff)" }
    /// 1 when any evidence is among the first k.
    package static func hit(_ cutoff: Int) -> String { "hit@\(cutoff)" }
    /// Share of the first k places that hold evidence.
    package static func precision(_ cutoff: Int) -> String { "precision@\(cutoff)" }
    /// Evidence among the first k, relative to the most that fits there: found ÷ min(k, evidence).
    package static func cappedRecall(_ cutoff: Int) -> String { "capped-recall@\(cutoff)" }
    /// Normalised discounted cumulative gain of the first k.
    package static func gain(_ cutoff: Int) -> String { "nDCG@\(cutoff)" }
    /// Reciprocal rank of the first evidence, over the whole ranking.
    package static let reciprocalRank = "MRR"
    /// Average precision over the whole ranking.
    package static let averagePrecision = "MAP"

    /// The cutoff of the one gain that is reported.
    static let gainCutoff = 10

    /// All names for some cutoffs, in the order in which reports show them.
    package static func all(cutoffs: [Int]) -> [String] {
        cutoffs.map(recall) + cutoffs.map(hit) + cutoffs.map(precision) + cutoffs.map(cappedRecall)
            + [gain(gainCutoff), reciprocalRank, averagePrecision]
    }
}

/// Means over a group of questions.
package struct MetricSummary: Hashable, Sendable {
    /// How many questions there are.
    package var questionCount: Int
    /// The mean of each metric by name.
    package var values: [String: Double]

    package init(questionCount: Int, values: [String: Double]) {
        self.questionCount = questionCount
        self.values = values
    }

    /// Averages the values of the questions; a metric that a question lacks counts as 0.
    package init(_ questions: [[String: Double]]) {
        questionCount = questions.count
        values = [:]
        for name in Set(questions.flatMap(\.keys)) {
            values[name] = questions.reduce(0) { $0 + ($1[name] ?? 0) } / Double(questions.count)
        }
    }
}
