import Evaluation
import Foundation
import Testing

@Suite struct TRECFilesTests {
    private struct Expected: Decodable {
        var mean: [String: Double]
        var queries: [String: [String: Double]]
    }

    /// The expected values are pytrec_eval's; the run has ties, scores equal in single precision, and two queries fewer.
    @Test func agreesWithTrecEval() throws {
        let run = try TRECRun(text: Fixture.text("trec/run.trec"))
        let qrels = try TRECQrels(text: Fixture.text("trec/qrels.trec"))
        let expected = try JSONDecoder().decode(
            Expected.self, from: Data(contentsOf: Fixture.url("trec/expected.json")))

        let (summary, queries) = run.measured(against: qrels, cutoffs: [1, 5, 10, 20])

        #expect(summary.questionCount == 25)
        #expect(expected.mean.count == 15)
        for (name, value) in expected.mean {
            #expect(abs(try #require(summary.values[name]) - value) < 1e-9, "\(name)")
        }
        #expect(Set(queries.keys) == Set(expected.queries.keys))
        for (query, values) in expected.queries {
            for (name, value) in values {
                #expect(abs(try #require(queries[query]?[name]) - value) < 1e-9, "\(query) \(name)")
            }
        }
    }

    @Test func aRunIsWrittenInTheOrderThatItIsReadIn() throws {
        let run = TRECRun(rankings: [
            "q2": [.init(document: "a", score: 0.5), .init(document: "b", score: 0.5), .init(document: "c", score: 2)],
            "q1": [.init(document: "x", score: -1.25)],
        ])

        let text = run.text(tag: "my run")

        #expect(
            text == """
                q1 Q0 x 1 -1.25 my%20run
                q2 Q0 c 1 2.0 my%20run
                q2 Q0 b 2 0.5 my%20run
                q2 Q0 a 3 0.5 my%20run

                """)
        #expect(try TRECRun(text: text) == run)
    }

    @Test func aNameMayBeginWithACombiningMark() throws {
        let run = TRECRun(rankings: ["\u{301}q": [.init(document: "\u{301}d", score: 1)]])

        #expect(try TRECRun(text: run.text(tag: "t")) == run)
    }

    @Test func qrelsAreOfTheAnswerableQuestions() throws {
        var graded = question("q 1", ["m2", "m1"])
        graded.grades = [3, 1]
        let dataset = smallDataset(
            messages: 3, questions: [graded, question("q2", []), question("q3", ["m3"], "adversarial")])

        let qrels = TRECQrels(dataset)

        #expect(qrels.text == "q%201 0 m1 1\nq%201 0 m2 3\n")
        #expect(try TRECQrels(text: qrels.text) == qrels)
    }

    @Test func faultsAreNamedByLine() {
        #expect(
            throws: EvaluationError.invalidLine(
                file: "run", line: 2, reason: "a line is: query Q0 document rank score tag")
        ) { try TRECRun(text: "q Q0 d 1 0.5 t\nq Q0 e 1 nan t") }
        #expect(throws: EvaluationError.duplicate(file: "run", line: 3, id: "d")) {
            try TRECRun(text: "q Q0 d 1 0.5 t\n\nq\tQ0  d 1 0.7 t")
        }
        #expect(
            throws: EvaluationError.invalidLine(file: "qrels", line: 1, reason: "a line is: query 0 document grade")
        ) {
            try TRECQrels(text: "q 0 d x")
        }
    }

    @Test(arguments: [
        ("plain-1", "plain-1"), ("a b", "a%20b"), ("50%", "50%25"), ("tab\tend\n", "tab%09end%0A"),
        ("\u{2003}é", "%E2%80%83é"), ("", "%"), ("a/b", "a/b"),
    ])
    func namesAreOneWordAndComeBack(name: String, escaped: String) {
        #expect(TRECName.escaped(name) == escaped)
        #expect(TRECName.unescaped(escaped) == name)
    }

    @Test func aSlashIsEncodedWhereItJoins() {
        #expect(TRECName.escaped("a/b", alsoSlash: true) == "a%2Fb")
        #expect(TRECName.unescaped("50%zz%4") == "50%zz%4")
    }
}
