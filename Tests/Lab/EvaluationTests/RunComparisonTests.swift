import Evaluation
import Foundation
import Testing

/// Reads a report whose questions have two metrics each, given as (category, recall@10).
func report(_ name: String, _ values: [(String, Double)], hash: String = "h") throws -> RunReport {
    let questions = values.enumerated().map { index, entry -> [String: Any] in
        [
            "id": "q\(index)", "conversationId": "c", "category": entry.0, "question": "What?",
            "isAnswerable": entry.0 != "adversarial", "evidence": ["m"], "found": [String](), "leaked": [String](),
            "ranked": [String](), "metrics": ["recall@10": entry.1, "MRR": entry.1 / 2], "latency": [String: Double](),
        ]
    }
    let object: [String: Any] = [
        "name": name, "questionCount": values.count, "categories": [String: Any](), "unanswerableCount": 0,
        "leakCount": 0, "configuration": [String: Any](), "configurationHash": "x", "scope": "all", "cutoffs": [10],
        "dataset": ["name": "d", "hash": hash, "conversations": 1, "messages": 1, "questions": values.count],
        "depth": 100, "latency": [String: Any](), "tokens": [String: Any](), "questions": questions,
    ]
    return try JSONDecoder().decode(RunReport.self, from: JSONSerialization.data(withJSONObject: object))
}

@Suite struct RunComparisonTests {
    private let first: RunReport
    private let second: RunReport

    init() throws {
        first = try report("old", [("b", 1), ("b", 0.5), ("a", 0), ("a", 0.5), ("adversarial", 0.25), ("b", 1)])
        second = try report("new", [("b", 1), ("b", 0.25), ("a", 1), ("a", 0.5), ("adversarial", 0), ("b", 0)])
    }

    @Test func eachMetricAndCategoryIsCompared() throws {
        let comparison = try RunComparison(first, second)

        #expect(
            comparison.rows.filter { $0.metric == "recall@10" }.map(\.group) == ["all", "a", "b", "adversarial"])
        let all = try #require(comparison.row("recall@10"))
        #expect(all.first == 0.6)
        #expect(all.second == 0.55)
        #expect(all.difference.count == 5)
        #expect(abs(all.difference.mean - -0.05) < 1e-15)
        #expect(comparison.row("recall@10", group: "a")?.difference.mean == 0.5)
        #expect(comparison.row("MRR", group: "a")?.difference.mean == 0.25)
        #expect(comparison.row("recall@10", group: "adversarial")?.difference.mean == -0.25)
        // -0.25, 1 and -1: the sum is as far from 0 whatever the signs of 1 and -1 when they cancel.
        #expect(all.difference.pValue == 1)
    }

    @Test func theQuestionsThatChangedMostAreListed() throws {
        let comparison = try RunComparison(first, second)

        #expect(comparison.changeMetric == "recall@10")
        #expect(comparison.losses.map(\.id) == ["q5", "q1", "q4"])
        #expect(comparison.losses.map(\.second) == [0, 0.25, 0])
        #expect(comparison.gains.map(\.id) == ["q2"])
        #expect(comparison.gains[0].question == "What?")
        #expect(try RunComparison(first, second, changeLimit: 1).losses.map(\.id) == ["q5"])
    }

    @Test func gatesAreMissedByMoreThanTheyAllow() throws {
        let gates = try ["recall@10=-0.05", "recall@10=-0.049", "b:recall@10=-0.4", "a:MRR=0.3", "adversarial:MRR=-1"]
            .map(MetricGate.init(text:))

        let comparison = try RunComparison(first, second, gates: gates)

        #expect(comparison.missedGates.map(\.group) == ["all", "b", "a"])
        #expect(comparison.missedGates.map(\.leastDifference) == [-0.049, -0.4, 0.3])
        #expect(comparison.missedGates[2].difference == 0.25)
    }

    @Test func aGateOfAnUnknownMetricIsAnError() throws {
        #expect(throws: EvaluationError.unknownMetric("recall@11")) {
            try RunComparison(first, second, gates: [MetricGate(metric: "recall@11", leastDifference: 0)])
        }
        #expect(throws: EvaluationError.unknownMetric("c:recall@10")) {
            try RunComparison(
                first, second, gates: [MetricGate(category: "c", metric: "recall@10", leastDifference: 0)])
        }
    }

    @Test func gatesAreReadAsTheyAreWritten() throws {
        #expect(try MetricGate(text: "recall@10=-0.01") == MetricGate(metric: "recall@10", leastDifference: -0.01))
        #expect(
            try MetricGate(text: "multi:hop:MRR=0")
                == MetricGate(category: "multi:hop", metric: "MRR", leastDifference: 0))
        for text in ["recall@10", "recall@10=", "=0.1", ":MRR=0", "a:=0", "MRR=nan", "MRR=1%"] {
            #expect(throws: EvaluationError.invalidGate(text)) { try MetricGate(text: text) }
        }
    }

    @Test func onlyRunsOfTheSameQuestionsAreCompared() throws {
        let other = try report("other", [("b", 1)], hash: "g")
        #expect(throws: EvaluationError.differentDatasets("h", "g")) { try RunComparison(first, other) }
        let fewer = try report("fewer", [("b", 1), ("b", 1)])
        #expect(throws: EvaluationError.differentQuestions(onlyFirst: 4, onlySecond: 0)) {
            try RunComparison(first, fewer)
        }
        #expect(throws: EvaluationError.differentQuestions(onlyFirst: 0, onlySecond: 4)) {
            try RunComparison(fewer, first)
        }
    }

    @Test func aRowDoesNotDependOnTheOthers() throws {
        let values = (0..<40).map { ("a", Double($0 * 37 % 41) / 41) }
        let changed = (0..<40).map { ("a", Double($0 * $0 % 43) / 43) }
        let few = try RunComparison(report("old", values), report("new", changed))
        let more = try RunComparison(
            report("old", values + [("adversarial", 1)]), report("new", changed + [("adversarial", 0)]))

        #expect(few.row("recall@10") == more.row("recall@10"))
        #expect(few.row("recall@10")?.difference.lower != few.row("recall@10", group: "a")?.difference.lower)
        #expect(try few != RunComparison(report("old", values), report("new", changed), seed: 2))
    }

    @Test func theTableAndTheJSONSayTheSame() throws {
        let comparison = try RunComparison(
            first, second, gates: [MetricGate(metric: "recall@10", leastDifference: -0.01)])

        #expect(comparison.text.contains("all          recall@10              5  0.6000  0.5500  -0.0500  ["))
        #expect(comparison.text.contains("questions that lost most (recall@10)\n  1.0000 -> 0.0000  q5  (b)\n"))
        #expect(comparison.text.contains("questions that gained most (recall@10)\n  0.0000 -> 1.0000  q2  (a)\n"))
        #expect(
            comparison.text.hasSuffix("gates missed\n  all:recall@10 changed by -0.0500, allowed is -0.0100\n"))
        #expect(try JSONDecoder().decode(RunComparison.self, from: comparison.json()) == comparison)
    }
}
