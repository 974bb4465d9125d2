import Evaluation
import Testing

@Suite struct JudgementTests {
    @Test(
        arguments: [
            (
                #"{"correct": "yes", "supported": "no", "relevant": "partly"}"#,
                Judgement(correctness: .yes, faithfulness: .no, relevancy: .partly)
            ),
            (
                "Sure:\n```json\n{\"supported\":\" PARTLY \",\"correct\":\"No\",\"relevant\":\"yes\",\"why\":1}\n```",
                .init(correctness: .no, faithfulness: .partly, relevancy: .yes)
            ),
            (
                #"<think>{"correct": "no"}</think>{"correct": "yes", "supported": "yes", "relevant": "yes"}"#,
                .init(correctness: .yes, faithfulness: .yes, relevancy: .yes)
            ),
        ])
    func theObjectInAReplyIsRead(reply: String, judgement: Judgement) {
        #expect(Judgement(reply: reply) == judgement)
    }

    @Test(arguments: [
        "", "yes", "}{", #"{"correct": "yes", "supported": "yes"}"#,
        #"{"correct": "maybe", "supported": "yes", "relevant": "yes"}"#,
        #"{"correct": true, "supported": true, "relevant": true}"#,
    ])
    func whatCannotBeReadIsNoJudgement(reply: String) {
        #expect(Judgement(reply: reply) == nil)
    }

    @Test func meansLeaveOutWhatWasNotJudged() {
        let summary = JudgedSummary(
            [
                Judgement(correctness: .yes, faithfulness: .partly, relevancy: .yes), Judgement(correctness: .no),
                Judgement(faithfulness: .yes, relevancy: .no),
            ], uselessReplyCount: 2)

        #expect(
            summary.values == ["judged-correctness": 0.5, "judged-faithfulness": 0.75, "judged-relevancy": 0.5])
        #expect(summary.judgedCount == 3 && summary.uselessReplyCount == 2)
        #expect(JudgedSummary([], uselessReplyCount: 1).values.isEmpty)
    }
}
