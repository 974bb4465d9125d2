import ChatCore
package import TextAnalysis

/// Simple features of a message's text; kept with its row, so that neighbours need not be read.
package struct MessageMarks: OptionSet, Sendable {
    /// One bit for each mark.
    package let rawValue: UInt8

    /// It ends with a question mark.
    package static let isQuestion = MessageMarks(rawValue: 1)
    /// It contains a question mark.
    package static let asks = MessageMarks(rawValue: 2)
    /// It contains a number, in digits or words.
    package static let holdsNumber = MessageMarks(rawValue: 4)
    /// It contains a word of time.
    package static let holdsTime = MessageMarks(rawValue: 8)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads the marks of a text in a language.
    package init(_ text: String, language: TextLanguage) {
        self.init(signsOf: text)
        for token in TextAnalyzer.tokens(of: text, language: .other) where token.kind == .word {
            formUnion(MessageMarks(word: token.word, language: language))
        }
    }

    /// Reads the marks of a text's punctuation.
    init(signsOf text: String) {
        self = []
        // The last bytes of the three question marks; most texts contain none of them.
        guard text.utf8.contains(where: { $0 == 0x3F || $0 == 0x9F }),
            text.unicodeScalars.contains(where: Self.isQuestionMark)
        else { return }
        insert(.asks)
        if let last = text.unicodeScalars.last(where: { !$0.properties.isWhitespace }), Self.isQuestionMark(last) {
            insert(.isQuestion)
        }
    }

    /// Reads the marks of a folded word in a text of a language.
    init(word: String, language: TextLanguage) {
        self = []
        let words = Self.words[language] ?? Self.assumed
        if words.numbers.contains(word) || word.utf8.contains(where: { (0x30...0x39).contains($0) }) {
            insert(.holdsNumber)
        }
        if words.times.contains(word) { insert(.holdsTime) }
    }

    private static func isQuestionMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "?" || scalar == "？" || scalar == "؟"
    }

    /// English and German words count in texts of both, and in texts of languages without such words.
    private static let assumed = MarkWords(Language.assumed)
    private static let words = Dictionary(
        uniqueKeysWithValues: Language.all.filter { !$0.numbers.isEmpty && !Language.assumed.contains($0.language) }
            .map { ($0.language, MarkWords([$0.language])) })
}

/// The words for numbers and times.
private struct MarkWords: Sendable {
    let numbers: Set<String>
    let times: Set<String>

    init(_ languages: [TextLanguage]) {
        numbers = Language.words(languages, \.numbers)
        times = Language.words(languages, \.times)
    }
}

/// The kind of answer that a question asks for, judged by its words.
package struct WantedAnswer: OptionSet, Sendable {
    /// One bit for each mark.
    package let rawValue: UInt8

    /// A time: "when", "what year".
    package static let time = WantedAnswer(rawValue: 1)
    /// A number: "how many", "how long".
    package static let number = WantedAnswer(rawValue: 2)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads a question.
    package init(_ question: String) {
        self = []
        let words = TextAnalyzer.tokens(of: question, language: .other).map(\.word)
        for wanted in LanguageGuess.readable(in: question).map({ Language.of($0).wanted }) {
            if words.contains(where: wanted.times.contains) { insert(.time) }
            if words.contains(where: wanted.numbers.contains) { insert(.number) }
            for (first, second) in zip(words, words.dropFirst()) {
                if wanted.timeLeads.contains(first), wanted.timeNouns.contains(second) { insert(.time) }
                if wanted.numberLeads.contains(first), wanted.numberWords.contains(second) { insert(.number) }
            }
        }
    }
}

/// The bits of a row of words: the marks of its text (0 to 3), its language (4 to 6), and the kinds of content of its
/// message (8 to 15).
struct WordFlags: Sendable {
    private static let markBits: UInt16 = 0b1111
    private static let languageShift: UInt16 = 4
    private static let kindShift: UInt16 = 8

    /// The bits in the row.
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(marks: MessageMarks, language: TextLanguage, kinds: ContentKinds = []) {
        rawValue =
            UInt16(marks.rawValue) & Self.markBits | UInt16(language.rowCode) << Self.languageShift
            | UInt16(kinds.rawValue) << Self.kindShift
    }

    /// The number under which the index counts the rows of a language.
    static func kind(of language: TextLanguage) -> UInt8 { language.rowCode }

    /// The marks of the text.
    var marks: MessageMarks { MessageMarks(rawValue: UInt8(rawValue & Self.markBits)) }

    /// The kinds of content of the message.
    var kinds: ContentKinds { ContentKinds(rawValue: UInt8(rawValue >> Self.kindShift)) }
}

extension TextLanguage {
    /// Its number in rows; files depend on it.
    var rowCode: UInt8 {
        switch self {
        case .other: 0
        case .english: 1
        case .german: 2
        case .japanese: 3
        case .french: 4
        case .spanish: 5
        }
    }
}
