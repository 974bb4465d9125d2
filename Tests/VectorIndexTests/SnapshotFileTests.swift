import Testing
import VectorIndex

/// Rows that go through a file come back as they were.
@Suite struct SnapshotFileTests {
    private static let stamp = SnapshotStamp(identity: "store 1", watermark: 77)

    private static func rows(_ count: Int, dimensions: Int, groupCount: Int64) -> [VectorRow] {
        var generator = SplitMix64(seed: 3)
        let source = LatentVectors(dimensions: dimensions, seed: 3)
        return (0..<count).map { number in
            VectorRow(
                key: RowKey(rawValue: Int64(number) * 7 - 50),
                group: GroupKey(rawValue: Int64(number) % groupCount - 1),
                attributes: RowAttributes(sender: Int64(number % 5), time: Int64(number)),
                vector: source.next(using: &generator))
        }
    }

    @Test(arguments: [1, 3, 100, 1536], [nil, 1, 5])
    func anOpenedIndexAnswersAsTheWrittenOne(dimensions: Int, blockRowCount: Int?) throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
        let rows = Self.rows(300, dimensions: dimensions, groupCount: 9)
        try index.upsert(rows)
        index.remove(rows[20..<60].map(\.key))

        let written = try index.writeSnapshot(to: folder.file(), stamp: Self.stamp)
        let (opened, watermark) = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: dimensions, blockRowCount: blockRowCount)

        #expect(written.rowCount == 260 && watermark == 77 && opened.count == 260)
        #expect(try folder.read().count == written.byteCount)
        #expect(folder.names() == ["index"])
        #expect(opened.groupCounts() == index.groupCounts())
        for query in rows.prefix(5).map(\.vector) {
            for selection in [GroupSelection.all, groups(2, 5)] {
                for predicate in [nil, { $1.sender == 3 && $1.time > 100 }] as [RowPredicate?] {
                    let expected = try index.search(query, k: 40, in: selection, where: predicate)
                    #expect(try opened.search(query, k: 40, in: selection, where: predicate) == expected)
                }
            }
        }
        for row in rows { #expect(opened.vector(of: row.key) == index.vector(of: row.key)) }
        #expect(opened.snapshot().byteCount == 0)
    }

    @Test func anAdoptedFileTakesThePlaceOfMemory() throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 100, blockRowCount: 5)
        var model = PlainIndex()
        let rows = Self.rows(300, dimensions: 100, groupCount: 9)
        try index.upsert(rows)
        model.upsert(rows)
        let written = try index.writeSnapshot(to: folder.file(), stamp: Self.stamp)
        index.remove(rows[0..<10].map(\.key))
        model.remove(rows[0..<10].map(\.key))
        try index.adopt(written)

        let hits = try index.search(rows[0].vector, k: 500, in: .all)

        try model.verify(hits, rows[0].vector, k: 500, in: .all, index: index)
        #expect(index.count == 290)
    }
}
