import ChatCore
import Evaluation
import Foundation
import Testing

@Suite struct AnswerComparisonTests {
    private static let hostile = "<script>alert('x')</script>"

    private let dataset = smallDataset(
        messages: 6,
        questions: [
            question("same", ["m1"], "single", answer: "red"), question("lost", ["m2"], "single", answer: "blue"),
            question("uncited", ["m3"], "single", answer: "green"),
            question("silent", ["m4"], "single", answer: "white"),
            question("worded", ["m5"], "single", answer: "black"), question("trap", ["m6"], "adversarial"),
        ], text: hostile)

    private func answer(_ id: String, _ text: String, cites: [Int], shown: [Int], support: String? = nil)
        -> EvaluatedAnswer
    {
        var answer = EvaluatedAnswer(
            questionID: id, text: text, citations: cites.map { MessageKey("c", "m\($0)") })
        answer.shown = shown.map { MessageKey("c", "m\($0)") }
        if let support { answer.sentences = [AnsweredQuestion.Sentence(0..<text.count, support: support)] }
        return answer
    }

    private func comparison() throws -> AnswerComparison {
        let first = [
            answer("same", "red [1]", cites: [1], shown: [1]), answer("lost", "blue [1]", cites: [2], shown: [1, 2]),
            answer("uncited", "green [1]", cites: [3], shown: [3], support: "supported"),
            answer("silent", "white [1]", cites: [4], shown: [4]),
            answer("worded", "black [1]", cites: [5], shown: [5]),
            answer("trap", Self.hostile, cites: [], shown: [6]),
        ]
        let second = [
            answer("same", "red [1]", cites: [1], shown: [1]), answer("lost", "pink [1]", cites: [1], shown: [1]),
            answer("uncited", "gruen", cites: [], shown: [3], support: "unsupported"),
            EvaluatedAnswer(questionID: "silent", text: "", abstains: true),
            answer("worded", "It is black [1]", cites: [5], shown: [5]),
            EvaluatedAnswer(questionID: "trap", text: "", abstains: true),
        ]
        return try AnswerComparison(
            AnswerReport(first, to: dataset), AnswerReport(second, to: dataset), names: ("old", Self.hostile))
    }

    @Test func eachQuestionSaysWhatChanged() throws {
        let changes = try comparison().pairs.reduce(into: [:]) { $0[$1.first.id] = $1.changes }

        #expect(
            changes == [
                "same": [], "lost": [.evidenceLost, .citesOthers], "uncited": [.citesLess, .lessSupport],
                "silent": [.abstains], "worded": [.words], "trap": [.abstains],
            ])
    }

    @Test func theGreatestLossComesFirstAndWhatIsTheSameLast() throws {
        let pairs = try comparison().pairs

        #expect(pairs.map(\.first.id) == ["lost", "uncited", "silent", "worded", "trap", "same"])
        #expect(pairs.map { $0.gain.rounded() } == [-3, -3, -3, 0, 1, 0])
    }

    @Test func figuresAreComparedWhereBothReportsHaveThem() throws {
        let comparison = try comparison()

        let rows = comparison.rows.reduce(into: [:]) {
            $0[$1.metric] = [$1.first, $1.second, Double($1.difference.count)]
        }
        #expect(rows["citation-recall"] == [1, 0.4, 5])
        #expect(rows["right-abstention"] == [0, 1, 1])
        #expect(rows["supported"] == [1, 0, 1])
        #expect(rows["seconds-to-answer"] == nil)
        #expect(comparison.text.contains("1 of 6: the second was not shown evidence that the first had"))
    }

    @Test func thePageShowsBothAnswersAndEscapesThem() throws {
        let page = AnswerComparisonPage(try comparison()).page

        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
        #expect(page.contains("<mark class=\"unsupported\" title=\"unsupported\">gruen</mark>"))
        #expect(
            page.contains("B was not shown evidence that the first had, and cites more messages that are no evidence"))
        #expect(page.contains("A cites it<br>B did not see it"))
        #expect(page.contains(".miss:not(.evidence-lost) { display: none; }"))
        #expect(page.contains("default-src 'none'; style-src 'unsafe-inline'"))
    }

    @Test func reportsOfOtherQuestionsAreNotCompared() throws {
        let one = try AnswerReport([], to: dataset)
        let other = try AnswerReport([], to: smallDataset(messages: 2, questions: [question("q", ["m1"], "single")]))

        #expect(throws: EvaluationError.self) { try AnswerComparison(one, other, names: ("a", "b")) }
    }

    @Test func costIsAveragedOverTheAnswersThatHaveIt() throws {
        var answers = [
            answer("same", "red [1]", cites: [1], shown: [1]), answer("lost", "blue", cites: [], shown: [2]),
        ]
        answers[0].cost = AnswerCost(
            sources: .milliseconds(10), firstWord: .seconds(2), end: .seconds(4), promptTokens: 100, answerTokens: 20)
        answers[1].cost = AnswerCost(sources: .milliseconds(30), end: .seconds(2))

        let report = try AnswerReport(answers, to: dataset)

        #expect(
            report.cost
                == MetricSummary(
                    questionCount: 2,
                    values: [
                        "seconds-to-sources": 0.02, "seconds-to-first-word": 2, "seconds-to-answer": 3,
                        "prompt-tokens": 100, "answer-tokens": 20,
                    ]))
        let file = FileManager.default.temporaryDirectory.appending(path: "answers-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try EvaluationText.write(report, to: file.path)
        #expect(try EvaluationText.read(file) as AnswerReport == report)
    }
}
