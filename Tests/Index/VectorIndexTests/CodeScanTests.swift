import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// Searches through codes return what searches through Float32 rows return, whatever the scores look like.
@Suite struct CodeScanTests {
    /// Rows scattered round a few centres, so that the best of them are close to each other.
    private static func rows(_ count: Int, dimensions: Int, spread: Float, seed: UInt64) -> [VectorRow] {
        var generator = SplitMix64(seed: seed)
        func random(_ range: ClosedRange<Float>) -> [Float] {
            (0..<dimensions).map { _ in Float.random(in: range, using: &generator) }
        }
        let centres = (0..<7).map { _ in random(-1...1) }
        return (0..<count).map { number in
            let vector = zip(centres[number % 7], random(-spread...spread)).map { $0 + $1 }
            return VectorRow(Int64(number), in: Int64(number % 23), vector)
        }
    }

    /// Searches in every way and expects one result.
    private static func expectOneResult(
        _ rows: [VectorRow], dimensions: Int, k: Int, blockRowCount: Int? = nil, threadCount: Int = 1,
        in selection: GroupSelection = .all, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount, threadCount: threadCount)
        try index.upsert(rows)
        index.remove(rows.map(\.key).filter { $0.rawValue % 10 == 3 })
        let queries = rows.prefix(9).map { row in row.vector.enumerated().map { $1 + Float($0 % 5) / 20 } }
        let snapshot = index.snapshot()
        for predicate: RowPredicate? in [nil, { key, _ in key.rawValue % 3 == 1 }] {
            let expected = try snapshot.search(batch: queries, k: k, in: selection, by: .floats, where: predicate)
            let live = rows.filter { index.contains($0.key) && predicate?($0.key, $0.attributes) ?? true }
            #expect(selection != .all || expected.allSatisfy { $0.count == min(k, live.count) })
            for kind in [ScanKind.codes, .fastest] {
                let batch = try snapshot.search(batch: queries, k: k, in: selection, by: kind, where: predicate)
                #expect(batch == expected, sourceLocation: location)
                let singles = try queries.map {
                    try snapshot.search(batch: [$0], k: k, in: selection, by: kind, where: predicate)[0]
                }
                #expect(singles == expected, sourceLocation: location)
            }
        }
    }

    @Test(arguments: [1, 2, 3, 63, 64, 65, 100, 384, 768, 1000, 1024, 1536, 3072, 4096])
    func agreesWithFloatsInEveryDimension(dimensions: Int) throws {
        let rows = Self.rows(700, dimensions: dimensions, spread: 1, seed: UInt64(dimensions))

        try Self.expectOneResult(rows, dimensions: dimensions, k: 10)
        try Self.expectOneResult(rows, dimensions: dimensions, k: 10, in: groups(1, 5, 99))
    }

    @Test(arguments: [1, 3, 20, 500])
    func agreesWithFloatsForEveryNumberOfHits(k: Int) throws {
        let rows = Self.rows(500, dimensions: 96, spread: 0.5, seed: 3)

        try Self.expectOneResult(rows, dimensions: 96, k: k)
        try Self.expectOneResult(rows, dimensions: 96, k: k, blockRowCount: 7)
    }

    /// The scores lie closer to each other than the codes can tell.
    @Test(arguments: [1e-2, 1e-4, 1e-6, 0] as [Float])
    func agreesWithFloatsWhenScoresAreFlat(spread: Float) throws {
        try Self.expectOneResult(
            Self.rows(600, dimensions: 200, spread: spread, seed: 5), dimensions: 200, k: 10)
    }

    /// One component outweighs the rest, which the codes then hold badly.
    @Test func agreesWithFloatsWhenOneComponentOutweighsTheOthers() throws {
        let rows = Self.rows(600, dimensions: 128, spread: 1, seed: 7).map { row in
            VectorRow(key: row.key, group: row.group, vector: [1000 + row.vector[0]] + row.vector.dropFirst())
        }

        try Self.expectOneResult(rows, dimensions: 128, k: 10)
    }

    @Test(arguments: [2, 3, 8])
    func threadsDoNotChangeAResult(threadCount: Int) throws {
        let rows = Self.rows(40_000, dimensions: 256, spread: 1, seed: 9)

        try Self.expectOneResult(rows, dimensions: 256, k: 10, threadCount: threadCount)
        try Self.expectOneResult(rows, dimensions: 256, k: 100, blockRowCount: 50, threadCount: threadCount)
    }

    @Test func manyTasksSearchWithThreadsAtOnce() async throws {
        let index = CosineIndex(dimensions: 256, threadCount: 2)
        let rows = Self.rows(40_000, dimensions: 256, spread: 1, seed: 11)
        try index.upsert(rows)
        let expected = try index.snapshot().search(batch: [rows[5].vector], k: 10, in: .all, by: .floats)[0]

        try await withThrowingTaskGroup(of: [VectorHit].self) { tasks in
            for _ in 0..<20 { tasks.addTask { try index.search(rows[5].vector, k: 10, in: .all) } }
            for try await hits in tasks { #expect(hits == expected) }
        }
    }

    @Test func shortRowsHaveNoCodesAndLongerOnesTakeLittleMoreThanAByteAComponent() throws {
        let short = CosineIndex(dimensions: 63)
        try short.upsert(Self.rows(100, dimensions: 63, spread: 1, seed: 13))
        let long = CosineIndex(dimensions: 384)
        try long.upsert(Self.rows(23, dimensions: 384, spread: 1, seed: 13))

        #expect(short.snapshot().codeByteCount == 0)
        #expect(long.snapshot().codeByteCount == 23 * (384 + 16))
    }

    @Test func codesFollowRowsThatMove() throws {
        let index = CosineIndex(dimensions: 80, blockRowCount: 5)
        let rows = Self.rows(200, dimensions: 80, spread: 1, seed: 15)
        for row in rows { try index.upsert([row]) }
        index.remove((0..<150).filter { $0 % 4 != 1 }.map { RowKey(rawValue: $0) })
        let snapshot = index.snapshot()

        for row in rows where index.contains(row.key) {
            let hits = try snapshot.search(batch: [row.vector], k: 1, in: .all, by: .codes)[0]
            #expect(hits.map(\.key) == [row.key])
        }
    }
}
