import ChatCore
import Foundation
import LexicalIndex
import TextAnalysis

/// Compares the tokens of the question with those of candidates.
struct TokenReranker: Sendable {
    /// A word that is in all messages weighs 1; one that is in a single message of a million weighs 4.
    private static let rarityScale = log(100.0)

    let tokens: TokenCache
    let words: ScopedWords
    /// A scan that already knows how often words of the question occur; nil for none.
    let known: LexicalScan?
    /// The terms of the question.
    let terms: Set<String>
    /// The most characters of a text that are compared.
    let textLength: Int

    /// Returns candidates with their feature ``Candidate/tokens``.
    ///
    /// - Throws: ``ModelServiceError``, `CancellationError`.
    func compared(
        _ candidates: [Candidate], with question: String, visible: [MessageNumber: VisibleMessage]
    ) async throws -> [Candidate] {
        let texts = candidates.map { candidate in
            visible[candidate.number].map { found in
                TokenText(
                    prefix: found.message.senderName, text: focus(of: candidate.foundText(in: found)))
            } ?? TokenText(text: "")
        }
        let vectors = try await tokens.vectors(of: [TokenText(text: question)] + texts)
        let scores = LateInteraction.maxSims(
            question: vectors[0], weights: weights(of: vectors[0], in: question),
            messages: Array(vectors.dropFirst()))
        return zip(candidates, scores).map { candidate, score in
            var candidate = candidate
            candidate.tokens = Double(score)
            return candidate
        }
    }

    /// Returns the sentences of a long text around the one with the words of the question.
    ///
    /// Among many tokens there is a match for anything, and each of them costs time.
    private func focus(of text: String) -> String {
        guard text.utf8.count > textLength else { return text }
        let place = FoundSentence.range(in: text, terms: terms, languages: words.languages + [.other], passage: nil)
        return String(text.part(utf8: TextExcerpt.range(around: place ?? 0..<0, of: text, limit: textLength)))
    }

    /// Pieces of rare words weigh more; punctuation weighs nothing.
    private func weights(of question: TokenVectors, in text: String) -> [Float] {
        let language = words.languages.first ?? .english
        let pieces = zip(LateInteraction.wordWeights(of: question), question.tokens).map { weight, token in
            let isWord = weight > 0
            let terms = isWord ? TextAnalyzer.terms(of: String(text.part(utf8: token.range)), language: language) : []
            return (weight: weight, terms: terms.map { TermKey($0) })
        }
        let counts = rowCounts(holding: Set(pieces.flatMap(\.terms)))
        return pieces.map { piece in
            guard piece.weight > 0 else { return 0 }
            let holding = piece.terms.compactMap { counts[$0] }.max() ?? 0
            let odds = LexicalWeights.odds(rowCount: words.messageCount, holding: holding)
            return piece.weight * Float(1 + log1p(odds) / Self.rarityScale)
        }
    }

    private func rowCounts(holding terms: Set<TermKey>) -> [TermKey: Int] {
        let unknown = terms.filter { known?.rowCount(holding: $0) == nil }.sorted()
        var counts = Dictionary(
            zip(unknown, words.rows.rowCounts(holding: unknown, in: words.groups)),
            uniquingKeysWith: { first, _ in first })
        for term in terms { if let count = known?.rowCount(holding: term) { counts[term] = count } }
        return counts
    }
}
