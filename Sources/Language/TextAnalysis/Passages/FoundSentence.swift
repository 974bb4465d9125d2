import ChatCore
import Foundation

/// Finds the sentence of a long text that has the words of a question; pure.
package enum FoundSentence {
    /// The share of the best score that a sentence needs, so that it is taken because it is in the found passage.
    private static let passageShare = 0.5

    /// Returns the sentence of `text` that fits a question best by its words.
    ///
    /// A word weighs more if fewer sentences of the text have it. A passage that was found by its meaning decides,
    /// unless a sentence elsewhere has more than twice its words.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - terms: The question's terms; see ``TextAnalyzer/terms(of:languages:keeping:)``.
    ///   - languages: The languages that these terms are stemmed in.
    ///   - passage: The UTF-8 bytes of the passage that was found by its meaning; nil if none was.
    /// - Returns: UTF-8 bytes of the sentence; the beginning of the passage if no word is in it; nil if nothing was found.
    package static func range(
        in text: String, terms: Set<String>, languages: [TextLanguage], passage: Range<Int>?
    ) -> Range<Int>? {
        let segments = TextSegments(text)
        let scores = scores(of: segments, terms: terms, languages: languages)
        func best(_ places: some Sequence<Int>) -> Int? {
            places.max { (scores[$0], $1) < (scores[$1], $0) }.flatMap { scores[$0] > 0 ? $0 : nil }
        }
        let found = best(segments.ranges.indices)
        guard let passage else { return found.map { segments.ranges[$0] } }
        let inside = segments.ranges.indices.filter { passage.contains(segments.ranges[$0].lowerBound) }
        let beginning = inside.first.map { segments.ranges[$0] } ?? passage
        guard let found else { return beginning }
        let near = best(inside)
        if let near, scores[near] >= passageShare * scores[found] { return segments.ranges[near] }
        return near == nil && !isTelling(scores[found], in: segments) ? beginning : segments.ranges[found]
    }

    /// Whether a sentence has at least two words that are rare in the text.
    private static func isTelling(_ score: Double, in segments: TextSegments) -> Bool {
        score > 1.5 * log(1 + Double(segments.ranges.count))
    }

    /// Adds up the weights of the terms that each sentence has.
    private static func scores(
        of segments: TextSegments, terms: Set<String>, languages: [TextLanguage]
    ) -> [Double] {
        var holding: [String: Set<Int>] = [:]
        var seen: Set<Int> = []
        for language in languages {
            for token in TextAnalyzer.tokens(of: segments.text, language: language) where terms.contains(token.term) {
                // Stems in several languages are one word.
                guard token.kind != .word || seen.insert(token.range.lowerBound).inserted else { continue }
                holding[token.term, default: []].insert(segments.place(of: token.range.lowerBound))
            }
        }
        var scores = [Double](repeating: 0, count: segments.ranges.count)
        // In one order, so that sums of the same numbers are equal.
        for (_, places) in holding.sorted(by: { $0.key < $1.key }) {
            let weight = log(1 + Double(segments.ranges.count) / Double(places.count))
            for place in places { scores[place] += weight }
        }
        return scores
    }
}
