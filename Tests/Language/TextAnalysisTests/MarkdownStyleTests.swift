import Testing
import TextAnalysis

@Suite struct MarkdownStyleTests {
    private static let tags: MarkdownStyle = {
        var style = MarkdownStyle()
        (style.strong, style.emphasized) = (("<b>", "</b>"), ("<i>", "</i>"))
        (style.struck, style.code) = (("<s>", "</s>"), ("<c>", "</c>"))
        style.escaped = { $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
        style.link = { words, address in "<a \(address)>\(words)</a>" }
        return style
    }()

    private func styled(_ text: String, _ style: MarkdownStyle = tags) -> String {
        var reader = MarkdownLines(style)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { reader.next($0) }
        return (lines + [reader.end()]).compactMap(\.self).joined(separator: "\n")
    }

    @Test(arguments: [
        ("It is **on 4 March**, *says* Ada.", "It is <b>on 4 March</b>, <i>says</i> Ada."),
        ("***both***, ~~gone~~, `a*b*c`", "<i><b>both</b></i>, <s>gone</s>, <c>a*b*c</c>"),
        ("**a *b* c**", "<b>a <i>b</i> c</b>"), ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("**not closed", "**not closed"), (#"\*plain\* & <b>"#, "*plain* &amp; &lt;b>"),
        ("see [the **plan**](https://a.test/x) [1]", "see <a https://a.test/x>the <b>plan</b></a> [1]"),
        ("[bank.test](https://evil.test/)", "[bank.test](https://evil.test/)"),
        ("[run](javascript:alert)", "[run](javascript:alert)"),
        ("## The *plan*", "<b>The plan</b>"),
        ("- one\n  * **two**\n1. three\n---", "• one\n  • <b>two</b>\n1. three\n---"),
        ("```swift\nlet a = \"**b**\"\n\n```\n**c**", "<c>let a = \"**b**\"</c>\n\n<b>c</b>"),
        ("> quoted **text**", "> quoted <b>text</b>"),
    ]) func signsBecomeThoseOfTheNotation(text: String, expected: String) {
        #expect(styled(text) == expected)
    }

    @Test func codeThatIsNotEndedEndsWithTheText() {
        var style = Self.tags
        style.fence = "```"
        #expect(styled("~~~\na < b", style) == "```\na &lt; b\n```")
        #expect(styled("a < b", style) == "a &lt; b")
    }

    /// Marks are closed in the order in which they were opened, whatever the text is.
    @Test func marksAreNested() {
        let pieces = ["a", " ", "*", "**", "***", "_", "__", "~~", "`", "[", "](https://a.test)", "]", "\\", "é"]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...24)).compactMap { _ in pieces.randomElement() }.joined()
            var open: [Substring] = []
            for tag in styled(text).matches(of: /<(\/?)([bisca])[^>]*>/) {
                if tag.output.1.isEmpty {
                    open.append(tag.output.2)
                } else {
                    #expect(open.popLast() == tag.output.2, "\(text.debugDescription)")
                }
            }
            #expect(open.isEmpty, "\(text.debugDescription)")
        }
    }
}
