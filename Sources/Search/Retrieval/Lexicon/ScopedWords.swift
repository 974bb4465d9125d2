import ChatCore
import IndexCore
import LexicalIndex
package import TextAnalysis

/// The words of the conversations that one search may see, as they were when it began.
///
/// A search takes all its numbers from here: rows, lengths, languages, and how many messages contain a word. So
/// messages elsewhere do not change its result.
struct ScopedWords: Sendable {
    let rows: BM25Index.Snapshot
    let groups: GroupSelection
    let messageCount: Int
    /// No row is of a newer message.
    let newest: MessageNumber
    /// The languages that messages are indexed under, the most frequent first.
    ///
    /// Rare languages are left out, because they are often wrong guesses.
    let languages: [TextLanguage]

    /// A language counts if at least one of this many messages is in it.
    private static let rareLanguage = 200

    init(rows: BM25Index.Snapshot, groups: GroupSelection, newest: MessageNumber = MessageNumber(rawValue: .max)) {
        self.rows = rows
        self.newest = newest
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
    /// Returns the words of some conversations; later writes do not change them.
    ///
    /// In a conversation with a limited history these are the words of the asker's times: no number of the search
    /// depends on other messages.
    func words(in conversations: some Sequence<PermittedConversation>) -> ScopedWords {
        let limits = conversations.compactMap { conversation in
            conversation.spans.map { GroupLimit(GroupKey(conversation.number), times: $0.ranges) }
        }
        let rows = limits.isEmpty ? index.snapshot() : index.snapshot().limited(to: limits)
        // Read after the rows, so that none of them is newer.
        return ScopedWords(
            rows: rows, groups: .only(Set(conversations.map { GroupKey($0.number) })), newest: newestMessage)
    }

    /// Returns whether a word is ordinary in all messages; for tests.
    package func isOrdinary(_ word: String, names: NameIndex) -> Bool {
        OrdinaryWords(words: ScopedWords(rows: index.snapshot(), groups: .all), names: names).contains(word)
    }

    /// The languages of all messages; for tests.
    package var languages: [TextLanguage] { ScopedWords(rows: index.snapshot(), groups: .all).languages }
}

/// Finds words that are both part of a name and ordinary ("Project Manager"), by their use in the messages.
///
/// A name is frequent in a chat, because people address each other by it, but people rarely write their own name. So a
/// word is ordinary if the people with that name write it themselves.
///
/// Measured on LoCoMo, Molweni and four sample chats with 255 words of names: except for two bots ("Deploy Bot"),
/// nobody wrote a word of their own name in more than 3 messages. In QMSum, people with "project", "marketing" or
/// "designer" in their name write that word in 1 of 350 of their messages, or more.
struct OrdinaryWords {
    private static let leastCount = 4
    /// The word is in at least one of this many messages of the people with that name.
    private static let ownShare = 500
    /// The word is in at least one of this many messages, for a word that is in nobody's name.
    private static let share = 100

    let words: ScopedWords
    let names: NameIndex

    /// Returns whether a folded word is ordinary.
    func contains(_ word: String) -> Bool {
        let terms = Set((words.languages + [.other]).map { TermKey(TextAnalyzer.stem(word, language: $0)) }).sorted()
        // Also counts all messages of the people with that name, because the sender's name is a field of each message.
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
    /// Weights by which only a row's own text counts.
    fileprivate static let textAlone: LexicalWeights = {
        var weights = LexicalWeights()
        (weights.sender, weights.date, weights.previous, weights.next) = (0, 0, [], [])
        weights.inverseFrequency = .lucene
        return weights
    }()
}
