import ChatCore
import Foundation
import Testing
import TextAnalysis

@Suite struct TextExcerptTests {
    private func shown(_ focus: String, of text: String, limit: Int) throws -> String {
        let place = try #require(text.range(of: focus))
        let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
        let range = TextExcerpt.range(around: start..<start + focus.utf8.count, of: text, limit: limit)
        return String(text.part(utf8: range))
    }

    private static let text = "One is here. Two is there! Is three anywhere? Four is nowhere. Five is lost."

    @Test(arguments: [
        ("three", 20, "Is three anywhere?"), ("three", 40, "Is three anywhere? Four is nowhere."),
        ("three", 52, "Two is there! Is three anywhere? Four is nowhere."),
        ("One", 30, "One is here. Two is there!"), ("Five", 32, "Four is nowhere. Five is lost."),
        ("Five", 99, text),
    ])
    func itEndsAtSentences(focus: String, limit: Int, wanted: String) throws {
        #expect(try shown(focus, of: Self.text, limit: limit) == wanted)
    }

    @Test func japaneseSentencesNeedNoBlanks() throws {
        let text = "会議は中止です。鍵は赤い封筒にあります。明日は雨でしょう。"

        #expect(try shown("封筒", of: text, limit: 14) == "鍵は赤い封筒にあります。")
    }

    @Test func aLongSentenceIsCutBetweenWords() throws {
        let text = (1...400).map { "word\($0)" }.joined(separator: " ")
        let part = try shown("word200 ", of: text, limit: 300)

        #expect(part.contains("word200") && part.count <= 300 && part.count > 200)
        #expect(text.contains(" \(part) "))
    }

    @Test func anAddressIsNotCut() throws {
        let address = "https://pier.example/plans/" + String(repeating: "a/", count: 60) + "end?x=1"
        let text =
            String(repeating: "We spoke of it again and again ", count: 12) + address
            + String(repeating: " and so on and on", count: 20)

        #expect(try shown("plans", of: text, limit: 300).contains(address))
    }

    @Test(arguments: [0, 1, 2, 7, 50])
    func itIsNeverTooLong(limit: Int) {
        for text in ["", "  ", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦", String(repeating: "x", count: 2_000), Self.text, "a\r\n\r\nb"] {
            for start in stride(from: 0, through: text.utf8.count + 3, by: 3) {
                let range = TextExcerpt.range(around: start..<start + 2, of: text, limit: limit)

                #expect(range.upperBound <= text.utf8.count)
                #expect(text.part(utf8: range).unicodeScalars.count <= limit)
            }
        }
    }
}

@Suite struct FoundSentenceTests {
    private func found(_ question: String, in text: String, passage: String? = nil) -> String? {
        let languages: [TextLanguage] = [.english, .german, .other]
        let terms = TextAnalyzer.terms(of: question, languages: languages).map(\.term)
        let range = passage.flatMap { text.range(of: $0) }.map { place in
            let start = text.utf8.distance(from: text.startIndex, to: place.lowerBound)
            return start..<start + text[place].utf8.count
        }
        return FoundSentence.range(in: text, terms: Set(terms), languages: languages, passage: range)
            .map { String(text.part(utf8: $0)).trimmingWhitespace() }
    }

    private static let text = """
        The weather station is old. The weather was bad again. Nobody likes the weather.
        The password is with Tove. We talked about nothing else.
        """

    @Test func rareWordsDecide() {
        #expect(found("Who has the password for the weather?", in: Self.text) == "The password is with Tove.")
        #expect(found("old stations", in: Self.text) == "The weather station is old.")
        #expect(found("xylophone", in: Self.text) == nil)
    }

    @Test func thePassageThatWasFoundDecides() {
        let passage = "The password is with Tove. We talked about nothing else."

        #expect(found("Who knows how to get in?", in: Self.text, passage: passage) == "The password is with Tove.")
        #expect(found("weather talk", in: Self.text, passage: passage) == "We talked about nothing else.")
    }

    @Test func manyRareWordsElsewhereOutweighThePassage() {
        let passage = "We talked about nothing else."

        #expect(found("password with Tove", in: Self.text, passage: passage) == "The password is with Tove.")
    }

    @Test func japaneseIsReadByPairsOfLetters() {
        let text = "会議は中止です。鍵は赤い封筒にあります。明日は雨でしょう。"

        #expect(found("赤い封筒はどこですか", in: text) == "鍵は赤い封筒にあります。")
    }
}
