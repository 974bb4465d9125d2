import Documents
import Testing

@Suite struct PDFTextTests {
    /// One page of one block, whose lines end where a column of 100 points ends.
    private func page(_ lines: [String]) -> String {
        let rows = lines.map { line in
            let words = line.split(separator: " ").map { "<word xMin=\"0\" xMax=\"1\">\($0)</word>" }.joined(
                separator: "\n")
            return "<line xMin=\"0\" yMin=\"0\" xMax=\"100\" yMax=\"1\">\(words)</line>"
        }
        return "<page width=\"100\" height=\"100\"><flow><block>\(rows.joined())</block></flow></page>"
    }

    private func text(_ pages: String..., plain: String? = nil) throws -> [String] {
        let layout =
            "<!DOCTYPE html><html><head><title>no text</title></head><body><doc>\(pages.joined())</doc></body></html>"
        return try PDFText(layout: Array(layout.utf8)).text(plain: plain).parts.map(\.text)
    }

    @Test func aHyphenOfADateOrNameStays() throws {
        #expect(try text(page(["due on 2026-11-", "27 by ISO-", "9001"])) == ["due on 2026-11-27 by ISO-9001"])
    }

    @Test(arguments: [
        (["this de-", "scribes it"], "this describes it"), (["this de\u{2010}", "scribes it"], "this describes it"),
        (["this de\u{AD}", "scribes it"], "this describes it"), (["pages 10-", "20 of it"], "pages 10-20 of it"),
        (["at Port-", "Royal now"], "at Port-Royal now"), (["a minus -", "4 of it"], "a minus - 4 of it"),
    ]) func aDividedWordIsJoined(lines: [String], expected: String) throws {
        #expect(try text(page(lines)) == [expected])
    }

    @Test func marksOfDirectionAndSignsOfPrivateUseAreLeftOut() throws {
        #expect(try text(page(["\u{202B}crane\u{202C} \u{F0B7} to\u{200F}", "\u{FEFF}berth"])) == ["crane to berth"])
    }

    @Test func aPageWithoutTextKeepsItsNumber() throws {
        #expect(try text(page(["one"]), "<page></page>", page(["three"])) == ["one", "", "three"])
    }

    @Test func aWordThatHasItsHyphenWithinALineKeepsIt() throws {
        #expect(
            try text(page(["the self-", "hosted one"]), page(["a self-hosted server"]))
                == ["the self-hosted one", "a self-hosted server"])
    }

    @Test func aDashAtTheEndOfALineIsNoHyphen() throws {
        #expect(try text(page(["the crane -", "the old one"])) == ["the crane - the old one"])
    }

    @Test func japaneseLinesAreJoinedWithoutSpace() throws {
        #expect(try text(page(["会議は来週の", "月曜日です"])) == ["会議は来週の月曜日です"])
    }

    @Test func pagesFromRightToLeftComeFromThePlainForm() throws {
        let pages = [page(["hello there"]), page(["םולש םלוע"])]
        #expect(
            try text(pages[0], pages[1], plain: "hello there\n\u{0C}שלום עולם\n\u{0C}") == ["hello there", "שלום עולם"])
        #expect(try PDFText(layout: Array("<doc>\(pages[0])</doc>".utf8)).needsPlainForm == false)
    }
}
