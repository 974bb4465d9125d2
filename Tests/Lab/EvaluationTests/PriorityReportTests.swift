import ChatCore
import Evaluation
import Testing
import TextAnalysis

/// Scores of unread messages, and suggested replies, against labels.
@Suite struct PriorityReportTests {
    @Test func pairsAreCountedByWhoIsAbove() throws {
        let cases = [
            PriorityCase(
                id: "p1", conversationID: "c", readerID: "ada", readID: "m1", lastID: "m5", high: ["m2", "m3"],
                low: ["m4", "m5"]),
            PriorityCase(
                id: "p2", conversationID: "c", readerID: "ada", readID: "m1", lastID: "m5", high: ["m2"], low: ["m3"]),
        ]

        let report = try PriorityReport(["p1": ["m2": 0.9, "m3": 0.4, "m4": 0.4]], of: cases, dataset: "small")

        // m2 is above both; m3 is level with m4 and above m5, which has no score; nothing was said of p2.
        #expect(report.pairCount == 5 && report.rightCount == 3 && report.accuracy == 0.6)
        #expect(report.wrong == ["p1: m3, m4", "p2: m2, m3"])
        #expect(report.caseCount == 2 && report.labelledCount == 6 && report.scoredCount == 3)
        #expect(throws: EvaluationError.nothingToMeasure("labelled messages")) {
            try PriorityReport([:], of: [], dataset: "small")
        }
    }

    @Test func repliesAreCheckedWithoutAJudge() throws {
        func reply(_ id: String, _ language: TextLanguage?, _ reason: String? = nil) -> ReplyCase {
            ReplyCase(id: id, conversationID: "c", userID: "ada", lastID: "m1", language: language, reason: reason)
        }
        let cases = [
            reply("right", .german), reply("wrong", .german), reply("none", .english), reply("machine", nil, "machine"),
            reply("talks", nil, "machine"), reply("other", nil, "machine"), reply("much", .english),
        ]

        let report = try ReplyReport(
            [
                "right": .init(replies: ["Das mache ich morgen gleich.", "👍"]),
                "wrong": .init(replies: ["I will do that for you tomorrow."]),
                "none": .init(replies: [], reason: "no_suggestion"), "machine": .init(replies: [], reason: "machine"),
                "talks": .init(replies: ["Thank you!"]), "other": .init(replies: [], reason: "own_last_message"),
                "much": .init(replies: ["a", "b", "c", String(repeating: "x", count: 11)]),
            ], of: cases, limits: .init(count: 3, length: 32), dataset: "small")

        #expect(
            report.cases.map(\.faults) == [
                [], ["language"], ["empty"], [], ["not empty"], ["reason"], ["too many"],
            ])
        #expect(report.presence == 4.0 / 7)
        #expect(report.replyCount == 7 && report.toldCount == 2 && report.languageAccuracy == 0.5)
        #expect(report.lengthShare == 1)
        let strict = try ReplyReport(
            ["right": .init(replies: ["Das mache ich."])], of: [cases[0]], limits: .init(count: 3, length: 5),
            dataset: "small")
        #expect(strict.lengthShare == 0 && strict.cases.first?.faults == ["too long"])
        #expect(throws: EvaluationError.nothingToMeasure("cases")) {
            try ReplyReport([:], of: [], limits: .init(count: 3, length: 5), dataset: "small")
        }
    }

    @Test func aConversationIsCutAtAMessage() {
        let dataset = smallDataset(messages: 4, questions: [])

        let cut = dataset.cut([
            ConversationCut(id: "x", conversationID: "c", lastID: "m2"),
            ConversationCut(id: "y", conversationID: "c", lastID: "m4"),
            ConversationCut(id: "z", conversationID: "c", lastID: "m9"),
        ])

        #expect(cut.conversations.map(\.id) == ["x", "y"])
        #expect(
            cut.messages.map(\.key)
                == [("x", 1), ("x", 2), ("y", 1), ("y", 2), ("y", 3), ("y", 4)].map {
                    MessageKey($0, "m\($1)")
                })
        #expect(cut.conversations.allSatisfy { $0.participants.map(\.id) == ["ada"] })
    }
}
