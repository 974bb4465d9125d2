import Glibc
import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// Rows that go through a file come back as they were.
@Suite struct SnapshotFileTests {
    @Test(arguments: [1, 3, 100, 1536], [nil, 1, 5])
    func anOpenedIndexAnswersAsTheWrittenOne(dimensions: Int, blockRowCount: Int?) throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
        let rows = snapshotRows(300, dimensions: dimensions, groupCount: 9)
        try index.upsert(rows)
        index.remove(rows[20..<60].map(\.key))

        let written = try index.writeSnapshot(to: folder.file(), identity: identity)
        let opened = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: dimensions, blockRowCount: blockRowCount)

        #expect(written.rowCount == 260 && opened.count == 260)
        #expect(written.path == folder.file() && folder.names() == ["index"])
        #expect(try folder.read().count == written.byteCount)
        #expect(opened.groupCounts() == index.groupCounts())
        try expectSameResults(opened, index, rows)
        #expect(opened.snapshot().byteCount == 0)
        opened.verify { false }
        #expect(opened.damagedRows().isEmpty)
    }

    /// The public functions, with blocks and scans as the service has them.
    @Test(arguments: [3, 100])
    func opensWithTheSettingsOfTheService(dimensions: Int) throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: dimensions, threadCount: 2)
        let rows = snapshotRows(3000, dimensions: dimensions, groupCount: 3)
        try index.upsert(rows)
        _ = try index.writeSnapshot(to: folder.file(), identity: identity)

        let opened = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: dimensions, threadCount: 2)
        opened.verify { false }

        #expect(opened.damagedRows().isEmpty)
        try expectSameResults(opened, index, rows)
    }

    @Test(arguments: [0, 1])
    func filesOfFewRowsOpen(count: Int) throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 3, blockRowCount: 4)
        let rows = snapshotRows(count, dimensions: 3, groupCount: 1)
        try index.upsert(rows)
        try index.adopt(try index.writeSnapshot(to: folder.file(), identity: identity))

        let opened = try reopen(folder, dimensions: 3, blockRowCount: 4)

        #expect(opened.count == count && index.count == count)
        #expect(try opened.search([1, 2, 3], k: 5, in: .all).map(\.key) == rows.map(\.key))
        try opened.upsert([VectorRow(5, in: 5, [1, 2, 3])])
        #expect(try opened.search([1, 2, 3], k: 5, in: .all).count == count + 1)
        opened.removeGroup(GroupKey(rawValue: -1))
        try opened.scrub()
        #expect(try reopen(folder, dimensions: 3, blockRowCount: 4).count == 0)
    }

    @Test func manySmallGroupsOpen() throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 4)
        let rows = (0..<9000).map { VectorRow($0, in: $0 / 3 &* 0x1_0000_0001, [1, Float($0 % 17), Float($0), 2]) }
        try index.upsert(rows)
        _ = try index.writeSnapshot(to: folder.file(), identity: identity)

        let opened = try CosineIndex.open(
            snapshotAt: folder.file(), identity: "store 1", dimensions: 4, threadCount: 1)

        #expect(opened.groupCounts() == index.groupCounts())
        try expectSameResults(opened, index, Array(rows.prefix(100)))
    }

    @Test func anOpenedIndexIsWrittenAsAnyOther() throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 100, blockRowCount: 5)
        var model = PlainIndex()
        let rows = snapshotRows(300, dimensions: 100, groupCount: 9)
        try index.upsert(rows)
        model.upsert(rows)
        _ = try index.writeSnapshot(to: folder.file(), identity: identity)
        let opened = try reopen(folder, dimensions: 100, blockRowCount: 5)
        let older = opened.snapshot()

        let changed = (0..<80).map { VectorRow(Int64($0) * 14 - 50, in: Int64($0 % 11), rows[$0 + 1].vector) }
        try opened.upsert(changed)
        opened.remove(rows[200..<250].map(\.key))
        opened.removeGroup(GroupKey(rawValue: 4))
        model.upsert(changed)
        model.remove(rows[200..<250].map(\.key))
        model.removeGroup(GroupKey(rawValue: 4))

        #expect(opened.groupCounts() == model.groupCounts())
        for query in rows.prefix(3).map(\.vector) {
            try model.verify(opened.search(query, k: 500, in: .all), query, k: 500, in: .all, index: opened)
            #expect(try older.search(query, k: 500, in: .all) == index.search(query, k: 500, in: .all))
        }
        #expect(opened.contains(changed[0].key) && !opened.contains(rows[205].key))
        _ = try opened.writeSnapshot(to: folder.file("second"), identity: "b")
        let second = try CosineIndex.open(
            snapshotAt: folder.file("second"), identity: "b", dimensions: 100, blockRowCount: 5)
        #expect(second.groupCounts() == model.groupCounts())
        try expectSameResults(second, opened, rows)
    }

    @Test func anAdoptedFileTakesThePlaceOfMemory() throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 100, blockRowCount: 5)
        let rows = snapshotRows(300, dimensions: 100, groupCount: 9)
        try index.upsert(rows)
        let memory = index.snapshot()

        try index.adopt(try index.writeSnapshot(to: folder.file(), identity: identity))

        #expect(index.snapshot().byteCount == 0 && memory.byteCount > 0)
        #expect(try index.search(rows[7].vector, k: 300, in: .all) == memory.search(rows[7].vector, k: 300, in: .all))
    }

    @Test func groupsThatChangedMeanwhileStayInMemory() throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 100, blockRowCount: 5)
        var model = PlainIndex()
        let rows = snapshotRows(300, dimensions: 100, groupCount: 9)
        try index.upsert(rows)
        model.upsert(rows)
        let written = try index.writeSnapshot(to: folder.file(), identity: identity)

        let moved = [VectorRow(rows[0].key.rawValue, in: 50, rows[3].vector), VectorRow(9999, in: 2, rows[4].vector)]
        try index.upsert(moved)
        index.remove([rows[2].key])
        index.removeGroup(GroupKey(rawValue: 5))
        model.upsert(moved)
        model.remove([rows[2].key])
        model.removeGroup(GroupKey(rawValue: 5))
        try index.adopt(written)
        try index.adopt(written)

        for query in rows.prefix(3).map(\.vector) {
            try model.verify(index.search(query, k: 500, in: .all), query, k: 500, in: .all, index: index)
        }
        for row in rows { #expect(index.contains(row.key) == (model.rows[row.key] != nil)) }
        #expect(index.groupCounts() == model.groupCounts())
        // Groups -1, 1, 2 and 50 changed: the first three hold 33, 33 and 35 rows.
        let inMemory = index.snapshot().byteCount
        #expect(inMemory > 0 && inMemory < 120 * (100 * 6 + 100))
    }

    /// Every file holds one whole write, whatever is written while it is made.
    @Test func filesAreConsistentWhileWritersWrite() async throws {
        let folder = try SnapshotFolder()
        let index = CosineIndex(dimensions: 8, blockRowCount: 4)
        func rows(_ turn: Int64) -> [VectorRow] {
            (0..<24).map { VectorRow($0, in: turn % 3, (0..<8).map { Float(($0 + turn) % 8 + 1) }) }
        }
        try index.upsert(rows(0))

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { for turn in 1..<400 { try index.upsert(rows(Int64(turn))) } }
            tasks.addTask {
                for _ in 0..<200 {
                    let hits = try index.search([1, 2, 3, 4, 5, 6, 7, 8], k: 100, in: .all)
                    #expect(hits.count == 24)
                }
            }
            for turn in 0..<25 {
                let written = try index.writeSnapshot(to: folder.file(), identity: identity)
                let opened = try reopen(folder, dimensions: 8, blockRowCount: 4)
                let hits = try opened.search([1, 2, 3, 4, 5, 6, 7, 8], k: 100, in: .all)
                #expect(hits.map(\.key) == rowKeys(0..<24) && Set(hits.map(\.score)).count == 1)
                #expect(opened.groupCounts().count == 1)
                if turn % 2 == 0 { try index.adopt(written) }
                if turn % 3 == 0 { try index.scrub() }
            }
            try await tasks.waitForAll()
        }

        #expect(index.count == 24)
    }

    @Test func onlyTheOwnerMayReadTheFile() throws {
        let folder = try SnapshotFolder()
        _ = try CosineIndex(dimensions: 3).writeSnapshot(to: folder.file(), identity: identity)

        var status = stat()
        #expect(stat(folder.file(), &status) == 0 && status.st_mode & 0o777 == 0o600)
    }
}
