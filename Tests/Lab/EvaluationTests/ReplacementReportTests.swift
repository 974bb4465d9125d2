import AnswerSupport
import Evaluation
import Foundation
import TestSupport
import Testing
import TextAnalysis

@Suite("ReplacementReport")
struct ReplacementReportTests {
    private func labelled(
        _ id: String, _ texts: [String], _ kind: Replacement.Kind?, half: SupportCase.Half = .dev
    ) throws -> ReplacementCase {
        let messages = texts.enumerated().map { place, text in
            ["sender": "Ada", "sentAt": "2026-10-0\(place + 5)T09:00", "text": text]
        }
        let labels: [[String: Any]] = kind.map { [["older": 0, "newer": 1, "kind": $0.rawValue]] } ?? []
        let line: [String: Any] = [
            "id": id, "half": half.rawValue, "language": "en", "timeZone": "UTC", "messages": messages,
            "replacements": labels,
        ]
        return try JSONDecoder().decode(ReplacementCase.self, from: JSONSerialization.data(withJSONObject: line))
    }

    private let moved = ["The regatta is on 12 October.", "The regatta is moved to 20 October."]

    @Test("Counts found, wrong and missed pairs")
    func counts() throws {
        let cases = [
            try labelled("a", moved, .date),
            try labelled("b", moved, nil),
            try labelled("c", ["Lunch?", "Yes."], .decision),
            try labelled("d", moved, nil, half: .test),
        ]

        let report = try ReplacementReport(cases, half: .dev)

        #expect(report.caseCount == 3)
        #expect(report.all.found == 1 && report.all.wrong == 1 && report.all.missed == 1)
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
