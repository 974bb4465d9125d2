import ChatCore
import Foundation
import Retrieval
import TextAnalysis

/// Chooses the sentences of found messages that answer a question: what people read without a language model.
///
/// A sentence counts by the words of the question that it has, rare ones more, by a time or a number if the question
/// asks for one, and by the place that the search found by its meaning. The constants were chosen on the sample
/// datasets (`eval/datasets`): leaving out messages with less than half of the best score raises F1 and the precision of
/// citations, and costs a twentieth of their recall.
struct QuotedSentences {
    /// A sentence with the message that has it.
    struct Quotation {
        let hit: Hit
        let text: String
    }

    private let wanted: WantedAnswer
    /// The words of the question, each with its stems in several languages, and how rare it is.
    private let words: [(terms: Set<String>, weight: Double)]
    private let languages: [TextLanguage]

    /// The share of the best score from which further messages are quoted.
    private static let leastShare = 0.5
    private static let slotScore = 0.3
    private static let foundScore = 0.05
    private static let questionScore = -1.0
    /// A shorter sentence is quoted with the next one.
    private static let leastWordCount = 3
    /// The longest next sentence that is quoted with the best one.
    private static let nextByteLimit = 200

    /// - Parameters:
    ///   - question: What is asked.
    ///   - hits: All messages that were found, by which the rarity of words is judged.
    init(question: String, hits: [Hit]) {
        wanted = WantedAnswer(question)
        let guessed = Set(hits.compactMap { LanguageGuess.language(of: $0.message.searchableText) })
            .union(LanguageGuess.language(of: question).map { [$0] } ?? [])
        let languages = guessed.isEmpty ? [TextLanguage.other] : guessed.sorted { $0.rawValue < $1.rawValue }
        self.languages = languages
        var groups: [(range: Range<Int>, terms: Set<String>)] = []
        for term in TextAnalyzer.terms(of: question, languages: languages) {
            if let last = groups.indices.last, groups[last].range == term.range {
                groups[last].terms.insert(term.term)
            } else {
                groups.append((term.range, [term.term]))
            }
        }
        let texts = hits.map { Self.terms(of: $0.message.searchableText, languages) }
        words = groups.map { group in
            let holding = texts.count { !$0.isDisjoint(with: group.terms) }
            return (group.terms, log(1 + Double(texts.count + 1) / Double(holding + 1)))
        }
    }

    /// Returns the best sentence of each message that answers, in order of time.
    ///
    /// - Parameters:
    ///   - hits: The messages to quote, best first.
    ///   - keys: Messages among them that are quoted whatever their score.
    /// - Returns: One or more quotations, unless `hits` is empty.
    func quotations(of hits: [Hit], keeping keys: Set<MessageKey> = []) -> [Quotation] {
        var found = hits.map { best(in: $0) }
        let top = found.map(\.score).max() ?? 0
        // Reasons and conditions follow what the best sentence says.
        if let place = found.firstIndex(where: { $0.score == top }) {
            found[place] = best(in: hits[place], withNext: true)
        }
        let kept = hits.indices.filter {
            found[$0].score >= Self.leastShare * top || top <= 0 || keys.contains(hits[$0].message.key)
        }
        let inTime = kept.sorted {
            (hits[$0].message.timestamp, hits[$0].rank) < (hits[$1].message.timestamp, hits[$1].rank)
        }
        return inTime.map { Quotation(hit: hits[$0], text: found[$0].text) }
    }

    private func best(in hit: Hit, withNext: Bool = false) -> (text: String, score: Double) {
        let text = hit.message.searchableText
        let ranges = SentenceRanges.of(text).filter { !Self.isBlank(text.part(utf8: $0)) }
        guard !ranges.isEmpty else { return (text, 0) }
        let scores = ranges.map { range in
            let isFound = hit.place.map { range.overlaps($0) || $0.isEmpty && range.contains($0.lowerBound) } ?? false
            return score(String(text.part(utf8: range))) + (isFound ? Self.foundScore : 0)
        }
        let place = scores.indices.reduce(0) { scores[$1] > scores[$0] ? $1 : $0 }
        var range = ranges[place]
        let count = TextAnalyzer.tokens(of: String(text.part(utf8: range)), language: .other).count
        let isShort = count < Self.leastWordCount
        if place + 1 < ranges.count, isShort || withNext && ranges[place + 1].count <= Self.nextByteLimit {
            range = range.lowerBound..<ranges[place + 1].upperBound
        }
        return (String(text.part(utf8: range)).trimmingWhitespace(), scores[place])
    }

    private func score(_ sentence: String) -> Double {
        let own = Self.terms(of: sentence, languages)
        let total = words.reduce(0) { $0 + $1.weight }
        let held = words.reduce(0) { $1.terms.isDisjoint(with: own) ? $0 : $0 + $1.weight }
        var score = total > 0 ? held / total : 0
        let marks = MessageMarks(sentence, language: LanguageGuess.language(of: sentence) ?? languages[0])
        if wanted.contains(.time), marks.contains(.holdsTime) || Self.hasDigit(sentence) { score += Self.slotScore }
        if wanted.contains(.number), marks.contains(.holdsNumber) { score += Self.slotScore }
        return marks.contains(.isQuestion) ? score + Self.questionScore : score
    }

    private static func terms(of text: String, _ languages: [TextLanguage]) -> Set<String> {
        languages.reduce(into: []) { $0.formUnion(TextAnalyzer.terms(of: text, language: $1)) }
    }

    private static func hasDigit(_ text: String) -> Bool { text.utf8.contains { (0x30...0x39).contains($0) } }

    private static func isBlank(_ text: Substring) -> Bool { text.allSatisfy(\.isWhitespace) }
}
