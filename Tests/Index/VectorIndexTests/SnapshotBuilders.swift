import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// What the files of the tests belong to.
let identity = "store 1"

/// Seeded rows with attributes, spread over groups from -1 on.
func snapshotRows(_ count: Int, dimensions: Int, groupCount: Int64) -> [VectorRow] {
    var generator = SplitMix64(seed: 3)
    let source = LatentVectors(dimensions: dimensions, seed: 3)
    return (0..<count).map { number in
        VectorRow(
            key: RowKey(rawValue: Int64(number) * 7 - 50), group: GroupKey(rawValue: Int64(number) % groupCount - 1),
            attributes: RowAttributes(sender: Int64(number % 5), time: Int64(number)),
            vector: source.next(using: &generator))
    }
}

/// Opens the file `index` of a folder.
func reopen(
    _ folder: SnapshotFolder, dimensions: Int, blockRowCount: Int?
) throws(SnapshotError) -> CosineIndex {
    try CosineIndex.open(
        snapshotAt: folder.file(), identity: "store 1", dimensions: dimensions, blockRowCount: blockRowCount)
}

/// Compares hits, bit for bit, and stored rows.
func expectSameResults(
    _ opened: CosineIndex, _ index: CosineIndex, _ rows: [VectorRow], _ location: SourceLocation = #_sourceLocation
) throws {
    for query in rows.prefix(5).map(\.vector) {
        for selection in [GroupSelection.all, groups(2, 5)] {
            for predicate in [nil, { $1.sender == 3 && $1.time > 100 }] as [RowPredicate?] {
                for k in [1, 40] {
                    let hits = try opened.search(query, k: k, in: selection, where: predicate)
                    let expected = try index.search(query, k: k, in: selection, where: predicate)
                    #expect(hits == expected, sourceLocation: location)
                }
            }
        }
        let scores = try opened.score(of: rows.map(\.key), for: query)
        #expect(try scores == index.score(of: rows.map(\.key), for: query), sourceLocation: location)
    }
    for row in rows {
        #expect(opened.vector(of: row.key) == index.vector(of: row.key), sourceLocation: location)
    }
}
