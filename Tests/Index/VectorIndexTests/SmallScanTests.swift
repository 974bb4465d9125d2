import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// Few rows are scanned in a special way, which returns the same results as the others.
@Suite struct SmallScanTests {
    private static let dimensions = 72

    /// An index of rows in groups of `groupSize`, which `rowsPerVector` share a vector each.
    private static func index(_ count: Int, groupSize: Int, rowsPerVector: Int = 1) throws -> CosineIndex {
        let vectors = LatentVectors(dimensions: dimensions, seed: 5)
        var generator = SplitMix64(seed: UInt64(count))
        let rows = (0..<count).map { number in
            var vector = vectors.next(using: &generator)
            if rowsPerVector == 1 { vector[number % dimensions] += Float(number % 11) / 20 }
            return VectorRow(Int64(count - number), in: Int64(number / groupSize), vector)
        }
        let index = CosineIndex(dimensions: dimensions, blockRowCount: 300)
        try index.upsert(rows)
        return index
    }

    private static func expectOneResult(
        _ index: CosineIndex, k: Int, in selection: GroupSelection = .all,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let vectors = LatentVectors(dimensions: dimensions, seed: 5)
        var generator = SplitMix64(seed: 99)
        let snapshot = index.snapshot()
        for _ in 0..<12 {
            let query = vectors.next(using: &generator)
            let hits = try snapshot.search(batch: [query], k: k, in: selection, by: .fastest)
            #expect(
                try hits == snapshot.search(batch: [query], k: k, in: selection, by: .floats), sourceLocation: location)
            #expect(
                try hits == snapshot.search(batch: [query], k: k, in: selection, by: .codes), sourceLocation: location)
        }
    }

    /// From 4,097 rows on a scope is scanned like a large one.
    @Test(arguments: [1, 15, 16, 17, 1000, 4095, 4096, 4097])
    func agreesAtEveryNumberOfRows(count: Int) throws {
        let index = try Self.index(count, groupSize: 37)

        try Self.expectOneResult(index, k: 10)
    }

    @Test(arguments: [1, 10, 60, 899, 900, 2000])
    func agreesForEveryNumberOfHits(k: Int) throws {
        let index = try Self.index(900, groupSize: 10)

        try Self.expectOneResult(index, k: k)
    }

    @Test func manyEqualRowsComeInTheOrderOfTheirKeys() throws {
        let index = try Self.index(1200, groupSize: 100, rowsPerVector: 12)

        try Self.expectOneResult(index, k: 30)
    }

    /// Whole stretches of rows are gone, but not so many that a block is written again.
    @Test func removedRowsAreNeverFound() throws {
        let index = try Self.index(2000, groupSize: 250)
        let removed = (1...2000).filter { $0 % 250 < 60 }.map { RowKey(rawValue: $0) }
        index.remove(removed)

        try Self.expectOneResult(index, k: 10)
        let all = try index.search([Float](repeating: 1, count: Self.dimensions), k: 2000, in: .all)
        #expect(all.count == 2000 - removed.count)
        #expect(Set(all.map(\.key)).isDisjoint(with: removed))
    }

    @Test func aScopeOfSomeGroupsFindsTheirRowsOnly() throws {
        let index = try Self.index(3000, groupSize: 50)

        try Self.expectOneResult(index, k: 10, in: groups(3, 17, 59, 1000))
        let hits = try index.search([Float](repeating: 1, count: Self.dimensions), k: 500, in: groups(3, 17, 59, 1000))
        #expect(hits.count == 150)
        #expect(Set(hits.map(\.group.rawValue)) == [3, 17, 59])
    }
}
