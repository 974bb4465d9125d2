import ChatCore
import IndexCore
import LexicalIndex
package import TextAnalysis

/// The words of the conversations that one search may see, as they were when it began.
///
/// Whatever a search counts, rows, lengths, languages, or how many messages hold a word, it counts here: what is written
/// elsewhere changes nothing of its result.
struct ScopedWords: Sendable {
    let rows: BM25Index.Snapshot
    let groups: GroupSelection
    let messageCount: Int
    /// The languages that messages are indexed under, the most frequent first; those of single messages are left out,
    /// which often are mistaken.
    let languages: [TextLanguage]

    /// A language counts when one of so many messages is in it.
    private static let rareLanguage = 200

    init(rows: BM25Index.Snapshot, groups: GroupSelection) {
        self.rows = rows
        self.groups = groups
        let figures = rows.figures(in: groups)
        messageCount = figures.rowCount
        let least = max(1, messageCount / Self.rareLanguage)
        languages = TextLanguage.allCases
            .map { (language: $0, count: figures.rowCount(ofKind: WordFlags.kind(of: $0))) }
            .filter { $0.count >= least }
            .sorted { ($1.count, $0.language.rawValue) < ($0.count, $1.language.rawValue) }
            .map(\.language)
    }
}

extension LiveLexicon {
    /// The words of some conversations, which later writes do not change.
    func words(in conversations: some Sequence<ConversationNumber>) -> ScopedWords {
        ScopedWords(rows: index.snapshot(), groups: .only(Set(conversations.map { GroupKey($0) })))
    }

    /// Whether a word is ordinary in all messages, for tests of how that is told.
    package func isOrdinary(_ word: String, names: NameIndex) -> Bool {
        OrdinaryWords(words: ScopedWords(rows: index.snapshot(), groups: .all), names: names).contains(word)
    }

    /// The languages of all messages, for tests of how rows are kept.
    package var languages: [TextLanguage] { ScopedWords(rows: index.snapshot(), groups: .all).languages }
}

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
