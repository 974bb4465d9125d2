import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// What one search promises.
@Suite struct CosineIndexSearchTests {
    @Test func findsNothingInAnEmptyIndex() throws {
        let index = CosineIndex(dimensions: 3)

        #expect(try index.search([1, 0, 0], k: 5, in: .all).isEmpty)
        #expect(try index.search(batch: [[1, 0, 0], [0, 1, 0]], k: 5, in: .all) == [[], []])
        #expect(try index.search(batch: [], k: 5, in: .all).isEmpty)
    }

    @Test func returnsFewerHitsWhenIndexIsSmall() throws {
        let index = CosineIndex(dimensions: 2)
        try index.upsert([VectorRow(1, in: 1, [3, 0]), VectorRow(2, in: 1, [0, -2]), VectorRow(3, in: 2, [-1, 0])])

        let hits = try index.search([5, 0], k: .max, in: .all)

        #expect(hits.map(\.key) == rowKeys([1, 2, 3]))
        #expect(hits.map(\.score) == [1, 0, -1])
        #expect(hits.map(\.group.rawValue) == [1, 1, 2])
    }

    @Test func emptyOrUnknownScopeFindsNothing() throws {
        let index = CosineIndex(dimensions: 1)
        try index.upsert([VectorRow(1, in: 1, [1])])

        #expect(try index.search([1], k: 1, in: .only([])).isEmpty)
        #expect(try index.search([1], k: 1, in: groups(2)).isEmpty)
        #expect(try index.search([1], k: 1, in: groups(1, 2)).count == 1)
    }

    @Test(arguments: [1, 3, 64, 100, 384], [1, 2, 5, 64])
    func equalVectorsTieByAscendingKeyAlsoAtTheCut(dimensions: Int, blockRowCount: Int) throws {
        let index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
        var generator = SplitMix64(seed: 9)
        let vector = (0..<dimensions).map { _ in Float.random(in: 0.1...1, using: &generator) }
        let keys = rowKeys(0..<100).shuffled(using: &generator)
        for key in keys { try index.upsert([VectorRow(key.rawValue, in: key.rawValue % 3, vector)]) }
        let query = vector.enumerated().map { $0.offset % 2 == 0 ? $0.element : 0 }

        for k in [1, 7, 33, 99, 100] {
            let hits = try index.search(query, k: k, in: .all)

            #expect(hits.map(\.key) == rowKeys(0..<Int64(k)))
            #expect(Set(hits.map(\.score)).count == 1)
        }
    }

    @Test func resultDoesNotDependOnBlocksOrOrderOfArrival() throws {
        var generator = SplitMix64(seed: 11)
        let source = LatentVectors(dimensions: 100, seed: 11)
        let rows = (0..<300).map { VectorRow(Int64($0), in: Int64($0 % 5), source.next(using: &generator)) }
        let query = source.next(using: &generator)

        let results = try [1, 2, 7, 300].map { blockRowCount in
            let index = CosineIndex(dimensions: 100, blockRowCount: blockRowCount)
            for row in rows.shuffled(using: &generator) { try index.upsert([row]) }
            return try index.search(query, k: 40, in: .all)
        }

        #expect(results.allSatisfy { $0 == results[0] })
    }

    @Test func predicateFiltersBeforeTheCut() throws {
        let index = CosineIndex(dimensions: 2, blockRowCount: 8)
        try index.upsert((0..<500).map { VectorRow($0, in: $0 % 4, [1, Float($0) / 500]) })

        let hits = try index.search([1, 0], k: 3, in: .all) { key, _ in key.rawValue >= 490 }

        #expect(hits.map(\.key) == rowKeys([490, 491, 492]))
        #expect(try index.search([1, 0], k: 3, in: .all) { _, _ in false }.isEmpty)
    }

    @Test func batchEqualsSingleSearchesAcrossPasses() throws {
        let index = CosineIndex(dimensions: 64, blockRowCount: 16)
        var generator = SplitMix64(seed: 13)
        let source = LatentVectors(dimensions: 64, seed: 13)
        try index.upsert((0..<200).map { VectorRow($0, in: $0 % 9, source.next(using: &generator)) })
        let queries = (0..<150).map { _ in source.next(using: &generator) }

        let batch = try index.search(batch: queries, k: 5, in: .all)

        #expect(try batch == queries.map { try index.search($0, k: 5, in: .all) })
    }

    @Test func scoresOfGivenRowsEqualSearchScores() throws {
        let index = CosineIndex(dimensions: 64, blockRowCount: 4)
        var generator = SplitMix64(seed: 17)
        let source = LatentVectors(dimensions: 64, seed: 17)
        try index.upsert((0..<50).map { VectorRow($0, in: $0 % 3, source.next(using: &generator)) })
        let query = source.next(using: &generator)

        let scores = try index.score(of: rowKeys(0..<60), for: query)

        let hits = try index.search(query, k: 50, in: .all)
        #expect(scores == Dictionary(uniqueKeysWithValues: hits.map { ($0.key, $0.score) }))
    }

    private static let badQueries: [([Float], VectorIndexError)] = [
        ([1, 2], .dimensionMismatch(expected: 3, got: 2)),
        ([], .dimensionMismatch(expected: 3, got: 0)),
        ([0, 0, 0], .zeroVector),
        ([0, .leastNonzeroMagnitude, 0], .zeroVector),
        ([0, .nan, 0], .notFinite(component: 1)),
        ([0, 1, -.infinity], .notFinite(component: 2)),
    ]

    @Test(arguments: badQueries)
    func rejectsQueriesWithoutADirection(query: [Float], error: VectorIndexError) throws {
        let index = CosineIndex(dimensions: 3)

        #expect(throws: error) { try index.search(query, k: 1, in: .all) }
        #expect(throws: error) { try index.search(batch: [[1, 0, 0], query], k: 1, in: .all) }
        #expect(throws: error) { try index.score(of: [], for: query) }
    }

    @Test func stopsWhenItsTaskIsCancelled() async throws {
        let index = CosineIndex(dimensions: 1)
        try index.upsert([VectorRow(1, in: 1, [1])])

        let result = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return Result { () throws(VectorIndexError) in try index.search([1], k: 1, in: .all) }
        }.value

        #expect(result == .failure(.cancelled))
    }
}
