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
