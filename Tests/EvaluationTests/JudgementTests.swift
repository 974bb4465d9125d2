import Evaluation
import Testing

@Suite struct JudgementTests {
    @Test(
        arguments: [
            (#"{"correct": "yes", "supported": "no"}"#, Judgement(correctness: 1, faithfulness: 0)),
            (
                "Sure:\n```json\n{\"supported\":\" PARTLY \",\"correct\":\"No\",\"why\":1}\n```",
                .init(correctness: 0, faithfulness: 0.5)
            ),
        ])
    func theObjectInAReplyIsRead(reply: String, judgement: Judgement) {
        #expect(Judgement(reply: reply) == judgement)
    }

    @Test(arguments: [
        "", "yes", "}{", #"{"correct": "yes"}"#, #"{"correct": "maybe", "supported": "yes"}"#,
        #"{"correct": true, "supported": true}"#,
    ])
    func whatCannotBeReadIsNoJudgement(reply: String) {
        #expect(Judgement(reply: reply) == nil)
    }

    @Test func meansLeaveOutWhatWasNotJudged() {
        let summary = JudgedSummary(
            [
                Judgement(correctness: 1, faithfulness: 0.5), Judgement(correctness: 0), Judgement(faithfulness: 1),
            ], uselessReplyCount: 2)

        #expect(summary.values == ["judged-correctness": 0.5, "judged-faithfulness": 0.75])
        #expect(summary.judgedCount == 3 && summary.uselessReplyCount == 2)
        #expect(JudgedSummary([], uselessReplyCount: 1).values.isEmpty)
    }
}
