import ChatCore
import Prompting
import TextAnalysis

/// Reads the rewritten question from a language model's reply.
///
/// A wrong reply is worse than the original question because it is searched for. So anything that does not look like a
/// question is refused, even if it might have helped.
enum RewrittenQuestion {
    /// The longest rewritten question, in characters.
    static let longest = 500
    /// How many times longer than the original a rewritten question may be.
    static let growth = 4
    /// The length that is always allowed: "Why?" grows more than fourfold.
    static let allowance = 160

    /// Returns the question in `reply`, without quotation marks and source numbers around it; nil when there is none.
    ///
    /// - Parameters:
    ///   - reply: The reply of the model.
    ///   - question: The original question.
    ///   - talk: The exchanges that the model was shown.
    /// - Returns: A question on one line that shares a word with the original question or the talk.
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

    /// Whether the text asks: it has a question mark, or it begins with a word of a question that has none.
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

    /// Whether the text contains a sentence end followed by another sentence: "It was moved. Anything else?"
    ///
    /// A stop after a short word or a number is ignored, because it may be an abbreviation or a date.
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
