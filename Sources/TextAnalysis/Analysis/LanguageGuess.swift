import ChatCore

/// Guesses the language of a text from its script and its function words.
///
/// Chat messages are often too short to tell ("ok, cool"); the guess is nil then, and the caller takes what the
/// conversation mostly speaks, or what is configured.
public enum LanguageGuess {
    /// What a word says about the language that it stands in.
    public struct WordVote: Sendable {
        /// The places in ``lists`` of the lists that hold it, one bit each.
        fileprivate let lists: UInt8
        /// The word's number among those of the lists.
        fileprivate let number: Int
        /// Whether its script is neither Latin nor one without blanks.
        fileprivate let isForeign: Bool

        /// Looks up a folded word.
        public init(_ word: String) {
            let found = LanguageGuess.membership[word]
            lists = found?.lists ?? 0
            number = found?.number ?? 0
            isForeign = (word.unicodeScalars.first?.value ?? 0) >= 0x370
        }
    }

    /// Only so many UTF-8 bytes are looked at.
    static let byteLimit = 4_096

    /// Returns the language of `text`, nil when it cannot be told.
    ///
    /// French, Spanish, Italian, Portuguese and Dutch are told apart from English and German only to be called
    /// ``TextLanguage/other``, so that nobody's stemmer is used on them.
    public static func language(of text: String) -> TextLanguage? {
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        return language(of: text, tokens: tokens, votes: tokens.map { WordVote($0.word) })
    }

    /// Returns the language of a text that was cut into tokens before; nil when it cannot be told.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - tokens: Its tokens in ``TextLanguage/other``.
    ///   - votes: The votes of their words, in the same order.
    /// - Returns: The same as for the text alone.
    public static func language(of text: String, tokens: [TextToken], votes: [WordVote]) -> TextLanguage? {
        guard text.utf8.count <= byteLimit else { return languageOfBeginning(of: text) }
        return tally(tokens, votes).language(hasUmlauts: hasUmlauts(text))
    }

    private static func languageOfBeginning(of text: String) -> TextLanguage? {
        let tokens = TextAnalyzer.tokens(of: String(text.part(utf8: 0..<byteLimit)), language: .other)
        return tally(tokens, tokens.map { WordVote($0.word) }).language(hasUmlauts: hasUmlauts(text))
    }

    private static func tally(_ tokens: [TextToken], _ votes: [WordVote]) -> LanguageTally {
        var tally = LanguageTally()
        for (token, vote) in zip(tokens, votes) { tally.add(token, vote) }
        return tally
    }

    /// Returns the language of `text`, and `fallback` when it cannot be told.
    public static func language(of text: String, fallback: TextLanguage) -> TextLanguage {
        language(of: text) ?? fallback
    }

    /// Returns the most frequent of several guesses, nil when there is none; of equals, the first in the order of the cases.
    public static func dominant(of guesses: some Sequence<TextLanguage?>) -> TextLanguage? {
        var counts: [TextLanguage: Int] = [:]
        for case .some(let guess) in guesses { counts[guess, default: 0] += 1 }
        let most = counts.values.max()
        return TextLanguage.allCases.first { counts[$0] != nil && counts[$0] == most }
    }

    /// Counts the votes of a text's tokens.
    private struct LanguageTally {
        private var wordCount = 0
        private var foreignCount = 0
        private var letterCount = 0
        private var kanaCount = 0
        private var scores = SIMD8<Int32>()
        /// A word counts once, or "no no no" would be Spanish.
        private var counted: Set<Int> = []

        mutating func add(_ token: TextToken, _ vote: WordVote) {
            switch token.kind {
            case .word: add(vote)
            case .unigram:
                letterCount += 1
                if token.word.unicodeScalars.contains(where: { (0x3041...0x30FF).contains($0.value) }) {
                    kanaCount += 1
                }
            case .bigram: break
            }
        }

        private mutating func add(_ vote: WordVote) {
            wordCount += 1
            if vote.isForeign { foreignCount += 1 }
            guard vote.lists != 0, counted.insert(vote.number).inserted else { return }
            for place in lists.indices where vote.lists & 1 << place != 0 { scores[place] += 1 }
        }

        /// Kana makes it Japanese; Han or Hangul alone is none of ours.
        func language(hasUmlauts: @autoclosure () -> Bool) -> TextLanguage? {
            if letterCount > wordCount { return kanaCount * 5 >= letterCount ? .japanese : .other }
            if foreignCount * 2 > wordCount { return .other }
            var scores = scores
            if hasUmlauts(), let place = lists.firstIndex(where: { $0.language == .german }) { scores[place] += 1 }
            let best = scores.max()
            guard best >= 2, Int(best) * 8 >= wordCount else { return nil }
            let leaders = lists.indices.filter { scores[$0] == best }
            return leaders.count == 1 ? lists[leaders[0]].language : nil
        }
    }

    private static func hasUmlauts(_ text: String) -> Bool {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return false }
        return text.unicodeScalars.prefix(byteLimit).contains { scalar in
            !scalar.isASCII && "äöüßÄÖÜ".unicodeScalars.contains(scalar)
        }
    }

    private static let lists: [(language: TextLanguage, words: Set<String>)] = [
        (.english, StopWords.english.subtracting(["d", "m", "o", "s", "t", "y", "re", "ma", "so"]).union(["may"])),
        (.german, StopWords.german.subtracting(["so", "an", "man", "um"])),
        (
            .other,
            words("le la les des du un une et est sont dans pour que qui pas sur avec vous nous je il elle ce au")
        ),
        (.other, words("el la los las un una es son en para que no con por se lo del al como mas pero si yo su muy")),
        (.other, words("il lo la gli le un una che di non per con sono del della si mi ma anche come questo piu ho")),
        (.other, words("os as um uma que de do da em para nao com por se mais mas eu ele ela foi isso voce")),
        (.other, words("de het een en van is dat niet op te zijn voor met ik je maar aan ook er bij naar heeft wat")),
    ]

    /// The lists that hold each word, a bit for each place in ``lists``, and a number for the word.
    private static let membership: [String: (lists: UInt8, number: Int)] = {
        var membership: [String: (lists: UInt8, number: Int)] = [:]
        for (place, list) in lists.enumerated() {
            for word in list.words {
                let known = membership[word] ?? (0, membership.count)
                membership[word] = (known.lists | 1 << place, known.number)
            }
        }
        return membership
    }()

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(separator: " ").map(String.init))
    }
}
