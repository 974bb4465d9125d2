import ChatCore

/// Guesses the language of a text from its script and its function words.
///
/// Chat messages are often too short to decide ("ok, cool"). Then the guess is nil, and the caller uses the main
/// language of the conversation, or the configured one.
package enum LanguageGuess {
    /// The vote of a word for the language of its text.
    package struct WordVote: Sendable {
        /// The places in ``lists`` of the lists that contain it, one bit each.
        fileprivate let lists: UInt16
        /// The word's number among those of the lists.
        fileprivate let number: Int
        /// Whether its script is neither Latin nor one without blanks.
        fileprivate let isForeign: Bool

        /// Looks up a folded word.
        package init(_ word: String) {
            let found = LanguageGuess.membership[word]
            lists = found?.lists ?? 0
            number = found?.number ?? 0
            isForeign = (word.unicodeScalars.first?.value ?? 0) >= 0x370
        }
    }

    /// Only this many UTF-8 bytes are read.
    static let byteLimit = 4_096

    /// Returns the language of `text`, nil when unknown.
    ///
    /// Italian, Portuguese and Dutch are recognised only to be called ``TextLanguage/other``, so that no stemmer is
    /// used on them.
    package static func language(of text: String) -> TextLanguage? {
        let tokens = TextAnalyzer.tokens(of: text, language: .other)
        return language(of: text, tokens: tokens, votes: tokens.map { WordVote($0.word) })
    }

    /// Returns the language of a text that was already split into tokens; nil when unknown.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - tokens: Its tokens in ``TextLanguage/other``.
    ///   - votes: The votes of their words, in the same order.
    /// - Returns: The same as for the text alone.
    package static func language(of text: String, tokens: [TextToken], votes: [WordVote]) -> TextLanguage? {
        guard text.utf8.count <= byteLimit else { return languageOfBeginning(of: text) }
        return tally(tokens, votes).language(letters: LetterVotes(text))
    }

    private static func languageOfBeginning(of text: String) -> TextLanguage? {
        let tokens = TextAnalyzer.tokens(of: String(text.part(utf8: 0..<byteLimit)), language: .other)
        return tally(tokens, tokens.map { WordVote($0.word) }).language(letters: LetterVotes(text))
    }

    private static func tally(_ tokens: [TextToken], _ votes: [WordVote]) -> LanguageTally {
        var tally = LanguageTally()
        for (token, vote) in zip(tokens, votes) { tally.add(token, vote) }
        return tally
    }

    /// Returns the language of `text`, and `fallback` when unknown.
    package static func language(of text: String, fallback: TextLanguage) -> TextLanguage {
        language(of: text) ?? fallback
    }

    /// Returns the languages whose words count in a text: its own, or the assumed ones when it is unknown.
    static func likely(in text: String) -> [TextLanguage] {
        language(of: text).map { [$0] } ?? Language.assumed
    }

    /// Returns the languages that are assumed, and the text's own.
    package static func readable(in text: String) -> [TextLanguage] {
        Language.assumed + [language(of: text)].compactMap { $0 }.filter { !Language.assumed.contains($0) }
    }

    /// Returns the language, apart from the assumed ones, with the most votes, even if they are few; nil when there is
    /// none.
    static func leaning(of text: String) -> TextLanguage? {
        let start = String(text.part(utf8: 0..<byteLimit))
        let tokens = TextAnalyzer.tokens(of: start, language: .other)
        let leader = tally(tokens, tokens.map { WordVote($0.word) }).knownLeader(letters: LetterVotes(start))
        return leader.flatMap { Language.assumed.contains($0) ? nil : $0 }
    }

    /// Returns the most frequent guess, nil when there is none; of equals, the first in the order of the cases.
    package static func dominant(of guesses: some Sequence<TextLanguage?>) -> TextLanguage? {
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
        private var scores = SIMD16<Int32>()
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

        /// Kana means Japanese; Han or Hangul alone is none of our languages.
        func language(letters: @autoclosure () -> LetterVotes) -> TextLanguage? {
            if letterCount > wordCount { return kanaCount * 5 >= letterCount ? .japanese : .other }
            if foreignCount * 2 > wordCount { return .other }
            let scores = scores(with: letters())
            let best = scores.max()
            guard best >= 2, Int(best) * 8 >= wordCount else { return nil }
            return leader(scores)
        }

        /// Returns the language of ``Language/all`` that most words speak for, be they few; nil for none or several.
        func knownLeader(letters: LetterVotes) -> TextLanguage? {
            let scores = scores(with: letters)
            guard scores.max() > 0 else { return nil }
            let leaders = lists.indices.filter { scores[$0] == scores.max() && lists[$0].language != .other }
            return leaders.count == 1 ? lists[leaders[0]].language : nil
        }

        private func scores(with votes: LetterVotes) -> SIMD16<Int32> {
            var scores = scores
            for place in lists.indices {
                if votes.letters & 1 << place != 0 { scores[place] += 1 }
                if votes.signs & 1 << place != 0 { scores[place] += 2 }
            }
            return scores
        }

        /// If all words of a text are French too ("hang on a sec"), English is assumed.
        private func leader(_ scores: SIMD16<Int32>) -> TextLanguage? {
            let best = scores.max()
            let leaders = lists.indices.filter { scores[$0] == best }.map { lists[$0].language }
            guard leaders.count > 1 else { return leaders.first }
            guard !leaders.contains(.other) else { return nil }
            let assumed = leaders.filter(Language.assumed.contains)
            return assumed.count == 1 ? assumed[0] : nil
        }
    }

    /// The votes of the letters and signs of a text, one bit for each place in ``lists``.
    private struct LetterVotes {
        var letters: UInt16 = 0
        var signs: UInt16 = 0

        init(_ text: String) {
            guard text.utf8.contains(where: { $0 >= 0x80 }) else { return }
            for scalar in text.unicodeScalars.prefix(byteLimit) where !scalar.isASCII {
                letters |= letterLists[scalar] ?? 0
                signs |= signLists[scalar] ?? 0
            }
        }
    }

    private static let lists: [(language: TextLanguage, words: Set<String>, letters: String, signs: String)] =
        Language.all.filter { !$0.voters.isEmpty }.map { ($0.language, $0.voters, $0.letters, $0.signs) }
        + NeighbourLanguage.all.filter { !$0.voters.isEmpty }.map { (.other, $0.voters, $0.letters, "") }

    private static let letterLists = places(of: lists.map(\.letters))
    private static let signLists = places(of: lists.map(\.signs))

    private static func places(of letters: [String]) -> [Unicode.Scalar: UInt16] {
        var places: [Unicode.Scalar: UInt16] = [:]
        for (place, letters) in letters.enumerated() {
            for scalar in letters.unicodeScalars { places[scalar, default: 0] |= 1 << place }
        }
        return places
    }

    /// The lists that contain each word, a bit for each place in ``lists``, and a number for the word.
    private static let membership: [String: (lists: UInt16, number: Int)] = {
        var membership: [String: (lists: UInt16, number: Int)] = [:]
        for (place, list) in lists.enumerated() {
            for word in list.words {
                let known = membership[word] ?? (0, membership.count)
                membership[word] = (known.lists | 1 << place, known.number)
            }
        }
        return membership
    }()
}
