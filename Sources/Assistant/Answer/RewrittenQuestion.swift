import ChatCore
import Prompting
import TextAnalysis

/// What of a language model's reply is taken for the question that it was to rewrite.
///
/// A reply that is no such question is worse than the question itself: it is searched for. So what does not look like
/// one is refused, also where it might have been of use.
enum RewrittenQuestion {
    /// The longest question that a rewriting may give, in characters.
    static let longest = 500
    /// How much longer than the original a rewriting may be.
    static let growth = 4
    /// What a rewriting may always be long: "Why?" grows more than fourfold.
    static let allowance = 160

    /// Returns the question in `reply`, without quotation marks and source numbers around it; nil when there is none.
    ///
    /// - Parameters:
    ///   - reply: What the model said.
    ///   - question: What it was to rewrite.
    ///   - talk: What it was shown of the talk before.
    /// - Returns: One line, which asks, and which shares a word with the question or the talk.
    static func text(of reply: String, for question: String, after talk: [PromptExchange]) -> String? {
        let text = unquoted(reply.trimmingWhitespace()).replacing(/\s?\[\d+\]/, with: "").trimmingWhitespace()
        guard !text.isEmpty, !text.contains(where: \.isNewline) else { return nil }
        guard text.count <= min(longest, max(question.count * growth, allowance)) else { return nil }
        guard asks(text, as: question), hasBreak(question) || !hasBreak(text) else { return nil }
        let known = terms([question] + talk.flatMap { [$0.question, $0.answer] })
        return terms([text]).isDisjoint(with: known) ? nil : text
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 2, let first = text.first, let last = text.last,
            ["\"\"", "''", "``", "“”", "„“", "«»", "「」"].contains(String([first, last]))
        else { return text }
        return String(text.dropFirst().dropLast())
    }

    /// Whether the text asks: with a question mark, or, where the question has none, with one of its words first.
    private static func asks(_ text: String, as question: String) -> Bool {
        if ends(text, with: "?？؟") { return true }
        guard !ends(question, with: "?？؟"), ends(question, with: ".!。") || !ends(text, with: ".!。") else {
            return false
        }
        let asked = Set(TextAnalyzer.tokens(of: question, language: .other).map(\.word))
        return TextAnalyzer.tokens(of: text, language: .other).first.map { asked.contains($0.word) } ?? false
    }

    private static func ends(_ text: String, with marks: String) -> Bool {
        text.last.map(marks.contains) ?? false
    }

    /// Whether one sentence ends in the text and another begins: "It was moved. Anything else?"
    ///
    /// Short words before the stop are abbreviations, numbers before it dates.
    private static func hasBreak(_ text: String) -> Bool {
        let words = text.split(separator: " ")
        return zip(words, words.dropFirst()).contains { word, next in
            ends(String(word), with: ".!") && word.count(where: \.isLetter) >= 4 && next.first?.isUppercase ?? false
        }
    }

    private static func terms(_ texts: [String]) -> Set<String> {
        Set(texts.flatMap { TextAnalyzer.terms(of: $0, languages: TextLanguage.allCases).map(\.term) })
    }
}
