import IndexCore
import LexicalIndex
import Testing

/// Rows outside of a group's times leave no trace: every number is that of an index without them.
@Suite struct GroupLimitTests {
    /// Rows of two groups and three threads, one a minute.
    private static let rows = (0..<120).map { number in
        LexicalRow(
            number, in: number % 2, thread: number % 3, at: number * 60, sender: "ann", flags: UInt16(number % 4) << 4,
            "plan word\(number % 7) tea\(number % 5)")
    }

    private static func limit(_ group: Int64, _ minutes: Range<Int64>...) -> GroupLimit {
        GroupLimit(
            GroupKey(rawValue: group),
            times: minutes.map { $0.lowerBound * 60 * second..<$0.upperBound * 60 * second })
    }

    @Test(arguments: [
        [limit(0, 40..<120)], [limit(0, 0..<1)], [limit(0, 10..<20, 50..<90), limit(1, 3..<77)],
        [limit(1, 0..<120)], [limit(9, 0..<9)],
    ])
    func hiddenRowsChangeNoNumber(limits: [GroupLimit]) throws {
        let isVisible = { (row: LexicalRow) in
            limits.first { $0.group == row.group }?.times.contains { $0.contains(row.attributes.time) } ?? true
        }
        let (whole, rest) = (BM25Index(blockRowCount: 8), BM25Index(blockRowCount: 8))
        whole.upsert(Self.rows)
        rest.upsert(Self.rows.filter(isVisible))

        let (limited, expected) = (whole.snapshot().limited(to: limits), rest.snapshot())

        for scope in [groups(0), groups(1), groups(0, 1)] {
            #expect(limited.figures(in: scope) == expected.figures(in: scope))
            for query in [LexicalQuery("word1 plan"), LexicalQuery("ann tea0 tea2"), LexicalQuery("word2 word6")] {
                let (first, second) = (try limited.scan(query, in: scope), try expected.scan(query, in: scope))
                #expect(try first.hits(k: 200) == second.hits(k: 200))
                #expect(first.scores(of: Self.rows.map(\.key)) == second.scores(of: Self.rows.map(\.key)))
                #expect(first.scoreLimit == second.scoreLimit)
            }
        }
        let keys = Self.rows.map(\.key)
        #expect(
            limited.neighbours(of: keys, maximumGap: 3_600 * second)
                == expected.neighbours(of: keys, maximumGap: 3_600 * second))
        for row in Self.rows { #expect((limited.facts(of: row.key) != nil) == isVisible(row)) }
    }

    @Test func aGroupWithoutVisibleRowsIsGone() throws {
        let index = BM25Index(blockRowCount: 8)
        index.upsert(Self.rows)

        let limited = index.snapshot().limited(to: [GroupLimit(GroupKey(rawValue: 1), times: [])])

        #expect(try limited.search(LexicalQuery("plan"), k: 1, in: groups(1)).isEmpty)
        #expect(limited.figures(in: groups(1)).rowCount == 0)
        #expect(index.snapshot().figures(in: groups(1)).rowCount == 60)
    }
}
