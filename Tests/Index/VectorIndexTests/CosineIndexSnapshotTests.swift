import IndexCore
import Testing
import VectorIndex

/// Isolation between readers and the writer.
@Suite struct CosineIndexSnapshotTests {
    @Test func aSnapshotKeepsItsRows() throws {
        let index = CosineIndex(dimensions: 2, blockRowCount: 4)
        try index.upsert((0..<20).map { VectorRow($0, in: $0 % 2, [1, Float($0)]) })
        let snapshot = index.snapshot()
        let before = try snapshot.search([1, 3], k: 20, in: .all)
        let counts = snapshot.groupCounts()

        try index.upsert((0..<40).map { VectorRow($0, in: 5, [-1, 1]) })
        index.remove(rowKeys(0..<10))
        index.removeGroup(GroupKey(rawValue: 5))

        #expect(index.count == 0)
        #expect(snapshot.count == 20)
        #expect(snapshot.groupCounts() == counts)
        #expect(try snapshot.search([1, 3], k: 20, in: .all) == before)
    }

    @Test func searchesSeeWholeWritesWhileTheyGoOn() async throws {
        let index = CosineIndex(dimensions: 8, blockRowCount: 4)
        let keys = rowKeys(0..<24)
        func rows(in group: Int64, _ turn: Int) -> [VectorRow] {
            keys.map { VectorRow($0.rawValue, in: group, (0..<8).map { Float(($0 + turn) % 8 + 1) }) }
        }
        try index.upsert(rows(in: 0, 0))

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<3 {
                tasks.addTask {
                    for _ in 0..<400 {
                        let hits = try index.search([1, 2, 3, 4, 5, 6, 7, 8], k: 100, in: .all)
                        let scores = try index.score(of: keys, for: [1, 2, 3, 4, 5, 6, 7, 8])
                        #expect(hits.map(\.key) == keys)
                        #expect(Set(hits.map(\.group)).count == 1 && Set(hits.map(\.score)).count == 1)
                        #expect(scores.count == keys.count && Set(scores.values).count == 1)
                    }
                }
            }
            for turn in 0..<1000 { try index.upsert(rows(in: Int64(turn % 3), turn)) }
            try await tasks.waitForAll()
        }

        #expect(index.count == keys.count)
    }

    @Test func writersOnManyTasksLoseNothing() async throws {
        let index = CosineIndex(dimensions: 3, blockRowCount: 4)

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for writer in 0..<4 as Range<Int64> {
                tasks.addTask {
                    for number in 0..<200 as Range<Int64> {
                        try index.upsert([VectorRow(writer * 1000 + number, in: number % 5, [1, Float(number), 1])])
                        if number % 4 == 3 { index.remove(rowKeys([writer * 1000 + number - 1])) }
                    }
                }
            }
            try await tasks.waitForAll()
        }

        #expect(index.count == 4 * 150)
        #expect(try index.search([1, 1, 1], k: 1000, in: .all).count == 600)
    }
}
