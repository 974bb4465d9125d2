import ChatCore
import TextAnalysis

/// What a message's text shows at a glance; kept with its row, so that neighbours need not be read.
package struct MessageMarks: OptionSet, Sendable {
    /// One bit a mark.
    package let rawValue: UInt8

    /// It ends with a question mark.
    package static let isQuestion = MessageMarks(rawValue: 1)
    /// It holds a question mark.
    package static let asks = MessageMarks(rawValue: 2)
    /// It holds a number, in digits or words.
    package static let holdsNumber = MessageMarks(rawValue: 4)
    /// It holds a word of time.
    package static let holdsTime = MessageMarks(rawValue: 8)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads the marks of a text.
    package init(_ text: String) {
        self.init(signsOf: text)
        for token in TextAnalyzer.tokens(of: text, language: .other) where token.kind == .word {
            formUnion(MessageMarks(word: token.word))
        }
    }

    /// Reads what the punctuation of a text shows.
    init(signsOf text: String) {
        self = []
        // The last bytes of the three marks; most texts hold none of them.
        guard text.utf8.contains(where: { $0 == 0x3F || $0 == 0x9F }),
            text.unicodeScalars.contains(where: Self.isQuestionMark)
        else { return }
        insert(.asks)
        if let last = text.unicodeScalars.last(where: { !$0.properties.isWhitespace }), Self.isQuestionMark(last) {
            insert(.isQuestion)
        }
    }

    /// Reads what a folded word shows.
    init(word: String) {
        self = []
        if Self.numbers.contains(word) || word.utf8.contains(where: { (0x30...0x39).contains($0) }) {
            insert(.holdsNumber)
        }
        if Self.times.contains(word) { insert(.holdsTime) }
    }

    private static func isQuestionMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "?" || scalar == "？" || scalar == "؟"
    }

    private static let numbers = words(
        """
        one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand million
        couple dozen few several first second third once twice
        eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf zwanzig dreissig hundert tausend million paar
        dutzend einige mehrere erste zweite dritte einmal zweimal
        """)

    private static let times = words(
        """
        yesterday today tomorrow tonight week weekend month year day days weeks months years ago last next morning
        afternoon evening night monday tuesday wednesday thursday friday saturday sunday january february march april
        may june july august september october november december recently since summer winter spring autumn fall
        gestern heute morgen woche wochenende monat jahr tag tage wochen monate jahre letzte letzten nachste nachsten
        nachmittag abend nacht montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni
        juli oktober dezember neulich kurzlich seit sommer winter fruhling herbst
        """)

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}

/// What kind of answer a question wants, as far as its words tell.
package struct WantedAnswer: OptionSet, Sendable {
    /// One bit a mark.
    package let rawValue: UInt8

    /// A time: "when", "what year".
    package static let time = WantedAnswer(rawValue: 1)
    /// A number: "how many", "how long".
    package static let number = WantedAnswer(rawValue: 2)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Reads a question in English or German.
    package init(_ question: String) {
        self = []
        let words = TextAnalyzer.tokens(of: question, language: .other).map(\.word)
        if words.contains("when") || words.contains("wann") { insert(.time) }
        for (first, second) in zip(words, words.dropFirst()) {
            if ["what", "which", "welche", "welcher", "welches", "welchem", "welchen"].contains(first),
                ["date", "day", "month", "year", "time", "datum", "tag", "monat", "jahr", "uhrzeit"].contains(second)
            {
                insert(.time)
            }
            if first == "how", ["many", "much", "long", "often", "old"].contains(second) { insert(.number) }
            if first == "wie", ["viel", "viele", "lange", "oft", "alt"].contains(second) { insert(.number) }
        }
        if words.contains("wieviel") || words.contains("wieviele") { insert(.number) }
    }
}
