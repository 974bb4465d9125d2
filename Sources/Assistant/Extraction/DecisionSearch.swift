public import ChatCore
import TextAnalysis

/// Finds decisions by their words.
public enum DecisionSearch {
    /// The share of a question's words that a decision has to hold.
    private static let leastShare = 0.5

    /// Returns the decisions that a question is about, valid ones before superseded ones, the newest first.
    ///
    /// A decision answers when it holds half of the question's words at least, reduced to their stems: in its own words,
    /// those of its quote or the name of who decided. Words of the question that no decision holds do not count.
    ///
    /// - Parameters:
    ///   - question: What is asked; nil or without words for all.
    ///   - decisions: Those that the asker may see.
    /// - Returns: Those that answer, in order.
    public static func find(_ question: String?, in decisions: [ExtractedItem]) -> [ExtractedItem] {
        let sorted = decisions.sorted { first, second in
            if (first.supersededByID == nil) != (second.supersededByID == nil) { return first.supersededByID == nil }
            return (second.sentAt, second.id) < (first.sentAt, first.id)
        }
        guard let question, !question.trimmingWhitespace().isEmpty else { return sorted }
        let wanted = terms(question)
        guard !wanted.isEmpty else { return sorted }
        let held = sorted.map { decision in
            terms([decision.text, decision.quote, decision.personName ?? ""].joined(separator: " "))
                .intersection(wanted)
        }
        let known = held.reduce(into: Set<String>()) { $0.formUnion($1) }
        guard !known.isEmpty else { return [] }
        return zip(sorted, held).filter { Double($1.count) >= leastShare * Double(known.count) && !$1.isEmpty }.map(\.0)
    }

    private static func terms(_ text: String) -> Set<String> {
        Set(TextAnalyzer.terms(of: text, languages: TextLanguage.allCases).map(\.term))
    }
}
