import AnswerSupport
import Evaluation
import Foundation
import TestSupport
import Testing
import TextAnalysis

@Suite("ReplacementReport")
struct ReplacementReportTests {
    private func labelled(
        _ id: String, _ texts: [String], _ labels: [ReplacementCase.Label], half: SupportCase.Half = .dev
    ) -> ReplacementCase {
        let messages = texts.enumerated().map { place, text in
            ReplacementCase.Message(sender: "Ada", sentAt: "2026-10-0\(place + 5)T09:00", text: text)
        }
        return ReplacementCase(
            id: id, half: half, language: .english, timeZone: "UTC", messages: messages, replacements: labels)
    }

    private let moved = ["The regatta is on 12 October.", "The regatta is moved to 20 October."]

    @Test("Counts found, wrong and missed pairs")
    func counts() throws {
        let cases = [
            labelled("a", moved, [.init(older: 0, newer: 1, kind: .date)]),
            labelled("b", moved, []),
            labelled("c", ["Lunch?", "Yes."], [.init(older: 0, newer: 1, kind: .decision)]),
            labelled("d", moved, [], half: .test),
        ]

        let report = try ReplacementReport(cases, half: .dev)

        #expect(report.caseCount == 3)
        #expect([report.all.found, report.all.wrong, report.all.missed] == [1, 1, 1])
        #expect(report.all.precision == 0.5 && report.all.recall == 0.5)
        #expect(report.byKind["decision"]?.missed == 1)
        #expect(report.rightKindCount == 1)
        #expect(report.failed == ["b", "c"])
    }

    @Test("Needs cases of the half")
    func needsCases() {
        #expect(throws: EvaluationError.self) { try ReplacementReport([], half: .dev) }
    }

    @Test("Reads the file of labelled messages")
    func readsFile() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "eval/facts/pairs.jsonl")

        let cases = try ReplacementCase.read(file)

        #expect(cases.count >= 150)
        #expect(Set(cases.map(\.language)).count == 5)
    }
}
