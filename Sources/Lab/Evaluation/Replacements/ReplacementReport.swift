import AnswerSupport
import Foundation
import TextAnalysis

/// How well replaced messages are found, beside labels.
package struct ReplacementReport: Hashable, Sendable, Codable {
    /// Right and wrong replacements.
    package struct Counts: Hashable, Sendable, Codable {
        /// Labelled and found.
        package var found = 0
        /// Not labelled, but found.
        package var wrong = 0
        /// Labelled, but not found.
        package var missed = 0

        /// 0 when nothing was found.
        package var precision: Double { found + wrong == 0 ? 0 : Double(found) / Double(found + wrong) }
        /// 0 when nothing is labelled.
        package var recall: Double { found + missed == 0 ? 0 : Double(found) / Double(found + missed) }
    }

    package var half: SupportCase.Half
    package var caseCount = 0
    /// Pairs of messages, whatever the kind.
    package var all = Counts()
    /// Those with the right kind among the pairs that were found.
    package var rightKindCount = 0
    package var byLanguage: [String: Counts] = [:]
    /// Missed and found by the labelled kind, wrong by the kind that was found.
    package var byKind: [String: Counts] = [:]
    /// The ids of the cases with a wrong or missed pair.
    package var failed: [String] = []

    /// Measures one half.
    ///
    /// - Throws: ``EvaluationError/nothingToMeasure(_:)``.
    package init(_ all: [ReplacementCase], half: SupportCase.Half) throws {
        self.half = half
        for labelled in all where labelled.half == half { take(labelled) }
        guard caseCount > 0 else { throw EvaluationError.nothingToMeasure("cases of this half") }
    }

    private mutating func take(_ labelled: ReplacementCase) {
        caseCount += 1
        let found = ReplacementFinder(language: labelled.language).replacements(in: labelled.dated)
        var isRight = true
        for label in labelled.replacements {
            let match = found.first { $0.older.message == label.older && $0.newer.message == label.newer }
            if match?.kind == label.kind { rightKindCount += 1 }
            if match == nil { isRight = false }
            count(labelled, label.kind) { counts in
                if match == nil { counts.missed += 1 } else { counts.found += 1 }
            }
        }
        var counted: Set<[Int]> = Set(labelled.replacements.map { [$0.older, $0.newer] })
        for other in found where counted.insert([other.older.message, other.newer.message]).inserted {
            isRight = false
            count(labelled, other.kind) { $0.wrong += 1 }
        }
        if !isRight { failed.append(labelled.id) }
    }

    private mutating func count(
        _ labelled: ReplacementCase, _ kind: Replacement.Kind, _ add: (inout Counts) -> Void
    ) {
        add(&all)
        add(&byLanguage[labelled.language.rawValue, default: Counts()])
        add(&byKind[kind.rawValue, default: Counts()])
    }

    /// The report as lines for a terminal.
    package var lines: [String] {
        var lines = ["half \(half.rawValue), \(caseCount) cases: precision and recall of replaced messages"]
        lines.append("all \(Self.text(all)); of those found \(rightKindCount) have the right kind")
        for (name, counts) in byLanguage.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(name) \(Self.text(counts))")
        }
        for (name, counts) in byKind.sorted(by: { $0.key < $1.key }) { lines.append("  \(name) \(Self.text(counts))") }
        lines.append("wrong or missed: \(failed.isEmpty ? "none" : failed.joined(separator: ", "))")
        return lines
    }

    private static func text(_ counts: Counts) -> String {
        String(
            format: "%.3f %.3f (%d found, %d wrong, %d missed)", counts.precision, counts.recall, counts.found,
            counts.wrong, counts.missed)
    }
}
