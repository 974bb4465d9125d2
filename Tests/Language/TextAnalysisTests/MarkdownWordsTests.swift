import Foundation
import Testing
import TextAnalysis

/// The cases are those of the page's own tests, so that both show the same words.
@Suite struct MarkdownWordsTests {
    private struct Case: Decodable {
        let text: String
        let words: String
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/Markdown/words.json")

    @Test func signsThatMeanSomethingAreLeftOut() throws {
        let cases = try JSONDecoder().decode([Case].self, from: Data(contentsOf: Self.file))
        #expect(cases.count > 20)
        for one in cases { #expect(MarkdownWords.plain(one.text) == one.words, "\(one.text)") }
    }

    /// Only signs and spaces are left out, and nothing is added.
    @Test func lettersStayInTheirOrder() {
        let pieces = [
            "a", "bc", " ", "\n", "*", "**", "_", "`d`", "[", "]", "(", ")", "#", ">", "- ", "|", "\\", "é", "\r\n",
            "---", "~~ ",
        ]
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...30)).compactMap { _ in pieces.randomElement() }.joined()
            let words = MarkdownWords.plain(text)
            #expect(words.filter(\.isLetter) == text.filter(\.isLetter), "\(text.debugDescription)")
        }
    }
}
