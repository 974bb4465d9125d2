import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// The compact form: nearly all of the best rows, with the scores that the exact form gives them.
@Suite struct CompactFormTests {
    private static let dimensions = 384

    /// Rows in 23 groups, each around its own centre, and queries near some rows.
    private static func rows(_ count: Int) -> (rows: [VectorRow], queries: [[Float]]) {
        var generator = SplitMix64(seed: 5)
        func noise() -> [Float] {
            (0..<dimensions).map { _ in (0..<4).reduce(0) { sum, _ in sum + .random(in: -1...1, using: &generator) } }
        }
        let centres = (0..<23).map { _ in noise() }
        let rows = (0..<count).map { number in
            VectorRow(Int64(number), in: Int64(number % 23), zip(centres[number % 23], noise()).map { $0 + $1 })
        }
        return (rows, (0..<40).map { zip(rows[$0 * 31 % count].vector, noise()).map { $0 + 0.7 * $1 } })
    }

    private static func index(_ rows: [VectorRow], threadCount: Int = 1) throws -> CosineIndex {
        let index = CosineIndex(
            dimensions: dimensions, form: .compact, blockRowCount: 100, threadCount: threadCount)
        try index.upsert(rows)
        return index
    }

    private static func recall(_ found: [[VectorHit]], _ expected: [[VectorHit]]) -> Double {
        let pairs = zip(found, expected).map { Set($0).intersection($1).count }
        return Double(pairs.reduce(0, +)) / Double(expected.reduce(0) { $0 + $1.count })
    }

    @Test(arguments: [1, 2], [GroupSelection.all, groups(3, 4, 9)]) func findsNearlyAllOfTheBestRows(
        threadCount: Int, selection: GroupSelection
    ) throws {
        let (rows, queries) = Self.rows(6000)
        let index = try Self.index(rows, threadCount: threadCount)
        index.remove(rowKeys((0..<6000).filter { $0 % 10 == 3 }))
        let snapshot = index.snapshot()

        for predicate in [nil, { key, _ in key.rawValue % 3 == 1 }] as [RowPredicate?] {
            let expected = try snapshot.search(batch: queries, k: 10, in: selection, by: .floats, where: predicate)
            let single = try queries.map {
                try snapshot.search(batch: [$0], k: 10, in: selection, by: .codes, where: predicate)[0]
            }
            let batch = try snapshot.search(batch: queries, k: 10, in: selection, by: .codes, where: predicate)

            // A hit counts with its score, which must be the exact one.
            #expect(Self.recall(single, expected) >= 0.995)
            #expect(Self.recall(batch, expected) >= 0.995)
            #expect((single + batch).allSatisfy { $0.count == 10 && Set($0.map(\.key)).count == 10 })
        }
    }

    @Test func findsAllRowsWhenThereAreNoMoreThanAreWanted() throws {
        let (rows, queries) = Self.rows(60)
        let snapshot = try Self.index(rows).snapshot()

        let hits = try snapshot.search(batch: [queries[0]], k: 100, in: .all, by: .codes)[0]

        #expect(try hits == snapshot.search(batch: [queries[0]], k: 100, in: .all, by: .floats)[0])
        #expect(hits.count == 60)
    }

    @Test func takesAFifthOfAByteAComponentAtMost() throws {
        for (dimensions, rowCount) in [(384, 85), (1536, 85), (3072, 42)] {
            let index = CosineIndex(dimensions: dimensions, form: .compact)
            try index.upsert(
                (0..<rowCount).map { number in
                    VectorRow(Int64(number), in: 1, (0..<dimensions).map { Float(($0 * 7 + number) % 11) - 5 })
                })

            #expect(Double(index.snapshot().codeByteCount) <= 0.2 * Double(rowCount * dimensions))
        }
    }

    @Test func opensFromAFileInItsOwnFormOnly() throws {
        let folder = try SnapshotFolder()
        let (rows, queries) = Self.rows(1500)
        let index = try Self.index(rows)
        _ = try index.writeSnapshot(to: folder.file(), identity: identity)

        let opened = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: Self.dimensions, form: .compact,
            blockRowCount: 100
        )

        for query in queries {
            #expect(try opened.search(query, k: 7, in: .all) == index.search(query, k: 7, in: .all))
        }
        #expect(throws: SnapshotError.mismatch(field: "codes")) {
            try CosineIndex.open(
                snapshotAt: folder.file(), identity: "store 1", dimensions: Self.dimensions, blockRowCount: 100)
        }
    }

    @Test func aDamagedRowIsMetWhenItIsScored() throws {
        let folder = try SnapshotFolder()
        let (rows, queries) = Self.rows(1500)
        _ = try Self.index(rows).writeSnapshot(to: folder.file(), identity: identity)
        // The rows are the last of the file.
        var bytes = try folder.read()
        bytes[bytes.count - 1000] ^= 4
        try folder.write(bytes)
        let opened = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: Self.dimensions, form: .compact,
            blockRowCount: 100
        )

        #expect(throws: VectorIndexError.damaged) { try opened.search(queries[0], k: 1500, in: .all) }
        #expect(throws: VectorIndexError.damaged) {
            try opened.snapshot().search(batch: queries, k: 400, in: .all, by: .codes)
        }
        #expect(!opened.damagedRows().isEmpty)
    }
}
