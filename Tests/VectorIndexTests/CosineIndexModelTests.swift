import Testing
import VectorIndex

/// Random operations against the brute force.
@Suite struct CosineIndexModelTests {
    /// One index and its model under the same operations.
    private struct Pair {
        let index: CosineIndex
        var model = PlainIndex()
        var generator: SplitMix64
        let source: LatentVectors
        let keyCount: Int64
        let groupCount: Int64

        init(dimensions: Int, blockRowCount: Int, keyCount: Int64, seed: UInt64) {
            index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
            generator = SplitMix64(seed: seed)
            source = LatentVectors(dimensions: dimensions, seed: seed)
            self.keyCount = keyCount
            groupCount = 7
        }

        mutating func key() -> RowKey { RowKey(rawValue: .random(in: -keyCount..<keyCount, using: &generator)) }
        mutating func group() -> GroupKey { GroupKey(rawValue: .random(in: 0..<groupCount, using: &generator)) }

        mutating func batch(_ sizes: ClosedRange<Int>) -> [VectorRow] {
            (0..<Int.random(in: sizes, using: &generator)).map { _ in
                VectorRow(key: key(), group: group(), vector: source.next(using: &generator))
            }
        }

        mutating func selection() -> GroupSelection {
            if Bool.random(using: &generator) { return .all }
            return .only(Set((0..<Int.random(in: 0...3, using: &generator)).map { _ in group() }))
        }

        mutating func predicate() -> ((RowKey) -> Bool)? {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: return { $0.rawValue % 2 == 0 }
            case 1: return { $0.rawValue % 31 == 5 }
            default: return nil
            }
        }

        mutating func write() throws {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...4:
                let rows = batch(1...1)
                try index.upsert(rows)
                model.upsert(rows)
            case 5...7:
                let rows = batch(0...40)
                try index.upsert(rows)
                model.upsert(rows)
            case 8...10:
                let keys = (0..<Int.random(in: 0...30, using: &generator)).map { _ in key() }
                index.remove(keys)
                model.remove(keys)
            default:
                let group = group()
                index.removeGroup(group)
                model.removeGroup(group)
            }
        }

        mutating func search() throws {
            let (selection, predicate) = (selection(), predicate())
            let k = [1, 2, 5, 10, 50, 1000].randomElement(using: &generator) ?? 1
            let queries = (0..<3).map { _ in source.next(using: &generator) }
            let hits = try index.search(queries[0], k: k, in: selection, where: predicate)
            try model.verify(hits, queries[0], k: k, in: selection, where: predicate, index: index)

            let batch = try index.search(batch: queries, k: k, in: selection, where: predicate)
            #expect(batch.first == hits)
            for (query, hits) in zip(queries, batch) {
                try model.verify(hits, query, k: k, in: selection, where: predicate, index: index)
            }
        }
    }

    @Test(arguments: [1, 3, 64, 100, 384], [1, 3, 16])
    func agreesWithBruteForceUnderRandomOperations(dimensions: Int, blockRowCount: Int) throws {
        let seed = UInt64(dimensions * 100 + blockRowCount)
        var pair = Pair(dimensions: dimensions, blockRowCount: blockRowCount, keyCount: 120, seed: seed)

        for step in 0..<400 {
            try pair.write()
            if step % 10 == 0 { try pair.search() }

            #expect(pair.index.count == pair.model.rows.count)
            #expect(pair.index.groupCounts() == pair.model.groupCounts())
        }

        for key in pair.model.rows.keys { #expect(pair.index.contains(key)) }
    }

    @Test func agreesWithBruteForceWithBlocksOfNormalSize() throws {
        let index = CosineIndex(dimensions: 384)
        var model = PlainIndex()
        var generator = SplitMix64(seed: 5)
        let source = LatentVectors(dimensions: 384, seed: 5)
        let rows = (0..<2500).map { VectorRow(Int64($0), in: Int64($0 % 3), source.next(using: &generator)) }
        try index.upsert(rows)
        model.upsert(rows)

        for k in [1, 10, 2500] {
            let query = source.next(using: &generator)
            for selection in [.all, groups(1)] as [GroupSelection] {
                let hits = try index.search(query, k: k, in: selection)
                try model.verify(hits, query, k: k, in: selection, index: index)
            }
        }
    }
}
