import ChatCore
import Foundation
import IndexCore
import LexicalIndex
import TextAnalysis

/// Finds candidates by the words of the question.
struct LexicalRetriever: Sendable {
    let lexicon: LiveLexicon

    /// One question against the rows of some messages.
    struct Scan: Sendable {
        let rows: LexicalScan
        var filter: CandidateFilter
    }

    /// Prepares a scan; returns nil when the question has no words.
    ///
    /// Joined words that no message holds are left out: their parts are among the terms, too.
    @concurrent func scan(
        for plan: QuestionPlan, settings: LexicalSettings, in words: ScopedWords, filter: CandidateFilter
    ) async throws -> Scan? {
        guard !plan.terms.isEmpty else { return nil }
        let joined = Set(plan.joined.map { TermKey($0.term) }).sorted()
        let held = zip(joined, words.rows.rowCounts(holding: joined, in: words.groups)).filter { $1 > 0 }.map(\.0)
        let query = LexicalQuery(
            (plan.terms.map { TermKey($0) } + held).map { LexicalQuery.Term($0) }, weights: LexicalWeights(settings))
        return Scan(rows: try words.rows.scan(query, in: words.groups), filter: filter)
    }

    /// Returns the best messages with their scores, at most `limit`.
    @concurrent func messages(of scan: Scan, limit: Int) async throws -> [(message: MessageNumber, score: Float)] {
        try scan.rows.hits(k: limit, where: scan.filter.rowPredicate).map { (MessageNumber($0.key), $0.score) }
    }

    /// Returns the part of the question's words, weighted by their rarity, that a score means: 0...1.
    func coverage(of scan: Scan, score: Double) -> Double {
        let highest = scan.rows.scoreLimit
        return highest > 0 ? max(0, min(1, score / highest)) : 0
    }

    /// Returns the features by words of each message; nil for removed messages.
    func scores(of messages: [MessageNumber], for scan: Scan) -> [Candidate.Words?] {
        scan.rows.scores(of: messages.map { RowKey($0) }).map { score in
            score.map {
                Candidate.Words(total: Double($0.total), date: Double($0.date), coverage: Double($0.coverage))
            }
        }
    }
}

extension LexicalWeights {
    /// Uses the weights of the settings.
    init(_ settings: LexicalSettings) {
        self.init()
        text = Float(settings.text)
        sender = Float(settings.sender)
        date = Float(settings.date)
        previous = settings.previous.map { Float($0) }
        next = settings.next.map { Float($0) }
        maximumGap = Int64(settings.neighbourGapMinutes) * 60_000_000
        neighbourTokens = Float(settings.neighbourTokens)
        k1 = Float(settings.k1)
        b = Float(settings.b)
    }
}
