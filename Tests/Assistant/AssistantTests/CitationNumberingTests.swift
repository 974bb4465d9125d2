import Assistant
import Testing

struct CitationNumberingTests {
    /// Numbers a text that comes in pieces of so many scalars.
    private func numbered(
        _ text: String, sources: Int = 9, pieces length: Int = .max
    ) -> (text: String, marks: [CitationNumbering.Mark]) {
        var numbering = CitationNumbering(sourceCount: sources)
        var result = (text: "", marks: [CitationNumbering.Mark]())
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            var piece = String.UnicodeScalarView()
            piece.append(contentsOf: rest.prefix(length))
            rest = rest.dropFirst(length)
            let read = numbering.read(String(piece))
            result.text += read.text
            result.marks += read.marks
        }
        let end = numbering.finish()
        return (result.text + end.text, result.marks + end.marks)
    }

    @Test(
        arguments: [
            ("a [3] b [1] c [3]", "a [1] b [2] c [1]", [3, 1, 3]), ("[8, 2][2]", "[1, 2][2]", [8, 2, 2]),
            ("[2-4] and [1]", "[1, 2, 3] and [4]", [2, 3, 4, 1]), ("[1-3]", "[1-3]", [1, 2, 3]),
            ("【5】と【5、7】", "【1】と【1, 2】", [5, 5, 7]), ("code `a[3]` and [4]", "code `a[3]` and [1]", [4]),
            ("`open [3]\nnext [2]", "`open [1]\nnext [2]", [3, 2]), ("```\n[3]\n```\n[2]", "```\n[3]\n```\n[1]", [2]),
            ("\\[3] [x] [ [2", "\\[3] [x] [ [2", []), ("é[9]é", "é[1]é", [9]),
        ] as [(String, String, [Int])])
    func citationsAreNumberedByTheirFirstAppearanceHoweverTheTextIsSplit(
        text: String, expected: String, places: [Int]
    ) {
        for length in [1, 2, 3, 5, .max] {
            let found = numbered(text, pieces: length)

            #expect(found.text == expected, "\(length)")
            #expect(found.marks.map(\.place) == places, "\(length)")
            let characters = Array(found.text)
            for mark in found.marks {
                let bracket = String(characters[mark.range])
                #expect("[【".contains(bracket.first ?? "x") && "]】".contains(bracket.last ?? "x"), "\(bracket)")
            }
            #expect(Set(found.marks.map(\.number)) == Set(1..<(Set(places).count + 1)))
        }
    }

    @Test func onlyWhatMayBecomeACitationIsHeldBack() {
        var numbering = CitationNumbering(sourceCount: 9)

        #expect(numbering.read("It is ").text == "It is ")
        #expect(numbering.read("Friday [").text == "Friday ")
        #expect(numbering.read("7").text == "")
        #expect(numbering.read("] e").text == "[1] e")
        #expect(numbering.read("\u{301}").text == "\u{301}")
        #expect(numbering.read(" [7]").text == " ")
        let end = numbering.finish()
        #expect(end.text == "[1]")
        #expect(end.marks.map(\.place) == [7])
        #expect(end.marks.map(\.number) == [1])
        #expect(end.marks.map(\.range) == [19..<22])
    }
}
