import ChatCore
import LexicalIndex
import Synchronization
import TextAnalysis

/// What is known of words, names and days that many messages share, so that rows are made without finding it out again.
///
/// Kept in memory only, within ``byteLimit`` for each kind.
package struct KnownWords: Sendable {
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
            english = TermKey(TextAnalyzer.stem(word, language: .english))
            german = TermKey(TextAnalyzer.stem(word, language: .german))
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

    /// What is known by a text; forgotten when it takes too much.
    private struct Table<Value: Sendable>: Sendable {
        private var values: [String: Value] = [:]
        private(set) var byteCount = 0

        subscript(key: String) -> Value? { values[key] }

        mutating func keep(_ value: Value, for key: String, extraBytes: Int = 0, within limit: Int) {
            let size = 128 + key.utf8.count + extraBytes
            guard size <= limit / 8 else { return }
            if byteCount + size > limit { self = Table() }
            if values.updateValue(value, forKey: key) == nil { byteCount += size }
        }
    }

    private static let dayLimit = 20_000

    private let byteLimit: Int
    private var words = Table<Word>()
    private var names = Table<[TermKey]>()
    private var clocks = Table<DayClock>()
    private var days: [Int64: [TermKey]] = [:]

    /// Knows nothing yet.
    package init(byteLimit: Int = 4 << 20) {
        self.byteLimit = byteLimit
    }

    /// About how many bytes words, names and zones take.
    package var byteCount: Int { words.byteCount + names.byteCount + clocks.byteCount }

    /// Learns a word and a name; for tests.
    package mutating func learn(word text: String, name: String) {
        _ = word(text)
        _ = self.name(name)
    }

    /// Returns what a folded word gives.
    mutating func word(_ word: String) -> Word {
        if let known = words[word] { return known }
        let new = Word(word)
        words.keep(new, for: word, within: byteLimit)
        return new
    }

    /// Returns the terms of a sender's name.
    mutating func name(_ name: String) -> [TermKey] {
        if let known = names[name] { return known }
        let terms = TextAnalyzer.terms(of: name, language: .other).map(TermKey.init)
        names.keep(terms, for: name, extraBytes: 16 * terms.count, within: byteLimit)
        return terms
    }

    /// Returns the terms of the day that a moment lies in.
    mutating func date(of moment: Timestamp, zone: String) -> [TermKey] {
        let clock = clocks[zone] ?? DayClock(zone: zone)
        clocks.keep(clock, for: zone, extraBytes: 1_024, within: byteLimit)
        guard let day = clock.day(of: moment) else { return [] }
        if let known = days[day] { return known }
        let terms = DateExpressions.dateWords(ofDay: day, languages: [.english, .german])
            .flatMap { TextAnalyzer.terms(of: $0, language: .other) }.map(TermKey.init)
        if days.count >= Self.dayLimit { days = [:] }
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
