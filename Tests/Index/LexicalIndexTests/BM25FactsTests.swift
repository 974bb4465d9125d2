import IndexCore
import LexicalIndex
import Testing

@Suite struct BM25FactsTests {
    private func row(
        _ text: String = "plan plan b", group: Int64 = 1, thread: Int64 = 0, at time: Int64 = 9, sender: String = "ann",
        flags: UInt16 = 3
    ) -> LexicalRow {
        LexicalRow(7, in: group, thread: thread, at: time, sender: sender, flags: flags, text)
    }

    private func index(_ row: LexicalRow) -> BM25Index {
        let index = BM25Index(blockRowCount: 4)
        index.upsert((20..<40).map { LexicalRow($0, at: $0, sender: "ann", "plan b c") } + [row])
        return index
    }

    @Test func aRowIsHeldAsItWasWritten() {
        let snapshot = index(row()).snapshot()

        #expect(snapshot.holds(row()))
        #expect(!BM25Index().snapshot().holds(row()))
    }

    @Test(arguments: ["plan b b", "plan plan", "plan plan b b", "plan plan c", "plan plan b x", "", "b plan planb"])
    func aRowOfOtherTermsIsNotHeld(text: String) {
        #expect(!index(row()).snapshot().holds(row(text)))
        #expect(!index(row(text)).snapshot().holds(row()))
    }

    @Test func theOrderOfTermsDoesNotCount() {
        #expect(index(row()).snapshot().holds(row("b plan plan")))
    }

    @Test func aRowElsewhereOrOfOtherFactsIsNotHeld() {
        let snapshot = index(row()).snapshot()

        #expect(!snapshot.holds(row(group: 2)))
        #expect(!snapshot.holds(row(thread: 1)))
        #expect(!snapshot.holds(row(at: 8)))
        #expect(!snapshot.holds(row(flags: 2)))
        #expect(!snapshot.holds(row("plan plan b ann", sender: "")))
        let other = LexicalRow(
            key: row().key, group: row().group, attributes: RowAttributes(sender: 1, time: 9 * second), flags: 3,
            terms: row().terms)
        #expect(!snapshot.holds(other))
    }

    /// Of a term that fills its counter another one may have taken the place.
    @Test func whatIsNotCountedExactlyIsNotHeld() {
        let often = Array(repeating: "plan", count: 255).joined(separator: " ")

        #expect(!index(row(often + " secret")).snapshot().holds(row(often + " plan")))
        #expect(!index(row(often)).snapshot().holds(row(often)))
        let exact = Array(repeating: "plan", count: 254).joined(separator: " ")
        #expect(index(row(exact)).snapshot().holds(row(exact)))
    }

    @Test func factsAreThoseOfTheRow() {
        let snapshot = index(row()).snapshot()

        let facts = RowFacts(
            key: row().key, attributes: RowAttributes(sender: 0, time: 9 * second), flags: 3, textLength: 3)
        #expect(snapshot.facts(of: row().key) == facts)
        #expect(snapshot.facts(of: RowKey(rawValue: 8)) == nil)
    }

    @Test func everyRowIsVisitedOnce() {
        var keys: [Int64] = []

        index(row(group: 2)).snapshot().forEachRow { keys.append($0.key.rawValue) }

        #expect(keys.sorted() == [7] + Array(20..<40))
    }
}
