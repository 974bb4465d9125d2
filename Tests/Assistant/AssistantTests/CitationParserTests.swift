import Assistant
import Testing

@Suite("CitationParser")
struct CitationParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let marks: [CitationParser.Mark]
        var testDescription: String { text }

        /// Five sources; each mark is given as number, start, end.
        init(_ text: String, _ marks: (Int, Int, Int)...) {
            self.text = text
            self.marks = marks.map { CitationParser.Mark(number: $0.0, range: $0.1..<$0.2) }
        }
    }

    static let rows = [
        Row(""), Row("No citation."), Row("[1]", (1, 0, 3)), Row("At nine [2].", (2, 8, 11)),
        Row("[1, 2]", (1, 0, 6), (2, 0, 6)), Row("[1,2;3]", (1, 0, 7), (2, 0, 7), (3, 0, 7)),
        Row("[1][3]", (1, 0, 3), (3, 3, 6)), Row("[1] [3]", (1, 0, 3), (3, 4, 7)),
        Row("[2-4]", (2, 0, 5), (3, 0, 5), (4, 0, 5)), Row("[4–9]", (4, 0, 5), (5, 0, 5)),
        Row("[1, 3-4]", (1, 0, 8), (3, 0, 8), (4, 0, 8)), Row("[ 1 ]", (1, 0, 5)), Row("[2, 2]", (2, 0, 6)),
        Row("决定了【1】，八点【2、3】。", (1, 3, 6), (2, 9, 14), (3, 9, 14)), Row("[1，2]", (1, 0, 5), (2, 0, 5)),
        Row("[0] [6] [99999]"), Row("[5, 6]", (5, 0, 6)), Row("[2020-2025]"), Row("[3-1]"), Row("[1-2-3]"), Row("[1-]"),
        Row("[]"), Row("[ ]"), Row("[,]"), Row("[1,]"), Row("[1 2]"), Row("[one]"), Row("[1a]"), Row("[1】"), Row("[1"),
        Row("[1\n]"), Row("[-1]"), Row("[1.5]"), Row("[^1]"), Row("[x] [ ] todo"), Row("[[1]]", (1, 1, 4)),
        Row("[[2] and [3]", (2, 1, 4), (3, 9, 12)), Row("Friday[1].", (1, 6, 9)), Row("\\[1\\] \\[1]"),
        Row("[1](http://x)", (1, 0, 3)), Row("[1]: Ada", (1, 0, 3)), Row("[1\u{301}]"),
        Row("[1]\u{301} [2]", (2, 4, 7)),
        Row("[१] [１]"), Row("e\u{301}👨‍👩‍👧🇩🇪🇫🇷\r\n[1]", (1, 5, 8)),
        Row("use `a[1]` here [2]", (2, 16, 19)), Row("``x ` [1]`` [2]", (2, 12, 15)),
        Row("a ` b [1]\nc [2]", (1, 6, 9), (2, 12, 15)), Row("a ` b [1]", (1, 6, 9)), Row("`[1]`"),
        Row("``[1]", (1, 2, 5)),
        Row("```\nx[1]\n```\ny [2]", (2, 15, 18)), Row("```\nx[1]\n"),
        Row("  ```swift\nx[1] ``` y[2]\n  ```\n[3]", (3, 31, 34)),
        Row("```a[1]``` [2]", (2, 11, 14)), Row("```\n``\n[1]\n````\n[2]", (2, 16, 19)),
        Row("x ```[1]``` [2]", (2, 12, 15)),
        Row("`a` [1] `b` [2] ` [3]", (1, 4, 7), (2, 12, 15), (3, 18, 21)),
        Row("[" + String(repeating: "1,", count: 40) + "1]"),
        Row("[1" + String(repeating: ", 1", count: 15) + "]", (1, 0, 48)),
    ]

    @Test("Finds exactly the citations, where they stand", arguments: rows)
    func finds(row: Row) {
        #expect(marks(of: [row.text]) == row.marks)
    }

    @Test("Finds the same however the text is split: at each place in two, and into single scalars", arguments: rows)
    func findsWhenSplit(row: Row) {
        let scalars = Array(row.text.unicodeScalars)
        for place in 0...scalars.count {
            #expect(marks(of: [text(scalars[..<place]), text(scalars[place...])]) == row.marks, "split at \(place)")
        }
        #expect(marks(of: scalars.map { String($0) }) == row.marks)
    }

    @Test("Reports a citation with the delta after it at the latest, not at the end")
    func reportsSoon() {
        var parser = CitationParser(sourceCount: 2)

        #expect(parser.read("At nine [1") == [])
        #expect(parser.read("]") == [])
        #expect(parser.read(".") == [.init(number: 1, range: 8..<11)])
        #expect(parser.read(" Or [2] later.") == [.init(number: 2, range: 16..<19)])
        #expect(parser.finish() == [])
    }

    @Test("Without sources nothing is a citation")
    func needsSources() {
        var parser = CitationParser(sourceCount: 0)
        #expect(parser.read("[1] [0-9] .") + parser.finish() == [])
    }

    private func marks(of deltas: [String]) -> [CitationParser.Mark] {
        var parser = CitationParser(sourceCount: 5)
        let marks = deltas.flatMap { parser.read($0) }
        return marks + parser.finish()
    }

    private func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(scalars))
    }
}
