import ChatCore
import Evaluation
import Foundation
import Testing

@Suite struct AnswerScoreTests {
    private struct Case: Decodable {
        var answer: String
        var reference: String
        var category: String
        var score: Double
    }

    /// The expected scores are those of LoCoMo's own functions with NLTK's stemmer.
    @Test func agreesWithLoCoMo() throws {
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: Fixture.url("answers/scores.json")))

        #expect(cases.count == 27)
        for entry in cases {
            let score = AnswerScore.value(
                answer: entry.answer, reference: entry.reference, category: entry.category)
            #expect(abs(score - entry.score) < 1e-12, "\(entry)")
        }
    }

    @Test func stemsAsNLTK() throws {
        let stems = try JSONDecoder().decode(
            [String: String].self, from: Data(contentsOf: Fixture.url("answers/stems.json")))

        #expect(stems.count > 190)
        for (word, stem) in stems { #expect(NLTKPorterStemmer.stem(word) == stem, "\(word)") }
    }

    private let dataset: EvaluationDataset = {
        var hidden = question("q4", [], "unanswerable", answer: "the harbour")
        hidden.hiddenEvidence = [MessageKey("c", "m4")]
        return smallDataset(
            messages: 4,
            questions: [
                question("q1", ["m1", "m2"], "multi-hop", answer: "red, blue"),
                question("q2", ["m3"], "temporal", answer: "on Friday"), question("q3", ["m1"], "adversarial"), hidden,
                question("q5", ["m2"], "temporal", answer: "on Sunday"),
            ])
    }()

    @Test func answersAreMeasuredAgainstEvidence() throws {
        let report = try AnswerReport(
            [
                EvaluatedAnswer(
                    questionID: "q1", text: "red",
                    citations: [MessageKey("c", "m1"), MessageKey("c", "m3"), MessageKey("c", "m1")]),
                EvaluatedAnswer(questionID: "q2", text: "That is not mentioned.", citations: [MessageKey("c", "m3")]),
                EvaluatedAnswer(questionID: "q3", text: "It was red."),
                EvaluatedAnswer(questionID: "q4", text: "Sorry.", citations: [MessageKey("c", "m4")], abstains: true),
            ], to: dataset)

        #expect(report.headline.questionCount == 3)
        #expect(report.headline.values["F1"] == 0.5 / 3)
        #expect(report.headline.values["citation-precision"] == 0.5 / 3)
        #expect(report.headline.values["citation-recall"] == 0.5 / 3)
        #expect(report.headline.values["wrong-abstention"] == 2.0 / 3)
        #expect(report.categories["temporal"]?.values["wrong-abstention"] == 1)
        #expect(report.categories["multi-hop"]?.values["F1"] == 0.5)
        #expect(report.unanswerable == MetricSummary(questionCount: 2, values: ["right-abstention": 0.5]))
        #expect(report.leakCount == 1)
    }

    @Test func aQuestionWithoutAnAnswerIsAbstainedFrom() throws {
        let report = try AnswerReport([], to: dataset)

        #expect(report.headline.values["wrong-abstention"] == 1)
        #expect(report.headline.values["F1"] == 0)
        #expect(report.unanswerable?.values["right-abstention"] == 1)
        #expect(throws: EvaluationError.nothingToMeasure("questions")) {
            try AnswerReport([], to: smallDataset(messages: 1, questions: []))
        }
    }
}
