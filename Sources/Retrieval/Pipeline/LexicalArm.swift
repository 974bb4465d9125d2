import ChatCore
import Foundation
import LexicalIndex

/// Candidates by the words of the question.
struct LexicalArm: Sendable {
    let lexicon: LiveLexicon

    /// What is asked of which messages.
    struct Scan: Sendable {
        let query: LexicalQuery
        let groups: GroupSelection
        let filter: SearchFilter
    }

    /// Puts a scan together; nil when the question has no words.
    func scan(
        for terms: [String], settings: LexicalSettings, in conversations: Set<ConversationNumber>, filter: SearchFilter
    ) -> Scan? {
        guard !terms.isEmpty else { return nil }
        let query = LexicalQuery(
            terms.map { LexicalQuery.Term(TermKey($0)) }, weights: LexicalWeights(settings))
        return Scan(query: query, groups: .only(Set(conversations.map { GroupKey($0) })), filter: filter)
    }

    /// Returns the best messages with their scores, at most `limit`.
    @concurrent func messages(of scan: Scan, limit: Int) async throws -> [(message: MessageNumber, score: Float)] {
        try lexicon.index.search(scan.query, k: limit, in: scan.groups, where: scan.filter.wordPredicate)
            .map { (MessageNumber($0.key), $0.score) }
    }

    /// Returns the part of the question's words, weighted by their rarity, that a score stands for: 0...1.
    func coverage(of scan: Scan, score: Double) -> Double {
        let index = lexicon.index.snapshot()
        let rarities = scan.query.terms.map { term in
            let holding = Double(index.rowCount(holding: term.key))
            return log1p((Double(index.count) - holding + 0.5) / (holding + 0.5))
        }
        let highest = Double(scan.query.weights.k1 + 1) * rarities.reduce(0, +)
        return highest > 0 ? max(0, min(1, score / highest)) : 0
    }

    /// Returns the scores of messages; those that have gone, or hold none of the words, are left out.
    func scores(of messages: [MessageNumber], for scan: Scan) throws -> [MessageNumber: Float] {
        let found = try lexicon.index.scores(of: messages.map { RowKey($0) }, for: scan.query)
        return Dictionary(
            found.map { (MessageNumber($0.key), $0.value.total) }, uniquingKeysWith: { first, _ in first })
    }
}

extension LexicalWeights {
    /// The weights that the settings name.
    init(_ settings: LexicalSettings) {
        self.init()
        text = Float(settings.text)
        sender = Float(settings.sender)
        date = Float(settings.date)
        previous = settings.previous.map { Float($0) }
        next = settings.next.map { Float($0) }
        maximumGap = Int64(settings.neighbourGapMinutes) * 60_000_000
        k1 = Float(settings.k1)
        b = Float(settings.b)
    }
}

extension SearchFilter {
    /// Lets through the rows of all messages that pass the filter, and hardly any others; nil when everything passes.
    fileprivate var wordPredicate: (@Sendable (RowKey, RowAttributes) -> Bool)? {
        guard !isEmpty else { return nil }
        let mayPass = numberPredicate
        return { _, row in mayPass(row.sender, row.time) }
    }
}
