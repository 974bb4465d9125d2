import Evaluation
import Testing

/// A judge against a person; the figures are reckoned by hand.
@Suite struct JudgeReportTests {
    private static func pairs(_ said: [(Verdict, Verdict)]) -> [(id: String, label: Verdict, judge: Verdict)] {
        said.enumerated().map { (id: "j\($0 + 1)", label: $1.0, judge: $1.1) }
    }

    @Test func kappaTakesOffWhatChanceWouldGive() {
        let agreement = VerdictAgreement(
            Self.pairs([
                (.yes, .yes), (.yes, .yes), (.yes, .no), (.no, .no), (.no, .yes), (.partly, .partly),
            ]))

        // 4 of 6 agree; by chance (3·3 + 2·2 + 1·1) / 36 would.
        #expect(agreement.count == 6)
        #expect(agreement.agreement == 4.0 / 6)
        #expect(agreement.kappa.map { abs($0 - 5.0 / 11) < 1e-12 } == true)
        #expect(agreement.confusion["yes"] == ["yes": 2, "partly": 0, "no": 1])
        #expect(agreement.confusion["no"] == ["yes": 1, "partly": 0, "no": 1])
        #expect(agreement.disagreements == ["j3", "j5"])
    }

    @Test func aJudgeThatSaysYesToAllIsNoBetterThanChance() {
        let agreement = VerdictAgreement(Self.pairs([(.yes, .yes), (.yes, .yes), (.no, .yes), (.no, .yes)]))

        #expect(agreement.agreement == 0.5 && agreement.kappa == 0)
    }

    @Test func kappaIsBelowZeroWhereAllIsTurnedAround() {
        let agreement = VerdictAgreement(Self.pairs([(.yes, .no), (.no, .yes)]))

        #expect(agreement.agreement == 0 && agreement.kappa == -1)
    }

    @Test func withoutAChoiceThereIsNoKappa() {
        #expect(VerdictAgreement(Self.pairs([(.yes, .yes), (.yes, .yes)])).kappa == nil)
        #expect(VerdictAgreement([]).agreement == nil && VerdictAgreement([]).kappa == nil)
    }

    @Test func casesWithoutAVerdictCountNowhereElse() throws {
        let cases = [
            JudgeCase(
                id: "a", question: "?", reference: "r", answer: "x", correct: .yes, supported: .yes, relevant: .no),
            JudgeCase(id: "b", question: "?", answer: "x", supported: .no, relevant: .yes),
            JudgeCase(id: "c", question: "?", answer: "x", supported: .no, relevant: .yes),
        ]
        let report = try JudgeReport(
            [
                "a": Judgement(correctness: .partly, faithfulness: .yes, relevancy: .no),
                "b": Judgement(faithfulness: .yes, relevancy: .yes),
            ], of: cases)

        #expect(report.caseCount == 3 && report.uselessReplies == ["c"])
        #expect(report.correct.count == 1 && report.correct.disagreements == ["a"])
        #expect(report.supported.count == 2 && report.supported.disagreements == ["b"])
        #expect(report.relevant.count == 2 && report.relevant.agreement == 1 && report.relevant.kappa == 1)
        #expect(report.sides.map(\.name) == ["correct", "supported", "relevant"])
        #expect(throws: EvaluationError.nothingToMeasure("cases")) { try JudgeReport([:], of: []) }
    }
}
