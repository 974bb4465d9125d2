import IndexCore
import IndexTestSupport
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
                VectorRow(
                    key: key(), group: group(),
                    attributes: RowAttributes(
                        sender: .random(in: 0..<4, using: &generator), time: .random(in: 0..<100, using: &generator)),
                    vector: source.next(using: &generator))
            }
        }

        mutating func selection() -> GroupSelection {
            if Bool.random(using: &generator) { return .all }
            return .only(Set((0..<Int.random(in: 0...3, using: &generator)).map { _ in group() }))
        }

        mutating func predicate() -> RowPredicate? {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: return { key, _ in key.rawValue % 2 == 0 }
            case 1: return { key, _ in key.rawValue % 31 == 5 }
            case 2: return { _, attributes in attributes.sender == 3 && attributes.time < 60 }
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

        for key in rowKeys(-pair.keyCount..<pair.keyCount) {
            let row = pair.model.rows[key]
            let vector = pair.index.vector(of: key)
            #expect(pair.index.contains(key) == (row != nil))
            #expect((vector == nil) == (row == nil))
            if let row, let vector { #expect(PlainIndex.cosine(row.vector, vector) > 1 - 1e-7) }
        }
    }

    @Test(arguments: [1, 3, 64, 100, 384, 768, 1000, 1536])
    func agreesWithBruteForceWithBlocksOfNormalSize(dimensions: Int) throws {
        let index = CosineIndex(dimensions: dimensions)
        var model = PlainIndex()
        var generator = SplitMix64(seed: 5)
        let source = LatentVectors(dimensions: dimensions, seed: 5)
        let rows = (0..<1200).map { VectorRow(Int64($0), in: Int64($0 % 3), source.next(using: &generator)) }
        try index.upsert(rows)
        model.upsert(rows)

        for k in [1, 10, 1200] {
            let query = source.next(using: &generator)
            for selection in [.all, groups(1)] as [GroupSelection] {
                let hits = try index.search(query, k: k, in: selection)
                try model.verify(hits, query, k: k, in: selection, index: index)
            }
        }
    }

    /// The rows' scores differ by less than the rounding of a Float32 sum, so the scan alone would rank them wrongly.
    @Test(arguments: [64, 1000, 1536])
    func ranksRowsThatDifferByLessThanTheErrorOfTheScan(dimensions: Int) throws {
        let index = CosineIndex(dimensions: dimensions, blockRowCount: 50)
        var model = PlainIndex()
        var generator = SplitMix64(seed: 23)
        let base = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &generator) }
        let rows = (0..<400).map { number in
            VectorRow(
                Int64(number), in: Int64(number % 2),
                base.map { $0 * (1 + .random(in: -2e-6...2e-6, using: &generator)) })
        }
        try index.upsert(rows)
        model.upsert(rows)
        let queries = (0..<20).map { _ in base.map { $0 + .random(in: -1...1, using: &generator) } }

        let batch = try index.search(batch: queries, k: 7, in: .all)

        for (query, hits) in zip(queries, batch) {
            try model.verify(hits, query, k: 7, in: .all, index: index)
            #expect(try index.search(query, k: 7, in: .all) == hits)
        }
    }

    @Test func agreesWithBruteForceOverThousandsOfSmallGroups() throws {
        let index = CosineIndex(dimensions: 8)
        var model = PlainIndex()
        var generator = SplitMix64(seed: 29)
        let source = LatentVectors(dimensions: 8, seed: 29)
        func group() -> Int64 { Int64.random(in: 0..<3000, using: &generator) &* 0x1_0000_0001 }
        let rows = (0..<9000).map { VectorRow(Int64($0), in: group(), source.next(using: &generator)) }
        try index.upsert(rows)
        model.upsert(rows)
        let removedRows = rowKeys((0..<2000).map { _ in Int64.random(in: 0..<9000, using: &generator) })
        index.remove(removedRows)
        model.remove(removedRows)
        for key in (0..<300).map({ _ in GroupKey(rawValue: group()) }) {
            index.removeGroup(key)
            model.removeGroup(key)
        }

        #expect(index.groupCounts() == model.groupCounts())
        let half = GroupSelection.only(Set(model.groupCounts().keys.sorted().prefix(1300)))
        for selection in [.all, half] {
            let query = source.next(using: &generator)
            let hits = try index.search(query, k: 25, in: selection)
            try model.verify(hits, query, k: 25, in: selection, index: index)
        }
    }
}
