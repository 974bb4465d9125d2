import Evaluation
import Foundation
import Testing

@Suite struct RankingMetricsTests {
    @Test func valuesAreThoseWorkedByHand() {
        let values = RankingMetrics.values(
            ranked: ["a", "x", "b", "y"], relevant: ["a": 1, "b": 2, "c": 1, "z": 0], cutoffs: [1, 2, 3, 10])

        let gain = 1 / log2(2.0) + 2 / log2(4.0)
        let ideal = 2 / log2(2.0) + 1 / log2(3.0) + 1 / log2(4.0)
        let expected: [String: Double] = [
            "recall@1": 1 / 3, "recall@2": 1 / 3, "recall@3": 2 / 3, "recall@10": 2 / 3,
            "hit@1": 1, "hit@2": 1, "hit@3": 1, "hit@10": 1,
            "precision@1": 1, "precision@2": 0.5, "precision@3": 2 / 3, "precision@10": 0.2,
            "capped-recall@1": 1, "capped-recall@2": 0.5, "capped-recall@3": 2 / 3, "capped-recall@10": 2 / 3,
            "nDCG@10": gain / ideal, "MRR": 1, "MAP": (1 + 2.0 / 3) / 3,
        ]
        #expect(values == expected)
        #expect(Set(MetricName.all(cutoffs: [1, 2, 3, 10])) == Set(expected.keys))
    }

    @Test func nothingFoundAndNothingToFindAreZero() {
        for (ranked, relevant) in [([], ["a": 1]), (["a"], [:]), (["a"], ["a": 0]), (["b"], ["a": 1])] {
            let values = RankingMetrics.values(ranked: ranked, relevant: relevant, cutoffs: [5])
            #expect(values.count == 7)
            #expect(values.values.allSatisfy { $0 == 0 })
        }
    }

    @Test func theGainLooksAtTenPlacesAndTheRankAtAll() {
        let ranked = (1...30).map { "d\($0)" }

        let values = RankingMetrics.values(ranked: ranked, relevant: ["d11": 1, "d20": 1], cutoffs: [10, 20])

        #expect(values["nDCG@10"] == 0)
        #expect(values["MRR"] == 1.0 / 11)
        #expect(values["MAP"] == (1.0 / 11 + 2.0 / 20) / 2)
        #expect(values["recall@10"] == 0)
        #expect(values["recall@20"] == 1)
    }

    @Test func aSummaryCountsAMissingValueAsZero() {
        let summary = MetricSummary([["a": 1, "b": 0.5], ["a": 0.5], [:], [:]])

        #expect(summary == MetricSummary(questionCount: 4, values: ["a": 0.375, "b": 0.125]))
    }
}
