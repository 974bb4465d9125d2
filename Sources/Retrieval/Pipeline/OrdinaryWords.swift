import ChatCore
import IndexCore
import LexicalIndex
import TextAnalysis

/// Tells words that are part of somebody's name but ordinary, too ("Project Manager"), by how the messages use them.
///
/// A name is frequent in a chat, because people address its bearer, but hardly anybody writes their own name. So a word
/// is ordinary when those who bear it write it themselves.
///
/// Measured on LoCoMo, Molweni and four sample chats: of 255 words of names, no bearer wrote theirs in more than 3
/// messages, but for two bots ("Deploy Bot"). In QMSum, "project", "marketing" and "designer" are in 1 of 350 messages
/// of those who are called so, or in more.
struct OrdinaryWords {
    private static let leastCount = 4
    /// One of so many messages of the bearers.
    private static let ownShare = 500
    /// One of so many messages, for a word that nobody bears.
    private static let share = 100

    let words: ScopedWords
    let names: NameIndex

    /// Returns whether a folded word is ordinary.
    func contains(_ word: String) -> Bool {
        let terms = Set((words.languages + [.other]).map { TermKey(TextAnalyzer.stem(word, language: $0)) }).sorted()
        // Beside the texts these hold all messages of the bearers, whose name is a field of each.
        let holding = words.rows.rowCounts(holding: terms, in: words.groups).max() ?? 0
        let bearers = Set(names.people(called: word).map(\.rowNumber))
        guard !bearers.isEmpty else { return holding >= max(Self.leastCount, words.messageCount / Self.share) }
        let least = max(Self.leastCount, holding / Self.ownShare)
        guard holding >= least else { return false }
        let query = LexicalQuery(terms.map { LexicalQuery.Term($0) }, weights: .textAlone)
        let own = try? words.rows.search(query, k: least, in: words.groups) { _, row in bearers.contains(row.sender) }
        return (own ?? []).count { $0.score > 0 } >= least
    }
}

extension LexicalWeights {
    /// Only a row's own text counts.
    fileprivate static let textAlone: LexicalWeights = {
        var weights = LexicalWeights()
        (weights.sender, weights.date, weights.previous, weights.next) = (0, 0, [], [])
        weights.inverseFrequency = .lucene
        return weights
    }()
}
