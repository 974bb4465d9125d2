import Foundation

/// The metrics of one question's ranking, defined as trec_eval defines them.
///
/// Relevance grades of 1 and more count as relevant; the gain is the grade itself, the discount log2(rank + 1).
public enum RankingMetrics {
    /// Returns every metric of ``MetricName/all(cutoffs:)`` by name.
    ///
    /// - Parameters:
    ///   - ranked: Names of documents, best first, each once: see ``RankingOrder``.
    ///   - relevant: Grades by name; the evidence.
    ///   - cutoffs: The ks of recall, hit, precision and capped recall, 1 or more each.
    /// - Returns: The values, 0…1 each; 0 throughout when nothing is relevant.
    public static func values(ranked: [String], relevant: [String: Int], cutoffs: [Int]) -> [String: Double] {
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
