import Testing
import UseCases

struct CommaSeparatedTests {
    @Test func readsQuotesLineEndsAndBlankLines() {
        let rows = CommaSeparated.rows("\u{FEFF}a,b\r\n\"x,\"\"y\"\"\",\"1\n2\"\n\nc,\n")

        #expect(rows.map(\.line) == [1, 2, 5])
        #expect(rows.map(\.fields) == [["a", "b"], ["x,\"y\"", "1\n2"], ["c", ""]])
    }

    @Test func theLastLineNeedsNoEnd() {
        #expect(CommaSeparated.rows("a,b").map(\.fields) == [["a", "b"]])
        #expect(CommaSeparated.rows("").isEmpty)
    }
}
