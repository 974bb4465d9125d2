import ChatCore
import Foundation

/// Joins the signals of candidates into one order; pure.
struct Fusion: Sendable {
    let weights: FusionWeights
    /// What is looked for.
    let plan: QuestionPlan
    let recency: RecencySettings
    /// The moment of the question.
    let moment: Timestamp

    /// A candidate with its score.
    struct Ranked: Sendable {
        let candidate: Candidate
        let score: Double
        let signals: [HitExplanation.Signal]
    }

    /// Orders candidates, best first; of equals the newer message comes first.
    ///
    /// The words' scores are taken relative to `bestWords`, the best of all messages in scope, so that they lie in 0...1.
    func ranked(_ candidates: [Candidate], bestWords: Double) -> [Ranked] {
        let cosineRanks = ranks(of: candidates) { $0.cosine }
        let wordRanks = ranks(of: candidates) { $0.words.flatMap { $0.total > 0 ? $0.total : nil } }
        let ranked = candidates.enumerated().map { place, candidate in
            let signals = signals(
                of: candidate, bestWords: bestWords, cosineRank: cosineRanks[place], wordRank: wordRanks[place])
            return Ranked(
                candidate: candidate, score: signals.reduce(0) { $0 + $1.contribution }, signals: signals)
        }
        // Places are moved in place of the candidates, which are large.
        return ranked.indices.sorted { Self.isBetter(ranked[$0], ranked[$1]) }.map { ranked[$0] }
    }

    /// Few candidates have more signals.
    private static let usualCount = 12

    private func signals(
        of candidate: Candidate, bestWords: Double, cosineRank: Int?, wordRank: Int?
    ) -> [HitExplanation.Signal] {
        var signals: [HitExplanation.Signal] = []
        signals.reserveCapacity(Self.usualCount)
        func add(_ name: String, _ value: Double, _ weight: Double, rank: Int? = nil) {
            guard weight != 0 || rank != nil else { return }
            signals.append(
                HitExplanation.Signal(name: name, value: value, contribution: weight * value, rank: rank))
        }
        let dense = weights.dense[plan.language.rawValue] ?? 1
        if let cosine = candidate.cosine { add("cosine", cosine, dense * weights.cosine, rank: cosineRank) }
        if let window = candidate.window { add("window", window, dense * weights.window) }
        if let answered = candidate.answered { add("answer", max(0, answered), dense * weights.answer) }
        if let tokens = candidate.tokens { add("tokens", tokens, dense * weights.tokens) }
        if let words = candidate.words {
            let best = bestWords > 0 ? bestWords : 1
            add("lexical", words.total / best, weights.lexical, rank: wordRank)
            add("lexicalDate", words.date / best, weights.lexicalDate)
            add("coverage", words.coverage, weights.coverage)
        }
        if candidate.isBySpeaker { add("speaker", 1, weights.speaker) }
        if candidate.isNearSpeaker { add("company", 1, weights.company) }
        if candidate.marks.contains(.isQuestion) { add("question", 1, weights.question) }
        if candidate.marks.contains(.holdsTime), plan.wanted.contains(.time) { add("time", 1, weights.time) }
        if candidate.marks.contains(.holdsNumber), plan.wanted.contains(.number) { add("number", 1, weights.number) }
        if candidate.isInNamedPlace { add("place", 1, weights.place) }
        if candidate.phraseCount > 0 { add("phrase", Double(candidate.phraseCount), weights.phrase) }
        if candidate.isInTime { add("date", 1, weights.date) }
        if candidate.namesDay { add("namedDay", 1, weights.namedDay) }
        if recency.halfLifeDays > 0 { add("recency", freshness(of: candidate), recency.weight) }
        return signals
    }

    /// What is left of a message's freshness, 0...1: half of it after each half-life.
    private func freshness(of candidate: Candidate) -> Double {
        let age = Double(moment.microseconds - candidate.timestamp.microseconds)
        let days = max(0, age) / (86_400 * 1_000_000)
        return exp2(-days / recency.halfLifeDays)
    }

    private static func isBetter(_ left: Ranked, _ right: Ranked) -> Bool {
        if left.score != right.score { return left.score > right.score }
        let (one, other) = (left.candidate, right.candidate)
        return (one.timestamp, one.number) > (other.timestamp, other.number)
    }

    /// Returns each candidate's place when one signal alone counts; nil for those that do not have it.
    private func ranks(of candidates: [Candidate], by value: (Candidate) -> Double?) -> [Int?] {
        let valued = candidates.enumerated().compactMap { place, candidate in
            value(candidate).map { (place: place, value: $0) }
        }
        var ranks = [Int?](repeating: nil, count: candidates.count)
        for (rank, entry) in valued.sorted(by: { $0.value > $1.value }).enumerated() { ranks[entry.place] = rank + 1 }
        return ranks
    }
}
