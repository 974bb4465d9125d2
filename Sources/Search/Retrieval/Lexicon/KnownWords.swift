import ChatCore
import LexicalIndex
import Synchronization
import TextAnalysis

/// Results for words, names and days that many messages share, so that each is analysed once.
///
/// Kept in memory only, within ``byteLimit`` for each kind.
package struct KnownWords: Sendable {
    /// A folded word, as the row of a text needs it.
    struct Word: Sendable {
        /// Its vote for the text's language.
        let vote: LanguageGuess.WordVote
        /// The key of the word itself.
        let key: TermKey
        /// Its term and marks in each language, by ``TextLanguage/rowCode``.
        private let readings: [(key: TermKey, marks: MessageMarks)]

        init(_ word: String) {
            vote = LanguageGuess.WordVote(word)
            key = TermKey(word)
            readings = Self.languages.map { language in
                let term = TextAnalyzer.stem(word, language: language)
                return (TermKey(term), MessageMarks(word: word, language: language))
            }
        }

        /// Its term in a language.
        func key(in language: TextLanguage) -> TermKey { readings[Int(language.rowCode)].key }

        /// Its marks in a text of a language.
        func marks(in language: TextLanguage) -> MessageMarks { readings[Int(language.rowCode)].marks }

        private static let languages = TextLanguage.allCases.sorted { $0.rowCode < $1.rowCode }
    }

    /// Values by text; all are forgotten when they take too much memory.
    private struct Table<Value: Sendable>: Sendable {
        private var values: [String: Value] = [:]
        private(set) var byteCount = 0

        subscript(key: String) -> Value? { values[key] }

        mutating func keep(_ value: Value, for key: String, extraBytes: Int = 0, within limit: Int) {
            let size = 256 + key.utf8.count + extraBytes
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
    private var days: [DayName: [TermKey]] = [:]

    /// A day, as texts of one language name it.
    private struct DayName: Hashable {
        let day: Int64
        let language: TextLanguage
    }

    /// Starts empty.
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

    /// Returns a folded word's results.
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

    /// Returns the terms of the day of a moment: in English, German, and the language of the message.
    mutating func date(of moment: Timestamp, zone: String, in language: TextLanguage) -> [TermKey] {
        let clock = clocks[zone] ?? DayClock(zone: zone)
        clocks.keep(clock, for: zone, extraBytes: 1_024, within: byteLimit)
        guard let day = clock.day(of: moment) else { return [] }
        let name = DayName(day: day, language: language)
        if let known = days[name] { return known }
        let languages = Language.assumed + (Language.assumed.contains(language) ? [] : [language])
        let terms = DateExpressions.dateWords(ofDay: day, languages: languages)
            .flatMap { TextAnalyzer.terms(of: $0, language: .other) }.map(TermKey.init)
        if days.count >= Self.dayLimit { days = [:] }
        days[name] = terms
        return terms
    }
}

/// Lends known words to one processor at a time.
final class KnownWordsPool: Sendable {
    private let free = Mutex<[KnownWords]>([])

    /// Runs work with known words, and keeps the words that it adds.
    func use<Result>(_ work: (inout KnownWords) -> Result) -> Result {
        var words = free.withLock { $0.popLast() } ?? KnownWords()
        defer { free.withLock { $0.append(words) } }
        return work(&words)
    }
}
