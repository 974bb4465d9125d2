import ChatCore
import LexicalIndex
import Synchronization

/// What is known of words, names and days that many messages share, so that rows are made without finding it out again.
///
/// Kept in memory only, and never more than ``limit`` of each.
struct KnownWords: Sendable {
    /// What one folded word gives to the row of a text.
    struct Word: Sendable {
        /// What it says about the text's language.
        let vote: LanguageGuess.WordVote
        /// What it shows.
        let marks: MessageMarks
        /// The word as it is.
        let key: TermKey
        /// Its English stem.
        let english: TermKey
        /// Its German stem.
        let german: TermKey

        init(_ word: String) {
            vote = LanguageGuess.WordVote(word)
            marks = MessageMarks(word: word)
            key = TermKey(word)
            english = TermKey(TextAnalysis.stem(word, language: .english))
            german = TermKey(TextAnalysis.stem(word, language: .german))
        }

        /// Its term in a language.
        func key(in language: TextLanguage) -> TermKey {
            switch language {
            case .english: english
            case .german: german
            case .japanese, .other: key
            }
        }
    }

    private static let limit = 20_000

    private var words: [String: Word] = [:]
    private var names: [String: [TermKey]] = [:]
    private var clocks: [String: DayClock] = [:]
    private var days: [Int64: [TermKey]] = [:]

    /// Returns what a folded word gives.
    mutating func word(_ word: String) -> Word {
        if let known = words[word] { return known }
        let new = Word(word)
        if words.count >= Self.limit { words = [:] }
        words[word] = new
        return new
    }

    /// Returns the terms of a sender's name.
    mutating func name(_ name: String) -> [TermKey] {
        if let known = names[name] { return known }
        let terms = TextAnalysis.terms(of: name, language: .other).map(TermKey.init)
        if names.count >= Self.limit { names = [:] }
        names[name] = terms
        return terms
    }

    /// Returns the terms of the day that a moment lies in.
    mutating func date(of moment: Timestamp, zone: String) -> [TermKey] {
        if clocks.count >= Self.limit { clocks = [:] }
        let clock = clocks[zone] ?? DayClock(zone: zone)
        clocks[zone] = clock
        guard let day = clock.day(of: moment) else { return [] }
        if let known = days[day] { return known }
        let terms = DateExpressions.dateWords(ofDay: day, languages: [.english, .german])
            .flatMap { TextAnalysis.terms(of: $0, language: .other) }.map(TermKey.init)
        if days.count >= Self.limit { days = [:] }
        days[day] = terms
        return terms
    }
}

/// Lends what is known of words to one processor at a time.
final class KnownWordsPool: Sendable {
    private let free = Mutex<[KnownWords]>([])

    /// Does work with what is known, and keeps what it learns.
    func use<Result>(_ work: (inout KnownWords) -> Result) -> Result {
        var words = free.withLock { $0.popLast() } ?? KnownWords()
        defer { free.withLock { $0.append(words) } }
        return work(&words)
    }
}
