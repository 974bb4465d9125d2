import ChatCore
import Histories
import Testing

/// Large and hostile chats: what is compared is bounded.
@Suite struct AlignmentBoundTests {
    private struct Written {
        var text: String
        var second = 0
        var author = "a"
    }

    private static func sequence(_ lines: [Written]) -> LineSequence {
        var sequence = LineSequence()
        for line in lines {
            sequence.append(
                text: TextKey.of(line.text, hasFiles: false, isDeleted: false),
                time: Timestamp(microseconds: 1_700_000_040_000_000 + Int64(line.second) * 1_000_000),
                author: LineSequence.Signature(authorID: UserID(rawValue: line.author), name: line.author),
                isDeleted: false)
        }
        return sequence
    }

    @Test func aFolderWithLinesOfTwoZonesIsMatchedWhole() {
        let hour = 3_600
        let lines = (0..<12).map {
            Written(text: "line number \($0)", second: $0 * 60, author: $0 % 2 == 0 ? "a" : "b")
        }
        // An earlier version stored the last one with the time of another zone than the others.
        let stored = lines.enumerated().map { place, line in
            var line = line
            if place < 11 { line.second += 2 * hour }
            return line
        }.sorted { $0.second < $1.second }

        let alignment = SequenceAlignment(
            stored: Self.sequence(stored), export: Self.sequence(lines), isExact: false)

        #expect(alignment.matches.allSatisfy { $0 >= 0 })
        #expect(alignment.isMatched.allSatisfy { $0 })
    }

    @Test func longChatsOfFewWordsAreAlignedWithoutEachPair() {
        let words = ["ok", "yes", "no", "fine", "and?"]
        let count = 20_000
        let lines = (0..<count).map { number in
            Written(text: words[number * 7 % 5], second: number * 20, author: number % 3 == 0 ? "a" : "b")
        }
        var rest = lines
        rest.remove(at: count / 2)

        let alignment = SequenceAlignment(
            stored: Self.sequence(lines), export: Self.sequence(rest), isExact: false)

        #expect(alignment.shifts == [0])
        #expect(alignment.matches.allSatisfy { $0 >= 0 })
        #expect(alignment.isMatched.count { !$0 } == 1)
        #expect(alignment.matches[0] == 0)
        #expect(alignment.matches.last.map(Int.init) == count - 1)
    }

    @Test func aFloodOfOneMinuteIsMatchedInItsOrder() {
        let lines = (0..<3_000).map { _ in Written(text: "alarm") }
        let export = lines + [Written(text: "end", second: 60, author: "b")]

        let alignment = SequenceAlignment(
            stored: Self.sequence(lines), export: Self.sequence(export), isExact: false)

        #expect(alignment.matches == (0..<3_000).map { Int32($0) } + [-1])
    }

    @Test func chatsWithoutCommonTextsAreNotPairedLineByLine() {
        let stored = (0..<20_000).map { Written(text: "old \($0)", second: $0) }
        let export = (0..<20_000).map { Written(text: "new \($0)", second: $0) }

        let alignment = SequenceAlignment(
            stored: Self.sequence(stored), export: Self.sequence(export), isExact: false)

        #expect(alignment.matches.allSatisfy { $0 == -1 })
    }

    @Test func timesAtTheEndOfTheCalendarDoNotTrap() {
        var old = LineSequence()
        var new = LineSequence()
        let author = LineSequence.Signature(authorID: "a", name: "a")
        let key = TextKey.of("x", hasFiles: false, isDeleted: false)
        old.append(text: key, time: Timestamp(microseconds: -62_135_596_800_000_000), author: author, isDeleted: false)
        new.append(text: key, time: Timestamp(microseconds: 253_402_300_799_999_999), author: author, isDeleted: false)

        #expect(SequenceAlignment(stored: old, export: new, isExact: false).matches == [-1])
    }

    @Test func whatApplicationsWriteDifferentlyIsOneText() {
        let plain = TextKey.of("see you \u{2764} @Jon", hasFiles: false, isDeleted: false)
        #expect(
            plain == TextKey.of("see  you \u{2764}\u{FE0F} @\u{2068}Jon\u{2069} ", hasFiles: true, isDeleted: false))
        #expect(plain != TextKey.of("see you \u{2764} @Jan", hasFiles: false, isDeleted: false))
        #expect(TextKey.of(" ", hasFiles: true, isDeleted: false) == TextKey.files)
        #expect(!TextKey.says(TextKey.of("x", hasFiles: false, isDeleted: true)))
    }
}
