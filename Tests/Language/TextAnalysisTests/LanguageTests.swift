import Testing
import TextAnalysis

/// Every language follows the same rules, so a new one needs a test of its words only.
@Suite struct LanguageTests {
    /// Fields that are compared with texts as they are written.
    private static let unfolded: Set<String> = ["letters", "pointers", "possessives", "honorifics"]

    /// All words of a value with the names of their fields, also of fields that are internal.
    private static func words(of value: Any, in path: String = "") -> [(path: String, word: String)] {
        let field = path.split(separator: ".").last.map(String.init) ?? ""
        guard !unfolded.contains(field) else { return [] }
        switch value {
        case let set as Set<String>: return set.map { (path, $0) }
        case let list as [String]: return list.map { (path, $0) }
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .dictionary:
            return mirror.children.compactMap { Mirror(reflecting: $0.value).children.first?.value as? String }
                .map { (path, $0) }
        case .struct: return mirror.children.flatMap { words(of: $0.value, in: "\(path).\($0.label ?? "")") }
        default: return []
        }
    }

    private static func field<Value>(_ path: String, of value: Any, as _: Value.Type) throws -> Value {
        var value = value
        for name in path.split(separator: ".") {
            value = try #require(Mirror(reflecting: value).children.first { $0.label == String(name) }).value
        }
        return try #require(value as? Value)
    }

    @Test func everyLanguageButTheOtherHasWords() {
        #expect(Language.all.map(\.language) == TextLanguage.allCases.filter { $0 != .other })
        for language in TextLanguage.allCases { #expect(Language.of(language).language == language) }
        #expect(Self.words(of: Language.of(.other)).isEmpty)
    }

    @Test(arguments: TextLanguage.allCases)
    func wordsAreFolded(language: TextLanguage) {
        for (path, word) in Self.words(of: Language.of(language)) {
            let tokens = TextAnalyzer.tokens(of: word, language: .other)
            guard tokens.allSatisfy({ $0.kind == .word }) else { continue }
            #expect(tokens.map(\.word).joined(separator: " ") == word, "\(path)")
            #expect((1...5).contains(tokens.count), "\(path): \(word)")
        }
    }

    @Test(arguments: TextLanguage.allCases)
    func datesAreWhole(language: TextLanguage) throws {
        let language = Language.of(language)
        let months = try Self.field("dates.months", of: language, as: [String].self)
        let weekdays = try Self.field("dates.weekdays", of: language, as: [String].self)
        guard !months.isEmpty else {
            #expect(weekdays.isEmpty)
            return
        }
        let days = try Self.field("dates.days", of: language, as: [String: Int64].self)
        let modifiers = try Self.field("dates.modifiers", of: language, as: [String: Int64].self)
        let numbers = try Self.field("dates.numbers", of: language, as: [String: Int64].self)
        let short = try Self.field("dates.due.shortWeekdays", of: language, as: [String: Int].self)
        let plain = try Self.field("dates.plainMonths", of: language, as: Set<String>.self)

        #expect(Set(months).count == 12 && months.count == 12)
        #expect(Set(weekdays).count == 7 && weekdays.count == 7)
        #expect(Set(language.monthNumbers.values) == Set(1...12))
        #expect(plain.allSatisfy { language.monthNumbers[$0] != nil })
        #expect(Set(days.values).isSuperset(of: [-2, -1, 0, 1, 2]))
        #expect(Set(modifiers.values) == [-1, 0, 1])
        #expect(Set(numbers.values).isSuperset(of: 1...12))
        #expect(short.values.allSatisfy { (1...7).contains($0) })
    }

    @Test(arguments: TextLanguage.allCases)
    func monthsAndWeekdaysAreNoStopWords(language: TextLanguage) throws {
        let words = Language.of(language)
        let stopWords = try Self.field("stopWords", of: words, as: Set<String>.self)
        let weekdays = try Self.field("dates.weekdays", of: words, as: [String].self)

        #expect(stopWords.isDisjoint(with: words.monthNumbers.keys))
        #expect(stopWords.isDisjoint(with: weekdays))
    }

    @Test(arguments: Language.all.filter { $0.language != .japanese }.map(\.language))
    func functionWordsTellTheLanguage(language: TextLanguage) throws {
        let words = Language.of(language)
        let stopWords = try Self.field("stopWords", of: words, as: Set<String>.self)
        let voters = try Self.field("voters", of: words, as: Set<String>.self)
        let letters = try Self.field("letters", of: words, as: String.self)

        #expect(stopWords.count > 100 && voters.count > 50)
        #expect(letters.unicodeScalars.allSatisfy { !$0.isASCII })
        #expect(LanguageGuess.language(of: voters.sorted().joined(separator: " ")) == language)
    }
}
