import ChatCore
import Foundation
import TextAnalysis

/// Combines the features of candidates into one order; pure.
struct Fusion: Sendable {
    let weights: FusionWeights
    /// What the question looks for.
    let plan: QuestionPlan
    let recency: RecencySettings
    /// The moment of the question.
    let moment: Timestamp
    /// The scale of the cosines; nil reads them as they are.
    var space: CosineScale?

    /// A candidate with its score.
    struct Ranked: Sendable {
        let candidate: Candidate
        let score: Double
    }

    /// The values that scale the features of all candidates.
    private struct Scale {
        /// The highest score by words in scope; scores of candidates are divided by it.
        let words: Double
        /// The lowest token score of the compared candidates; the others get this score.
        let tokens: Double?

        init(_ candidates: some Sequence<Candidate>, bestWords: Double) {
            words = bestWords > 0 ? bestWords : 1
            tokens = candidates.lazy.compactMap(\.tokens).min()
        }
    }

    /// Orders candidates, best first; for equal scores the newer message comes first.
    ///
    /// Scores by words are divided by `bestWords`, the best of all messages in scope, so they are in 0...1.
    func ranked(_ candidates: [Candidate], bestWords: Double) -> [Ranked] {
        let scale = Scale(candidates, bestWords: bestWords)
        let scores = candidates.map { candidate in
            var score = 0.0
            forEachSignal(of: candidate, scale) { _, value, weight in score += weight * value }
            return score
        }
        // Sorts places instead of candidates, because candidates are large.
        let order = candidates.indices.sorted { one, other in
            if scores[one] != scores[other] { return scores[one] > scores[other] }
            let (left, right) = (candidates[one], candidates[other])
            return (left.timestamp, left.number) > (right.timestamp, right.number)
        }
        return order.map { Ranked(candidate: candidates[$0], score: scores[$0]) }
    }

    /// Explains the scores of some candidates of a ranking.
    func explanations(of chosen: [Ranked], among all: [Ranked], bestWords: Double) -> [HitExplanation] {
        let scale = Scale(all.lazy.map(\.candidate), bestWords: bestWords)
        let cosineRanks = ranks(of: all) { $0.cosine }
        let wordRanks = ranks(of: all) { $0.words.flatMap { $0.total > 0 ? $0.total : nil } }
        return chosen.map { entry in
            var signals: [HitExplanation.Signal] = []
            forEachSignal(of: entry.candidate, scale) { name, value, weight in
                let ranks = name == "cosine" ? cosineRanks : name == "lexical" ? wordRanks : [:]
                let rank = ranks[entry.candidate.number]
                guard weight != 0 || rank != nil else { return }
                signals.append(
                    HitExplanation.Signal(name: name, value: value, contribution: weight * value, rank: rank))
            }
            return HitExplanation(signals: signals)
        }
    }

    /// Calls `body` with each signal of a candidate, always in the same order.
    private func forEachSignal(
        of candidate: Candidate, _ scale: Scale, _ body: (_ name: String, _ value: Double, _ weight: Double) -> Void
    ) {
        let dense = weights.dense[plan.language.rawValue] ?? 1
        if let cosine = candidate.cosine { body("cosine", space.read(cosine), dense * weights.cosine) }
        if let window = candidate.window { body("window", space.read(window), dense * weights.window) }
        if let answered = candidate.answered {
            body("answer", max(0, space.read(answered)), dense * weights.answer)
        }
        // The tokens of a model are as near to each other as its texts.
        if let tokens = candidate.tokens ?? scale.tokens { body("tokens", space.read(tokens), dense * weights.tokens) }
        if let words = candidate.words {
            body("lexical", words.total / scale.words, weights.lexical)
            body("lexicalDate", words.date / scale.words, weights.lexicalDate)
            body("coverage", words.coverage, weights.coverage)
        }
        if candidate.isBySpeaker { body("speaker", 1, weights.speaker) }
        if candidate.isNearSpeaker { body("company", 1, weights.company) }
        if candidate.marks.contains(.isQuestion) { body("question", 1, weights.question) }
        if candidate.marks.contains(.holdsTime), plan.wanted.contains(.time) { body("time", 1, weights.time) }
        if candidate.marks.contains(.holdsNumber), plan.wanted.contains(.number) { body("number", 1, weights.number) }
        if candidate.isInNamedPlace { body("place", 1, weights.place) }
        if candidate.phraseCount > 0 { body("phrase", Double(candidate.phraseCount), weights.phrase) }
        if candidate.literal > 0 { body("literal", candidate.literal, weights.literal) }
        if candidate.isInTime { body("date", 1, weights.date) }
        if candidate.namesDay { body("namedDay", 1, weights.namedDay) }
        if recency.halfLifeDays > 0 { body("recency", freshness(of: candidate), recency.weight) }
    }

    /// A message's freshness in 0...1; it halves with each half-life.
    private func freshness(of candidate: Candidate) -> Double {
        let age = Double(moment.microseconds - candidate.timestamp.microseconds)
        let days = max(0, age) / (86_400 * 1_000_000)
        return exp2(-days / recency.halfLifeDays)
    }

    /// Returns each candidate's rank by one signal alone; none for candidates without the signal.
    private func ranks(of ranked: [Ranked], by value: (Candidate) -> Double?) -> [MessageNumber: Int] {
        let valued = ranked.compactMap { entry in
            value(entry.candidate).map { (number: entry.candidate.number, value: $0) }
        }
        var ranks: [MessageNumber: Int] = [:]
        for (rank, entry) in valued.sorted(by: { $0.value > $1.value }).enumerated() { ranks[entry.number] = rank + 1 }
        return ranks
    }
}

extension CosineScale? {
    /// Returns a cosine as the reference's space would have it; a space that was not measured is read as it is.
    func read(_ cosine: Double) -> Double { self?.onReference(cosine) ?? cosine }
}
