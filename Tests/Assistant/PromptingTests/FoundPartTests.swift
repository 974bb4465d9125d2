import ChatCore
import Prompting
import Testing

/// Of a long message the prompt and a quotation show the part that was found.
@Suite struct FoundPartTests {
    /// Ten times ten letters: aaaaaaaaaa to jjjjjjjjjj.
    private static let text = "abcdefghij".map { String(repeating: $0, count: 10) }.joined()

    private func shown(_ focus: Range<Int>?, limit: Int, text: String = text) throws -> String {
        var long = source(text)
        long.focus = focus
        let prompt = try render(.sources([long]), limits: PromptLimits(sourceLength: limit))
        let lines = prompt.messages[1].content.split(separator: "\n")
        return try #require(lines.first { $0.hasPrefix("Text: ") }.map { String($0.dropFirst(6)) })
    }

    private func quoted(_ focus: Range<Int>?, limit: Int, text: String = text) throws -> String {
        var long = source(text)
        long.focus = focus
        let parts = try builder(limits: PromptLimits(quotationLength: limit)).extractiveParts(for: .sources([long]))
        let line = parts.last?.text.split(separator: "\n").first { $0.hasPrefix("> Ada, 2025-10-23: ") }
        return try #require(line.map { String($0.dropFirst("> Ada, 2025-10-23: ".count).dropLast(" [1]".count)) })
    }

    @Test(arguments: [
        (50..<60, 30, "[…] eeeeeeeeeeffffffffffgggggggggg […]"),
        // What is not needed on one side goes to the other.
        (0..<10, 30, "aaaaaaaaaabbbbbbbbbbcccccccccc […]"),
        (90..<100, 30, "[…] hhhhhhhhhhiiiiiiiiiijjjjjjjjjj"),
        (5..<15, 20, "aaaaaaaaaabbbbbbbbbb […]"),
        // A part that is too long itself is cut in its middle.
        (20..<60, 15, "[…] cccccccccc […] fffff […]"),
        (20..<60, 100, text),
    ])
    func thePromptShowsWhatStandsAroundIt(focus: Range<Int>, limit: Int, wanted: String) throws {
        #expect(try shown(focus, limit: limit) == wanted)
    }

    @Test func withoutAPartBeginningAndEndAreShown() throws {
        #expect(try shown(nil, limit: 30) == "aaaaaaaaaabbbbbbbbbb […] jjjjjjjjjj")
    }

    @Test func whiteSpaceAtTheEndsIsNotShown() throws {
        let text = "  aaaa bbbb cccc dddd  "

        #expect(try shown(7..<11, limit: 100, text: text) == "aaaa bbbb cccc dddd")
        #expect(try shown(7..<12, limit: 5, text: text) == "[…] bbbb […]")
    }

    @Test func aQuotationShowsItInWholeSentences() throws {
        let text = "It rains. The pilot comes at five, says Ben. We wait. Nobody knows why the crane is late."

        #expect(
            try quoted(11..<20, limit: 60, text: text) == "It rains. The pilot comes at five, says Ben. We wait. […]")
        #expect(try quoted(11..<20, limit: 40, text: text) == "[…] The pilot comes at five, says Ben. […]")
        #expect(try quoted(60..<70, limit: 50, text: text) == "[…] We wait. Nobody knows why the crane is late.")
    }

    @Test func aQuotationOfAVeryLongWordBeginsWithIt() throws {
        #expect(try quoted(50..<60, limit: 20) == "[…] ffffffffffgggggggggg […]")
        #expect(try quoted(90..<100, limit: 20) == "[…] jjjjjjjjjj")
        #expect(try quoted(0..<30, limit: 20) == "aaaaaaaaaabbbbbbbbbb […]")
        #expect(try quoted(50..<60, limit: 100) == Self.text)
        #expect(try quoted(nil, limit: 20) == "aaaaaaaaaabbbbbbbbbb […]")
    }

    @Test func offsetsAreBytes() throws {
        #expect(try shown(8..<12, limit: 2, text: "ääääüüöö") == "[…] üü […]")
    }
}
