import IndexCore
import LexicalIndex
import Synchronization
import Testing

@Suite struct BM25WriteTests {
    private let group = GroupKey(rawValue: 1)

    @Test func figuresFollowRemovals() throws {
        let index = BM25Index()
        index.upsert([LexicalRow(1, at: 0, sender: "ann", "plan plan ann"), LexicalRow(2, at: 9, "plan b")])
        #expect(index.snapshot().rowCount(holding: term("plan")) == 2)
        #expect(index.snapshot().rowCount(holding: term("ann")) == 1)

        index.remove([RowKey(rawValue: 1), RowKey(rawValue: 1), RowKey(rawValue: 44)])

        #expect(index.count == 1)
        #expect(index.snapshot().rowCount(holding: term("plan")) == 1)
        #expect(index.snapshot().rowCount(holding: term("ann")) == 0)
        #expect(index.snapshot().rowCount(holding: term("b")) == 1)
        #expect(index.snapshot().figures(in: .all).rowCount == 1)
    }

    @Test func ofTheSameKeyTheLastRowCounts() throws {
        let index = BM25Index()

        index.upsert([LexicalRow(1, at: 0, "old"), LexicalRow(2, at: 1, "x"), LexicalRow(1, in: 2, at: 0, "new")])

        #expect(index.groupCounts() == [group: 1, GroupKey(rawValue: 2): 1])
        #expect(try index.search(LexicalQuery("old"), k: 1, in: .all).isEmpty)
        #expect(try index.search(LexicalQuery("new"), k: 1, in: .all).keys == [1])
    }

    @Test func blocksAreFilledAtTheEndAndSplitInTheMiddle() {
        let index = BM25Index(blockRowCount: 8)
        index.upsert((0..<20).map { LexicalRow($0, at: $0 * 10, "word") })
        #expect(index.snapshot().blockCounts(of: group) == [8, 8, 4])

        index.upsert([LexicalRow(100, at: 5, "late")])
        #expect(index.snapshot().blockCounts(of: group) == [4, 5, 8, 4])

        index.upsert([LexicalRow(-1, at: -5, "early")])
        #expect(index.snapshot().blockCounts(of: group) == [5, 5, 8, 4])

        index.remove((1..<7).map { RowKey(rawValue: $0) })
        #expect(index.snapshot().blockCounts(of: group) == [4, 8, 4])
        #expect(index.count == 16)
    }

    @Test func anEditLeavesOtherBlocksAlone() {
        let index = BM25Index(blockRowCount: 4)
        index.upsert((0..<12).map { LexicalRow($0, at: $0, "word\($0)") })
        let before = index.snapshot()

        index.upsert([LexicalRow(5, at: 5, "changed entirely")])

        #expect(index.snapshot().sharedBlockCount(with: before, in: group) == 2)
        #expect(before.rowCount(holding: term("word5")) == 1)
        #expect(index.snapshot().rowCount(holding: term("word5")) == 0)
    }

    @Test func aSnapshotStaysAsItWas() throws {
        let index = BM25Index()
        index.upsert([LexicalRow(1, at: 0, "plan"), LexicalRow(2, at: 100_000, "x"), LexicalRow(3, in: 2, at: 0, "y")])
        let snapshot = index.snapshot()
        let hits = try snapshot.search(LexicalQuery("plan"), k: 5, in: .all)

        index.removeGroup(group)
        index.upsert([LexicalRow(9, at: 0, "plan plan")])

        #expect(hits.keys == [1])
        #expect(try snapshot.search(LexicalQuery("plan"), k: 5, in: .all) == hits)
        #expect(try index.search(LexicalQuery("plan"), k: 5, in: .all).keys == [9])
    }

    @Test func manyOccurrencesAreCountedUpToALimit() throws {
        let index = BM25Index()
        func row(_ key: Int64, text: Int, sender: Int) -> LexicalRow {
            LexicalRow(
                key: RowKey(rawValue: key), group: GroupKey(rawValue: key),
                terms: FieldTerms(
                    text: Array(repeating: term("ha"), count: text) + Array(repeating: term("x"), count: 400 - text),
                    sender: Array(repeating: term("bob"), count: sender)
                        + Array(repeating: term("y"), count: 30 - sender)))
        }
        index.upsert([row(1, text: 255, sender: 15), row(2, text: 300, sender: 20), row(3, text: 254, sender: 14)])
        var weights = LexicalWeights.own
        weights.inverseFrequency = .lucene

        for query in [LexicalQuery("ha", weights), LexicalQuery("bob", weights)] {
            let hits = try index.search(query, k: 3, in: .all)
            #expect(hits.keys == [1, 2, 3])
            #expect(hits[0].score == hits[1].score)
            #expect(hits[1].score > hits[2].score)
        }
    }

    /// Every batch puts all rows of a group to the same generation: a search that mixes two has seen half a write.
    @Test func searchesSeeWholeWrites() async throws {
        let index = BM25Index(blockRowCount: 4)
        let state = WriterState()
        @Sendable func batch(_ generation: Int) -> [LexicalRow] {
            (0..<30).map { LexicalRow($0, at: $0, "generation\(generation) word") }
        }
        index.upsert(batch(0))

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { state.isDone.store(true, ordering: .releasing) }
                for generation in 1...150 {
                    index.upsert(batch(generation))
                    if generation % 10 == 0 { index.removeGroup(GroupKey(rawValue: 1)) }
                }
                index.upsert(batch(1000))
            }
            for _ in 0..<2 {
                tasks.addTask {
                    repeat {
                        let snapshot = index.snapshot()
                        let present = (0...1000).filter { snapshot.rowCount(holding: term("generation\($0)")) > 0 }
                        #expect(present.count == (snapshot.count == 0 ? 0 : 1))
                        #expect(snapshot.count == 0 || snapshot.count == 30)
                        for generation in present {
                            let query = LexicalQuery("generation\(generation)")
                            let hits = try snapshot.search(query, k: 50, in: .all)
                            #expect(hits.count == 30)
                        }
                    } while !state.isDone.load(ordering: .acquiring)
                }
            }
            try await tasks.waitForAll()
        }

        #expect(index.snapshot().rowCount(holding: term("generation1000")) == 30)
    }
}

private final class WriterState: Sendable {
    let isDone = Atomic(false)
}
