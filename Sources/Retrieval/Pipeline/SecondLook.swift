import ChatCore
import Foundation
import LexicalIndex
import TextAnalysis

/// Orders the best candidates once more, by how the tokens of the question are matched by theirs.
struct SecondLook: Sendable {
    /// A word that all messages hold weighs 1, one that a single message of a million holds 4.
    private static let rarityScale = log(100.0)

    let tokens: TokenCache
    let words: ScopedWords
    /// How often words of the question occur there, where that is known already.
    let known: LexicalScan?
    let settings: LateSettings
    let fusion: Fusion

    /// Returns `ranked` with its best in their new order.
    ///
    /// What got no second look keeps its order and its place behind; its scores are lowered accordingly, which its
    /// explanation tells.
    ///
    /// - Parameters:
    ///   - ranked: Candidates in the order of the fusion.
    ///   - visible: The messages of the best.
    ///   - bestWords: The highest score of the words in scope.
    /// - Returns: The same candidates.
    /// - Throws: ``ModelServiceError``, `CancellationError`.
    func ranked(
        _ ranked: [Fusion.Ranked], visible: [MessageNumber: VisibleMessage], bestWords: Double
    ) async throws -> [Fusion.Ranked] {
        let best = ranked.prefix(settings.candidateCount)
        guard best.count > 1 else { return ranked }
        let texts = best.map { entry in
            visible[entry.candidate.number].map { found in
                TokenText(prefix: found.message.senderName, text: entry.candidate.foundText(in: found))
            } ?? TokenText(text: "")
        }
        let question = TokenText(text: fusion.plan.embedded)
        let vectors = try await tokens.vectors(of: [question] + texts)
        let scores = LateInteraction.maxSims(
            question: vectors[0], weights: weights(of: vectors[0], in: question.text),
            messages: Array(vectors.dropFirst()))
        let candidates = zip(best, scores).map { entry, score in
            var candidate = entry.candidate
            candidate.tokens = Double(score)
            return candidate
        }
        let first = fusion.ranked(candidates, bestWords: bestWords)
        return first + below(first.last?.score ?? 0, Array(ranked.dropFirst(best.count)))
    }

    private func below(_ score: Double, _ rest: [Fusion.Ranked]) -> [Fusion.Ranked] {
        guard let top = rest.first, top.score >= score else { return rest }
        let step = score - top.score - 1e-6
        return rest.map { entry in
            Fusion.Ranked(
                candidate: entry.candidate, score: entry.score + step,
                signals: entry.signals + [HitExplanation.Signal(name: "unseen", value: 1, contribution: step)])
        }
    }

    /// Pieces of rare words weigh more; signs weigh nothing.
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
