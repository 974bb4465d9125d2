import ChatCore
import LexicalIndex
import Retrieval
import Testing
import TextAnalysis

/// Rows are made with what is known of words already; they must be what the analysis of each text alone gives.
@Suite struct WordRowsTests {
    private static let words = [
        "The", "ferry", "ferries", "berths", "running", "and", "with", "not", "Häuser", "Haeuser", "für", "und",
        "nicht",
        "der", "Straßen", "ba\u{308}ume", "zwölf", "twelve", "23", "v2", "Monday", "nächste", "日本語", "かな", "русский",
        "что", "?", "？", "👍", "don't", "a\u{AD}b", "Ünder", "les", "une", "est", "dans", "¿", "las", "está", "pero",
        "che", "degli", "\n",
    ]

    private static func messages(count: Int) -> [IndexedMessage] {
        var state = UInt64(3)
        func number(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
        return (0..<count).map { index in
            let length = index % 97 == 0 ? 1_500 : number(below: 14)
            let text = (0..<length).map { _ in words[number(below: words.count)] }.joined(separator: " ")
            return IndexedMessage(
                number: MessageNumber(rawValue: Int64(index)), conversation: ConversationNumber(rawValue: 1),
                content: index % 31 == 5
                    ? nil
                    : IndexedMessage.Content(
                        senderID: UserID(rawValue: "u\(number(below: 5))"), senderName: words[number(below: 12)],
                        text: text,
                        timestamp: Timestamp(microseconds: Int64(number(below: 2_000_000_000)) * 1_000_000),
                        timeZone: [nil, "Europe/Berlin", "Pacific/Auckland", "Mars/Base"][number(below: 4)],
                        threadRootID: nil, kinds: ContentKinds(rawValue: UInt8(number(below: 64)))))
        }
    }

    @Test func rowsAreThoseOfEachTextAlone() throws {
        let messages = Self.messages(count: 3_000)
        let rows = WordRows(fallback: .english)
        var languages: Set<TextLanguage> = []

        let first = rows.rows(of: messages)
        let second = rows.rows(of: messages)

        #expect(first == second)
        for (message, row) in zip(messages, first) {
            guard let content = message.content else {
                #expect(row == nil)
                continue
            }
            let row = try #require(row)
            let language = LanguageGuess.language(of: content.text, fallback: .english)
            languages.insert(language)
            let date = DateExpressions.dateWords(
                of: content.timestamp, zone: content.timeZone ?? "UTC",
                languages: [.english, .german] + [.french, .spanish].filter { $0 == language })
            #expect(row.terms.text == Self.keys(content.text, language))
            #expect(row.terms.sender == Self.keys(content.senderName, .other))
            #expect(row.terms.date == date.flatMap { Self.keys($0, .other) })
            #expect(row.flags & 0b1111 == UInt16(MessageMarks(content.text, language: language).rawValue))
            #expect(row.flags >> 4 & 0b1111 == Self.codes[language])
            #expect(row.flags >> 8 == UInt16(content.kinds.rawValue))
        }
        #expect(languages == Set(TextLanguage.allCases))
    }

    /// They are kept in files.
    private static let codes: [TextLanguage: UInt16] = [
        .other: 0, .english: 1, .german: 2, .japanese: 3, .french: 4, .spanish: 5,
    ]

    private static func keys(_ text: String, _ language: TextLanguage) -> [TermKey] {
        TextAnalyzer.terms(of: text, language: language).map { TermKey(utf8: $0.utf8) }
    }
}
