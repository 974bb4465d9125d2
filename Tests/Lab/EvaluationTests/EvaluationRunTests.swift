import ChatCore
import Evaluation
import Foundation
import Synchronization
import Testing

/// Answers from a table; a question that is not in it finds nothing.
private struct TableSystem: EvaluatedSystem {
    var lists: [String: RankedList]

    func rank(_ question: EvaluationQuestion, limit: Int) async throws -> RankedList {
        lists[question.id] ?? RankedList(hits: [])
    }
}

/// A clock that moves on by 2 ms whenever it is read.
private final class StepClock: Clock {
    typealias Instant = ContinuousClock.Instant
    private let origin = ContinuousClock.now
    private let reads = Mutex(0)

    var now: Instant {
        reads.withLock { count in
            count += 1
            return origin.advanced(by: .milliseconds(2 * count))
        }
    }

    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}

private func hits(_ entries: [(String, Double)]) -> [RankedHit] {
    entries.map { RankedHit(key: MessageKey("c", $0.0), score: $0.1, signals: ["cosine": $0.1 / 2]) }
}

@Suite struct EvaluationRunTests {
    private let configuration = RunConfiguration(value: .object(["weight": .number(0.5)]), hash: "abc", scope: "all")

    private var dataset: EvaluationDataset {
        var hidden = question("q4", [], "unanswerable")
        hidden.hiddenEvidence = [MessageKey("c", "m9")]
        return smallDataset(
            messages: 12,
            questions: [
                question("q1", ["m1", "m2"], "plain", answer: "yes"), question("q2", ["m3"], "hard"),
                question("q3", ["m4"], "adversarial"), hidden, question("q5", ["m5"], "plain"),
            ])
    }

    private let system = TableSystem(lists: [
        "q1": RankedList(
            hits: hits([("m7", 0.9), ("m1", 0.5), ("m8", 0.5), ("m2", 0.1)]), latencies: ["dense": .milliseconds(3)],
            tokenCounts: ["prompt": 100]),
        "q2": RankedList(hits: hits([("m3", 0.75)]), latencies: ["dense": .milliseconds(5)], confidence: 0.25),
        "q3": RankedList(hits: hits([("m4", 0.5)])),
        "q4": RankedList(hits: hits([("m9", 0.375)])),
    ])

    @Test func theHeadlineIsOfTheAnswerableQuestionsAndAMissingOneCountsZero() async throws {
        let run = EvaluationRun(name: "test", cutoffs: [2, 1, 2, 0])

        let report = try await run.measure(dataset, with: system, configuration: configuration).report

        #expect(run.cutoffs == [1, 2])
        // q1: m7, then of the equal m1 and m8 the later name first, then m2. q5 found nothing.
        #expect(report.questions[0].ranked.map(\.id) == ["m7", "m8", "m1", "m2"])
        #expect(report.headline.questionCount == 3)
        let third = 1.0 / 3
        let reciprocalRank = (third + 1) / 3
        let averagePrecision = ((third + 0.5) / 2 + 1) / 3
        #expect(report.headline.values["recall@1"] == third)
        #expect(report.headline.values["recall@2"] == third)
        #expect(report.headline.values["MRR"] == reciprocalRank)
        #expect(report.headline.values["MAP"] == averagePrecision)
        #expect(report.categories["plain"]?.questionCount == 2)
        #expect(report.categories["plain"]?.values["MRR"] == 1.0 / 6)
        #expect(report.categories["hard"]?.values["MRR"] == 1)
        #expect(Set(report.categories.keys) == ["plain", "hard"])
        #expect(report.adversarial?.questionCount == 1)
        #expect(report.adversarial?.values["MRR"] == 1)
        #expect(report.unanswerableCount == 1)
    }

    @Test func theReportHoldsWhatWasFound() async throws {
        let run = EvaluationRun(name: "test", cutoffs: [2], keptRanks: 3)

        let report = try await run.measure(
            dataset, with: system, configuration: configuration, clock: StepClock()
        ).report

        #expect(report.leakCount == 1)
        #expect(report.questions[3].leaked == ["m9"])
        #expect(report.questions[3].metrics.isEmpty)
        #expect(report.questions[0].evidence == ["m1", "m2"])
        #expect(report.questions[0].found == ["m1", "m2"])
        #expect(report.questions[0].ranked.count == 3)
        #expect(report.questions[0].ranked[0].signals == ["cosine": 0.45])
        #expect(report.questions.map(\.confidence) == [0.9, 0.25, 0.5, 0.375, nil])
        #expect(report.questions[0].latency == ["dense": 3, "total": 2])
        #expect(report.latencies["dense"]?.mean == 4)
        #expect(report.latencies["dense"]?.median == 3)
        #expect(report.latencies["dense"]?.maximum == 5)
        #expect(report.latencies["total"]?.p99 == 2)
        #expect(report.tokenCounts == ["prompt": 20])
        #expect(report.dataset.hash == (try dataset.contentHash()))
        #expect(report.dataset.messages == 12)
        #expect(Set(report.texts.map { Array($0.keys) } ?? []) == ["m1", "m2", "m3", "m4", "m5", "m7", "m8", "m9"])
        #expect(report.texts?["m7"]?.text == "words 7")
    }

    @Test func textsAndRankingsCanBeLeftOut() async throws {
        let run = EvaluationRun(name: "test", questionLimit: 2, keepsTexts: false, concurrency: 2)

        let report = try await run.measure(dataset, with: system, configuration: configuration).report

        #expect(report.texts == nil)
        #expect(report.questions.map(\.id) == ["q1", "q2"])
        #expect(report.questions.allSatisfy { $0.question == nil && $0.answer == nil })
        #expect(!report.questions[0].ranked.isEmpty)
        #expect(report.withoutRankings.questions.allSatisfy { $0.ranked.isEmpty })
        #expect(report.withoutRankings.headline == report.headline)
    }

    @Test func theJSONHasTheMetricsAtItsTopAndComesBack() async throws {
        let report = try await EvaluationRun(name: "test")
            .measure(dataset, with: system, configuration: configuration).report

        let data = try report.json()
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])

        #expect(object["recall@10"] as? Double == 2.0 / 3)
        #expect(object["questionCount"] as? Int == 3)
        #expect(object["configurationHash"] as? String == "abc")
        #expect((object["configuration"] as? [String: Double]) == ["weight": 0.5])
        #expect((object["dataset"] as? [String: Any])?["hash"] as? String == report.dataset.hash)
        #expect(((object["categories"] as? [String: Any])?["hard"] as? [String: Any])?["hit@5"] as? Double == 1)
        #expect((object["questions"] as? [Any])?.count == 5)
        #expect(try JSONDecoder().decode(RunReport.self, from: data) == report)
        #expect(try report.json() == data)
    }

    @Test func theRankingsAgreeWithTheReport() async throws {
        let outcome = try await EvaluationRun(name: "test")
            .measure(dataset, with: system, configuration: configuration)

        let text = outcome.rankings.text(tag: "test")
        let (summary, _) = try TRECRun(text: text).measured(against: TRECQrels(dataset), cutoffs: [5, 10, 20])

        #expect(
            text == """
                q1 Q0 m7 1 0.9 test
                q1 Q0 m8 2 0.5 test
                q1 Q0 m1 3 0.4999999701976776 test
                q1 Q0 m2 4 0.1 test
                q2 Q0 m3 1 0.75 test
                q5 Q0 % 1 0.0 test

                """)
        #expect(summary == outcome.report.headline)
        #expect(outcome.qrels == TRECQrels(dataset))
    }

    /// Other tools refuse files whose questions differ, and order equal scores in their own way.
    @Test(arguments: [nil, 1])
    func runAndQrelsHoldTheSameQuestionsAndNoEqualScores(limit: Int?) async throws {
        let outcome = try await EvaluationRun(name: "test", questionLimit: limit)
            .measure(dataset, with: system, configuration: configuration)

        #expect(Set(outcome.rankings.rankings.keys) == Set(outcome.qrels.grades.keys))
        #expect(outcome.qrels.grades.count == (limit ?? 3))
        for entries in outcome.rankings.rankings.values {
            let scores = entries.map { Float($0.score) }
            #expect(!scores.isEmpty && zip(scores, scores.dropFirst()).allSatisfy { $0 > $1 })
        }
    }

    @Test func aHitThatStandsForEvidenceCountsAsEvidence() async throws {
        let q1 = [
            RankedHit(key: MessageKey("c", "m7"), score: 0.9),
            RankedHit(
                key: MessageKey("c", "m8"), score: 0.5,
                duplicates: [MessageKey("c", "m10"), MessageKey("c", "m2"), MessageKey("c", "m1")]),
        ]
        let q4 = [RankedHit(key: MessageKey("c", "m3"), score: 0.5, duplicates: [MessageKey("c", "m9")])]
        let outcome = try await EvaluationRun(name: "test").measure(
            dataset, with: TableSystem(lists: ["q1": RankedList(hits: q1), "q4": RankedList(hits: q4)]),
            configuration: configuration)

        let first = outcome.report.questions[0]
        #expect(Set(first.found) == ["m1", "m2"])
        #expect(first.ranked.map(\.id) == ["m7", "m2", "m1"])
        #expect(first.metrics["recall@5"] == 1)
        #expect(first.metrics["MRR"] == 0.5)
        // People can open what a hit stands for.
        #expect(outcome.report.leakCount == 1)
        #expect(outcome.rankings.rankings["q1"]?.map(\.document) == ["m7", "m2", "m1"])
    }

    @Test(arguments: [
        ([("m1", 0.5), ("m2", 0.6)], "a score is higher than the one before"),
        ([("m1", 0.5), ("m1", 0.5)], "a message appears twice"),
        ([("m1", Double.nan)], "a score is not a number"),
        ([("m13", 0.5)], "a message is not in the dataset"),
    ])
    func whatIsNoRankingEndsTheRun(entries: [(String, Double)], reason: String) async throws {
        let system = TableSystem(lists: ["q1": RankedList(hits: hits(entries))])

        await #expect(throws: EvaluationError.invalidRanking(question: "q1", reason: reason)) {
            try await EvaluationRun(name: "test").measure(dataset, with: system, configuration: configuration)
        }
    }

    @Test func aConfidenceIsANumber() async throws {
        let system = TableSystem(lists: ["q2": RankedList(hits: [], confidence: .infinity)])

        await #expect(
            throws: EvaluationError.invalidRanking(question: "q2", reason: "its confidence is not a number")
        ) {
            try await EvaluationRun(name: "test").measure(dataset, with: system, configuration: configuration)
        }
    }

    @Test func timesAreSummedUpByNearestRank() throws {
        let hundred = try #require(LatencySummary(milliseconds: (1...100).map(Double.init).reversed()))
        let three = try #require(LatencySummary(milliseconds: [4, 1, 2.5]))

        #expect((hundred.median, hundred.p95, hundred.p99, hundred.maximum) == (50, 95, 99, 100))
        #expect(hundred.mean == 50.5)
        #expect((three.median, three.p95, three.p99, three.maximum) == (2.5, 4, 4, 4))
        #expect(three.mean == 2.5)
        #expect(LatencySummary(milliseconds: []) == nil)
    }

    @Test func noQuestionsAreAnError() async throws {
        await #expect(throws: EvaluationError.nothingToMeasure("questions")) {
            try await EvaluationRun(name: "test", questionLimit: 0)
                .measure(dataset, with: system, configuration: configuration)
        }
    }

    @Test func aConfigurationsHashIsOfItsContent() throws {
        let first = try RunConfiguration(
            value: .object(["a": .number(1), "b": .array([.null, .bool(true)])]), scope: "all")
        let same = try JSONDecoder().decode(JSONValue.self, from: Data(#"{"b":[null,true],"a":1.0}"#.utf8))

        #expect(first.value == same)
        #expect(try RunConfiguration(value: same, scope: "conversation").hash == first.hash)
        #expect(try RunConfiguration(value: .object(["a": .number(2)]), scope: "all").hash != first.hash)
    }
}
