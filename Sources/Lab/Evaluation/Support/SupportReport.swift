import AnswerSupport
import Foundation
import TextAnalysis

/// How well methods find the sentences that are not supported, beside labels.
package struct SupportReport: Hashable, Sendable, Codable {
    /// Right and wrong decisions about "not supported".
    package struct Counts: Hashable, Sendable, Codable {
        /// Labelled and found.
        package var found = 0
        /// Supported, but found.
        package var wrong = 0
        /// Labelled, but not found.
        package var missed = 0
        /// All cases.
        package var total = 0

        /// 0 when nothing was found.
        package var precision: Double { found + wrong == 0 ? 0 : Double(found) / Double(found + wrong) }
        /// 0 when nothing is labelled.
        package var recall: Double { found + missed == 0 ? 0 : Double(found) / Double(found + missed) }
        /// The harmonic mean of both.
        package var f1: Double {
            precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall)
        }

        mutating func add(isLabelled: Bool, isFound: Bool) {
            total += 1
            if isLabelled, isFound { found += 1 }
            if !isLabelled, isFound { wrong += 1 }
            if isLabelled, !isFound { missed += 1 }
        }
    }

    /// The decisions of one method.
    package struct Method: Hashable, Sendable, Codable {
        package var name: String
        /// The score below which a sentence is not supported, chosen on the development half.
        package var threshold: Double
        package var all = Counts()
        /// Without cases that are supported in part.
        package var withoutPartly = Counts()
        package var byLanguage: [String: Counts] = [:]
        /// By how sentences were changed, and by label for the others.
        package var byKind: [String: Counts] = [:]
    }

    package var half: SupportCase.Half
    package var methods: [Method]

    /// Compares scores with labels.
    ///
    /// - Parameters:
    ///   - cases: The cases of one half.
    ///   - half: The half.
    ///   - scores: The scores of each method, in the order of the cases; a higher one speaks for support.
    ///   - thresholds: The score from which a case counts as supported, by method.
    init(
        _ cases: [SupportCase], half: SupportCase.Half, scores: [(name: String, scores: [Double])],
        thresholds: [String: Double]
    ) {
        self.half = half
        methods = scores.map { name, scores in
            var method = Method(name: name, threshold: thresholds[name] ?? 0)
            for (labelled, score) in zip(cases, scores) {
                let (isLabelled, isFound) = (labelled.label != .supported, score < method.threshold)
                method.all.add(isLabelled: isLabelled, isFound: isFound)
                if labelled.label != .partly { method.withoutPartly.add(isLabelled: isLabelled, isFound: isFound) }
                method.byLanguage[labelled.language.rawValue, default: Counts()]
                    .add(isLabelled: isLabelled, isFound: isFound)
                method.byKind[labelled.kind ?? labelled.label.rawValue, default: Counts()]
                    .add(isLabelled: isLabelled, isFound: isFound)
            }
            return method
        }
    }

    /// The report as lines for a terminal.
    package var lines: [String] {
        var lines = ["half \(half.rawValue): precision, recall and F1 of \"not supported\""]
        for method in methods {
            lines.append("\(method.name): \(Self.text(method.all)), without partly \(Self.text(method.withoutPartly))")
            lines += method.byLanguage.sorted { $0.key < $1.key }.map { "  \($0): \(Self.text($1))" }
            let kinds = method.byKind.sorted { $0.key < $1.key }.map { kind, counts in
                let right = kind == Support.supported.rawValue ? counts.total - counts.wrong : counts.found
                return "\(kind) \(right)/\(counts.total)"
            }
            lines.append("  right by kind: \(kinds.joined(separator: ", "))")
        }
        return lines
    }

    private static func text(_ counts: Counts) -> String {
        String(format: "%.3f %.3f %.3f (%d)", counts.precision, counts.recall, counts.f1, counts.total)
    }
}
