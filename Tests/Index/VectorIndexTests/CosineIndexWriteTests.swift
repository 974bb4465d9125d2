import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// What writes promise.
@Suite struct CosineIndexWriteTests {
    private static let badVectors: [([Float], VectorIndexError)] = [
        ([1, 2, 3], .dimensionMismatch(expected: 2, got: 3)),
        ([0, 0], .zeroVector),
        ([-0.0, .leastNormalMagnitude / 2], .zeroVector),
        ([.nan, 1], .notFinite(component: 0)),
        ([1, .infinity], .notFinite(component: 1)),
    ]

    @Test(arguments: badVectors)
    func oneBadRowLeavesTheIndexAsItWas(vector: [Float], error: VectorIndexError) throws {
        let index = CosineIndex(dimensions: 2, blockRowCount: 2)
        try index.upsert([VectorRow(1, in: 1, [1, 0])])

        #expect(throws: error) {
            try index.upsert([VectorRow(1, in: 2, [0, 1]), VectorRow(2, in: 1, [0, 1]), VectorRow(3, in: 1, vector)])
        }

        #expect(index.count == 1)
        #expect(index.groupCounts() == [GroupKey(rawValue: 1): 1])
        #expect(index.vector(of: RowKey(rawValue: 1)) == [1, 0])
        #expect(!index.contains(RowKey(rawValue: 2)))
    }

    @Test func lastOfEqualKeysInABatchWins() throws {
        let index = CosineIndex(dimensions: 2)

        try index.upsert([VectorRow(1, in: 1, [1, 0]), VectorRow(2, in: 1, [1, 0]), VectorRow(1, in: 2, [0, 5])])

        #expect(index.count == 2)
        #expect(index.vector(of: RowKey(rawValue: 1)) == [0, 1])
        #expect(index.groupCounts() == [GroupKey(rawValue: 1): 1, GroupKey(rawValue: 2): 1])
    }

    @Test func aMovedRowLeavesItsOldGroup() throws {
        let index = CosineIndex(dimensions: 1)
        try index.upsert([VectorRow(1, in: 1, [1])])

        try index.upsert([VectorRow(1, in: 2, [1])])

        #expect(try index.search([1], k: 5, in: groups(1)).isEmpty)
        #expect(try index.search([1], k: 5, in: groups(2)).map(\.key) == rowKeys([1]))
        #expect(index.groupCounts() == [GroupKey(rawValue: 2): 1])
    }

    @Test func removedRowsAndGroupsAreForgotten() throws {
        let index = CosineIndex(dimensions: 1, blockRowCount: 3)
        try index.upsert((0..<30).map { VectorRow($0, in: $0 % 3, [1]) })

        index.remove(rowKeys([0, 3, 3, 99]))
        index.removeGroup(GroupKey(rawValue: 1))
        index.removeGroup(GroupKey(rawValue: 77))

        #expect(index.count == 18)
        #expect(index.groupCounts() == [GroupKey(rawValue: 0): 8, GroupKey(rawValue: 2): 10])
        #expect(index.vector(of: RowKey(rawValue: 3)) == nil)
        #expect(!index.contains(RowKey(rawValue: 1)))
        #expect(try index.search([1], k: 100, in: .all).count == 18)
    }

    @Test func storesRowsWithLengthOne() throws {
        let index = CosineIndex(dimensions: 3)

        try index.upsert([VectorRow(1, in: 1, [3e38, 0, 3e38]), VectorRow(2, in: 1, [0, 2e-38, 0])])

        let half = Float(0.5).squareRoot()
        #expect(index.vector(of: RowKey(rawValue: 1)) == [half, 0, half])
        #expect(index.vector(of: RowKey(rawValue: 2)) == [0, 1, 0])
    }

    @Test func keepsWorkingAtTheEndsOfTheKeyRange() throws {
        let index = CosineIndex(dimensions: 1)

        try index.upsert([VectorRow(.max, in: .min, [1]), VectorRow(.min, in: .max, [1])])

        #expect(try index.search([1], k: 2, in: .all).map(\.key.rawValue) == [.min, .max])
    }

    @Test func memoryIsReturnedUnderEndlessReplacement() throws {
        let index = CosineIndex(dimensions: 4, blockRowCount: 8)
        var generator = SplitMix64(seed: 3)

        for _ in 0..<2000 {
            let key = Int64.random(in: 0..<40, using: &generator)
            try index.upsert([VectorRow(key, in: 1, [1, Float(key), 0, 0])])
        }

        // 40 live rows need 5 full blocks of 8; at most a quarter is removed and neighbours that fit are merged.
        #expect(index.count == 40)
        #expect(index.snapshot().storedRowCount <= 40 * 4 / 3 + 8)
    }

    @Test func anEmptiedGroupCanBeFilledAgain() throws {
        let index = CosineIndex(dimensions: 2, blockRowCount: 2)
        try index.upsert((0..<7).map { VectorRow($0, in: 1, [1, 0]) })
        index.removeGroup(GroupKey(rawValue: 1))
        try index.upsert((0..<5).map { VectorRow($0, in: 1, [0, 1]) })
        index.remove(rowKeys(0..<5))
        try index.upsert([VectorRow(6, in: 1, [3, 4])])

        #expect(index.groupCounts() == [GroupKey(rawValue: 1): 1])
        #expect(index.vector(of: RowKey(rawValue: 6)) == [0.6, 0.8])
        #expect(index.vector(of: RowKey(rawValue: 0)) == nil)
        #expect(try index.search([1, 0], k: 9, in: .all).map(\.key) == rowKeys([6]))
    }

    @Test func rowsFoundByKeyAfterTheirBlocksWereWrittenAnew() throws {
        let index = CosineIndex(dimensions: 2, blockRowCount: 4)
        try index.upsert((1...40).map { VectorRow($0, in: 1, [Float($0), 0]) })
        try index.upsert((1...40).map { VectorRow($0, in: 1, [0, Float($0)]) })
        index.remove(rowKeys((1...40).filter { $0 % 3 != 0 }))

        let kept = rowKeys((1...40).filter { $0 % 3 == 0 })
        #expect(index.snapshot().storedRowCount <= kept.count * 4 / 3)
        #expect(kept.allSatisfy { index.vector(of: $0) == [0, 1] })
        #expect(try index.score(of: rowKeys(1...40), for: [0, 2]).keys.sorted() == kept)
    }

    @Test func aBatchOfNothingChangesNothing() throws {
        let index = CosineIndex(dimensions: 1)

        try index.upsert([])
        index.remove([])

        #expect(index.count == 0)
        #expect(index.groupCounts().isEmpty)
    }
}
