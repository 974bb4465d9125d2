import IndexCore
import IndexTestSupport
import LexicalIndex
import Testing

/// Random operations against the formula written out.
@Suite struct BM25ModelTests {
    /// One index and its model under the same operations.
    private struct Pair {
        let index: BM25Index
        var model = PlainBM25()
        var generator: SplitMix64

        init(blockRowCount: Int, seed: UInt64) {
            index = BM25Index(blockRowCount: blockRowCount)
            generator = SplitMix64(seed: seed)
        }

        mutating func number(_ range: Range<Int64>) -> Int64 { .random(in: range, using: &generator) }
        mutating func key() -> RowKey { RowKey(rawValue: number(-80..<80)) }
        mutating func group() -> GroupKey { GroupKey(rawValue: number(0..<4)) }

        /// Low numbers come often, high ones seldom, as words do.
        mutating func term() -> TermKey {
            let most = number(1..<60)
            return TermKey(rawValue: UInt64(number(0..<most)) &* 0x9E37_79B9_7F4A_7C15)
        }

        mutating func terms(_ most: Int64) -> [TermKey] { (0..<number(0..<most + 1)).map { _ in term() } }

        mutating func row() -> LexicalRow {
            // Few times, so that order and key decide as well; some gaps are longer than six hours.
            let time = number(0..<12) * 3600 * second * (number(0..<3) + 1)
            let isLong = number(0..<40) == 0
            return LexicalRow(
                key: key(), group: group(), thread: number(0..<2), order: number(0..<5),
                attributes: RowAttributes(sender: number(0..<4), time: time),
                flags: UInt16(number(0..<4) * 21 + number(0..<3) * 4_096),
                terms: FieldTerms(text: terms(isLong ? 700 : 9), sender: terms(2), date: terms(isLong ? 40 : 3)))
        }

        mutating func write() {
            switch number(0..<12) {
            case 0...3:
                let rows = [row()]
                index.upsert(rows)
                model.upsert(rows)
            case 4...7:
                let rows = (0..<number(0..<25)).map { _ in row() }
                index.upsert(rows)
                model.upsert(rows)
            case 8...10:
                let keys = (0..<number(0..<20)).map { _ in key() }
                index.remove(keys)
                model.remove(keys)
            default:
                let group = group()
                index.removeGroup(group)
                model.removeGroup(group)
            }
        }

        mutating func weights() -> LexicalWeights {
            var weights = LexicalWeights()
            guard number(0..<3) > 0 else { return weights }
            func weight(_ generator: inout SplitMix64) -> Float {
                Bool.random(using: &generator) ? Float.random(in: 0...3, using: &generator) : 0
            }
            (weights.text, weights.sender, weights.date) =
                (weight(&generator), weight(&generator), weight(&generator))
            weights.previous = (0..<number(0..<6)).map { _ in weight(&generator) }
            weights.next = (0..<number(0..<5)).map { _ in weight(&generator) }
            weights.maximumGap = number(0..<30) * 1800 * second
            weights.neighbourTokens = Float(number(1..<12))
            weights.k1 = weight(&generator)
            weights.b = .random(in: 0...1, using: &generator)
            weights.inverseFrequency = Bool.random(using: &generator) ? .lucene : .robertson
            return weights
        }

        mutating func search() throws {
            let selection: GroupSelection =
                Bool.random(using: &generator) ? .all : .only(Set((0..<number(0..<4)).map { _ in group() }))
            let predicate: RowPredicate? =
                switch number(0..<4) {
                case 0: { key, _ in key.rawValue % 3 == 0 }
                case 1: { _, attributes in attributes.sender == 2 && attributes.time > 3600 * second }
                default: nil
                }
            let query = LexicalQuery(
                (0..<number(0..<9)).map { _ in LexicalQuery.Term(term(), weight: Float(number(0..<4)) / 2) },
                weights: weights())
            let k = [1, 2, 5, 10, 1000].randomElement(using: &generator) ?? 1

            let hits = try index.search(query, k: k, in: selection, where: predicate)

            try model.verify(hits, query, k: k, in: selection, where: predicate, index: index)
        }

        /// Document frequencies, counts and places are what a fresh index would have.
        func verifyFigures() {
            #expect(index.count == model.rows.count)
            #expect(index.groupCounts() == model.groupCounts())
            let snapshot = index.snapshot()
            let all = Set(model.rows.values.flatMap { $0.terms.text + $0.terms.sender + $0.terms.date })
            let terms = Array(all) + [TermKey(rawValue: 1)]
            for selection in [.all, groups(0, 3), groups(1), groups()] as [GroupSelection] {
                let rows = model.rows(in: selection)
                #expect(
                    snapshot.rowCounts(holding: terms, in: selection)
                        == terms.map { model.rowCount(holding: $0, in: selection) })
                let figures = snapshot.figures(in: selection)
                #expect(figures.rowCount == rows.count)
                for kind in 0..<16 as Range<UInt8> {
                    #expect(figures.rowCount(ofKind: kind) == rows.count { $0.flags >> 4 & 0xF == UInt16(kind) })
                }
            }
            let neighbours = model.neighbours(maximumGap: 6 * 3600 * second)
            for number in -80..<80 as Range<Int64> {
                let key = RowKey(rawValue: number)
                let found = snapshot.neighbours(of: key, before: 3, after: 2)
                #expect(found?.before == neighbours[key].map { $0.before.prefix(3).map(\.key) })
                #expect(found?.after == neighbours[key].map { $0.after.prefix(2).map(\.key) })
                #expect(snapshot.contains(key) == (model.rows[key] != nil))
            }
        }
    }

    @Test(arguments: [1, 2, 3, 8, 256], 1...4)
    func agreesWithTheFormulaUnderRandomOperations(blockRowCount: Int, seed: Int) throws {
        var pair = Pair(blockRowCount: blockRowCount, seed: UInt64(blockRowCount * 100 + seed))

        for step in 0..<200 {
            pair.write()
            if step % 4 == 0 { try pair.search() }
            if step % 40 == 0 { pair.verifyFigures() }
        }

        pair.verifyFigures()
        for group in pair.model.groupCounts().keys { pair.index.removeGroup(group) }
        #expect(pair.index.count == 0)
        #expect(pair.index.snapshot().figures(in: .all) == BM25Index().snapshot().figures(in: .all))
        #expect(pair.index.snapshot().byteCount == 0)
    }

    @Test func scoresDoNotDependOnTheOrderOfWritesOrOnBlocks() throws {
        var generator = Pair(blockRowCount: 256, seed: 7)
        let rows = (0..<150 as Range<Int64>).map { number in
            let row = generator.row()
            return LexicalRow(
                key: RowKey(rawValue: number), group: row.group, thread: row.thread, order: row.order,
                attributes: row.attributes, flags: row.flags, terms: row.terms)
        }
        let first = BM25Index()
        first.upsert(rows)
        let second = BM25Index(blockRowCount: 3)
        for row in rows.shuffled(using: &generator.generator) { second.upsert([row]) }
        let query = LexicalQuery((0..<6).map { _ in LexicalQuery.Term(generator.term()) })

        let hits = try first.search(query, k: 150, in: .all)

        #expect(hits.count > 50)
        #expect(try second.search(query, k: 150, in: .all) == hits)
    }
}
