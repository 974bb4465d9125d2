import Documents
import Testing

@Suite struct PictureTextTests {
    private func text(_ words: (line: Int, confidence: String, text: String)...) -> String {
        let head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
        let rows = words.map { "5\t1\t1\t1\t\($0.line)\t1\t0\t0\t9\t9\t\($0.confidence)\t\($0.text)\n" }
        return PictureText(table: head + "4\t1\t1\t1\t1\t0\t0\t0\t9\t9\t-1\t\n" + rows.joined()).text
    }

    @Test func wordsStandInTheirLines() {
        #expect(text((1, "96.1", "berth"), (1, "91", "7"), (2, "88.5", "today")) == "berth 7\ntoday")
    }

    @Test func wordsThatAreUnsureAreLeftOut() {
        #expect(text((1, "96", "berth"), (1, "31.2", "§x"), (2, "22", "~"), (3, "95", " ")) == "berth")
    }

    @Test func aPictureWithoutWordsIsEmpty() {
        #expect(text() == "")
        #expect(PictureText(table: "").text == "")
    }
}
