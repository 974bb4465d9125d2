import ChatCore
import Evaluation
import Testing

/// Summaries against facts, and what they cite.
@Suite struct SummaryReportTests {
    private static func fact(_ id: String, _ message: String, _ says: [[String]]) -> FactLabel {
        FactLabel(id: id, conversationID: "c", messageIDs: [MessageID(rawValue: message)], fact: id, says: says)
    }

    /// A summary in which `[n]` cites the message `mn`.
    private static func summary(_ text: String, isIncomplete: Bool = false) -> EvaluatedSummary {
        let characters = Array(text)
        let citations = characters.indices.compactMap { start -> EvaluatedSummary.Citation? in
            guard characters[start] == "[", let end = characters[start...].firstIndex(of: "]") else { return nil }
            let id = "m" + String(characters[(start + 1)..<end])
            return .init(range: start..<end + 1, key: MessageKey("c", id))
        }
        return EvaluatedSummary(text: text, citations: citations, isIncomplete: isIncomplete)
    }

    private static func tells(_ text: String, _ says: [[String]]) throws -> Bool {
        let report = try SummaryReport(
            ["c": summary(text)], facts: [fact("f", "m1", says)], dataset: smallDataset(messages: 3, questions: []))
        return report.coverage.coveredCount == 1
    }

    @Test(
        arguments: [
            ("The cranes stand still.", [["crane"]], true), ("A crate came.", [["rate"]], false),
            ("Die KRÄNE stehen.", [["krane"]], true), ("４２ Stück", [["42"]], true),
            ("Up to 9,000 € for all", [["9000"]], true), ("Up to 9.000 € for all", [["9,000"]], true),
            ("3,90 € a month", [["3.90"]], true), ("13.90 € a month", [["3.90"]], false),
            ("3.905 € a month", [["3.90"]], false), ("at 10:30", [["10"], ["30"]], true),
            ("450 people", [["45"]], false), ("Point 12 [45]", [["45"]], false),
            ("新しい鍵は9本です", [["鍵"], ["9"]], true), ("a **bold** word", [["bold word"]], true),
            ("first\n\nsecond\nthird", [["first"], ["third"]], true),
            ("first\nsecond\nthird\nfourth", [["first"], ["fourth"]], false),
            ("one of two", [["one", "eins"], ["three"]], false),
        ] as [(String, [[String]], Bool)])
    func aFactIsToldWhenEachGroupIsMet(text: String, says: [[String]], isTold: Bool) throws {
        #expect(try Self.tells(text, says) == isTold, "\(text)")
    }

    @Test(
        arguments: [
            ("on 12 November", true), ("November 12, 2026", true), ("Nov. 12th", true), ("am 12. November", true),
            ("Thursday 12 to Saturday 14 November", true), ("12–14 November", true), ("November 10-12", true),
            ("2026-11-12", true), ("12.11.2026", true), ("am 12.11.", true), ("11月12日", true), ("12/11", true),
            ("on 2 November", false), ("on 12 December", false), ("112.11.", false), ("November with 12 people", false),
            ("11月2日", false),
        ])
    func aDayIsFoundHoweverItIsWritten(text: String, isTold: Bool) throws {
        #expect(try Self.tells("The offsite is \(text).", [["2026-11-12"]]) == isTold, "\(text)")
    }

    @Test func coverageIsCountedByThirds() throws {
        let facts = [
            Self.fact("a", "m1", [["rope"]]), Self.fact("b", "m3", [["chain"]]), Self.fact("c", "m4", [["winch"]]),
            Self.fact("d", "m9", [["anchor"]]),
        ]
        let summary = Self.summary("Rope is ordered [1].\nThe winch works [4]. The anchor does not.")

        let report = try SummaryReport(
            ["c": summary],
            facts: facts + [FactLabel(id: "e", conversationID: "d", messageIDs: ["x"], fact: "", says: [])],
            dataset: smallDataset(messages: 9, questions: []))

        #expect(report.coverage.factCount == 4 && report.coverage.share == 0.75)
        #expect(report.coverageByThird.map(\.share) == [0.5, 1, 1])
        #expect(report.coverageByThird.map(\.factCount) == [2, 1, 1])
        #expect(report.summaries.map(\.missed) == [["b"]])
        #expect(report.statementCount == 3)
        #expect(report.citedShare.map { abs($0 - 2.0 / 3) < 1e-12 } == true)
        #expect(
            report.values.map(\.name) == [
                "coverage", "coverage first third", "coverage second third", "coverage last third", "cited statements",
            ])
    }

    @Test func statementsAreSentencesWithTheirCitations() {
        let text = """
            # Summary
            **What was settled**
            Decisions:
            - The pump comes on 12. October, z. B. by car [1][2]. [3] It costs 3.90 €! [4]
            * Ada orders it
            ポンプを頼む。[5] 箱も頼む。
            42

            """

        let statements = SummaryStatement.list(in: Self.summary(text))

        #expect(
            statements.map(\.text) == [
                "- The pump comes on 12. October, z. B. by car [1][2]. [3]", "It costs 3.90 €! [4]", "* Ada orders it",
                "ポンプを頼む。[5]", "箱も頼む。",
            ])
        #expect(statements.map { $0.cited.map(\.messageID.rawValue) } == [["m1", "m2", "m3"], ["m4"], [], ["m5"], []])
    }

    @Test func aCitationOfNoMessageDoesNotCount() throws {
        let report = try SummaryReport(
            ["c": Self.summary("It is so [9]. It is not so [1].", isIncomplete: true)],
            facts: [Self.fact("a", "m1", [["so"]])], dataset: smallDataset(messages: 2, questions: []))

        #expect(report.summaries.first?.statementCount == 2 && report.summaries.first?.citedCount == 1)
        #expect(report.summaries.first?.isIncomplete == true)
        #expect(throws: EvaluationError.nothingToMeasure("facts")) {
            try SummaryReport([:], facts: [], dataset: smallDataset(messages: 2, questions: []))
        }
    }

    @Test func verdictsOnStatementsAreReadByTheirNumbers() {
        var judged = JudgedStatements()
        judged.add(
            """
            {"statements": [{"number": 3, "supported": "No"}, {"number": 1, "supported": "yes"}, \
            {"number": 1, "supported": "no"}, {"number": 2, "supported": "perhaps"}, {"number": 9, "supported": "no"}]}
            """, of: ["a", "b", "c", "d"])
        judged.add(#"```{"statements": [{"number": 1, "supported": "partly"}]}```"#, of: ["e"])
        judged.add("I cannot say.", of: ["f", "g"])

        #expect(judged.supportedCount == 1 && judged.partlyCount == 1 && judged.unsupported == ["c"])
        #expect(judged.judgedCount == 3 && judged.unjudgedCount == 4 && judged.uselessReplyCount == 1)
    }

    @Test func judgedStatementsAreAmongTheFigures() throws {
        var report = try SummaryReport(
            ["c": Self.summary("So it is [1].")], facts: [Self.fact("a", "m1", [["so"]])],
            dataset: smallDataset(messages: 1, questions: []))
        var judged = JudgedStatements()
        judged.add(
            #"{"statements": [{"number": 1, "supported": "no"}, {"number": 2, "supported": "yes"}]}"#, of: ["a", "b"])
        report.judged = judged

        let values = Dictionary(report.values, uniquingKeysWith: { first, _ in first })
        #expect(values["unsupported statements"] == 0.5 && values["supported statements"] == 0.5)
        #expect(values["partly supported statements"] == 0)
    }
}
