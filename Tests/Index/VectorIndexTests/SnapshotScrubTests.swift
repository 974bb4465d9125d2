import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// Removed rows leave the disk.
@Suite struct SnapshotScrubTests {
    private static let dimensions = 20

    /// An index opened from a file of 40 rows in groups of 8, and a group of one row.
    private struct Sample {
        let folder: SnapshotFolder
        let rows: [VectorRow]
        let index: CosineIndex

        init() throws {
            folder = try SnapshotFolder()
            var generator = SplitMix64(seed: 8)
            rows = (0..<41).map { number in
                VectorRow(
                    key: RowKey(rawValue: .random(in: .min ... .max, using: &generator)),
                    group: GroupKey(rawValue: Int64(number / 8)),
                    attributes: RowAttributes(
                        sender: .random(in: .min ... .max, using: &generator),
                        time: .random(in: .min ... .max, using: &generator)),
                    vector: (0..<dimensions).map { _ in .random(in: -1...1, using: &generator) })
            }
            let written = CosineIndex(dimensions: dimensions, blockRowCount: 5)
            try written.upsert(rows)
            _ = try written.writeSnapshot(to: folder.file(), identity: identity)
            index = try reopen(folder, dimensions: dimensions, blockRowCount: 5)
        }

        /// What of a row can be found in the file.
        func traces(of row: VectorRow, _ vector: [Float]) throws -> Set<String> {
            let file = try folder.read()
            let key = withUnsafeBytes(of: row.key.rawValue) { Array($0) }
            let sender = withUnsafeBytes(of: row.attributes.sender) { Array($0) }
            let time = withUnsafeBytes(of: row.attributes.time) { Array($0) }
            let pieces = [
                ("key", key), ("sender", sender), ("time", time), ("vector", vector.withUnsafeBytes { Array($0) }),
            ]
            return Set(pieces.filter { Self.contains(file, $0.1) }.map(\.0))
        }

        private static func contains(_ file: [UInt8], _ piece: [UInt8]) -> Bool {
            (0...(file.count - piece.count)).contains { start in
                file[start] == piece[0] && file[start..<start + piece.count].elementsEqual(piece)
            }
        }
    }

    private static let everything: Set<String> = ["key", "sender", "time", "vector"]

    @Test func nothingOfARemovedRowStaysInTheFile() throws {
        let sample = try Sample()
        let removed = [sample.rows[0], sample.rows[17], sample.rows[18], sample.rows[40]]
        let vectors = removed.compactMap { sample.index.vector(of: $0.key) }
        let kept = try #require(sample.index.vector(of: sample.rows[19].key))
        for (row, vector) in zip(removed, vectors) {
            #expect(try sample.traces(of: row, vector) == Self.everything)
        }

        sample.index.remove(removed.map(\.key))
        #expect(try sample.index.scrub() == 0)

        for (row, vector) in zip(removed, vectors) { #expect(try sample.traces(of: row, vector) == []) }
        #expect(try sample.traces(of: sample.rows[19], kept) == Self.everything)
        let opened = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
        opened.verify { false }
        #expect(opened.damagedRows().isEmpty && opened.count == 37)
        #expect(opened.groupCounts() == sample.index.groupCounts())
        for row in removed { #expect(!opened.contains(row.key) && opened.vector(of: row.key) == nil) }
        try expectSameResults(opened, sample.index, sample.rows)
    }

    /// Codes of a block that has no other row are zero, whatever their layout.
    @Test func codesAreZeroedToo() throws {
        let sample = try Sample()
        let file = try sample.folder.read()
        let sections = try SnapshotSeal.sections(of: file)
        let codes = try #require(sections.first { $0.name == "codes" }).range
        func zeroCount(_ bytes: [UInt8]) -> Int { bytes[codes].count { $0 == 0 } }
        let before = zeroCount(file)

        sample.index.removeGroup(GroupKey(rawValue: 5))
        try sample.index.scrub()

        // Of 32 bytes of codes at least 20 were not zero, now all are.
        let after = zeroCount(try sample.folder.read())
        #expect(after - before >= 20 && after - before <= 64)
        sample.index.remove(sample.rows.map(\.key))
        try sample.index.scrub()
        #expect(zeroCount(try sample.folder.read()) == codes.count)
        #expect(try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5).count == 0)
    }

    @Test func aReplacedRowLeavesTheFile() throws {
        let sample = try Sample()
        let row = sample.rows[3]
        let vector = try #require(sample.index.vector(of: row.key))

        try sample.index.upsert([VectorRow(key: row.key, group: row.group, vector: sample.rows[4].vector)])
        try sample.index.scrub()

        #expect(try sample.traces(of: row, vector) == [])
        #expect(sample.index.contains(row.key) && sample.index.count == 41)
        let opened = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
        #expect(!opened.contains(row.key) && opened.count == 40)
    }

    /// Appending and compaction move rows to memory; the file still has them.
    @Test func aRowThatMovedToMemoryIsScrubbedWhenItIsRemoved() throws {
        let sample = try Sample()
        let row = sample.rows[7]
        let vector = try #require(sample.index.vector(of: row.key))
        try sample.index.upsert((0..<3).map { VectorRow($0, in: 0, sample.rows[Int($0)].vector) })
        sample.index.remove(sample.rows[0..<4].map(\.key))
        #expect(sample.index.snapshot().byteCount > 0)
        try sample.index.scrub()
        #expect(try sample.traces(of: row, vector) == Self.everything)

        sample.index.remove([row.key])
        try sample.index.scrub()

        #expect(try sample.traces(of: row, vector) == [])
    }

    @Test func aRowThatASnapshotSeesStays() throws {
        let sample = try Sample()
        let row = sample.rows[9]
        let vector = try #require(sample.index.vector(of: row.key))
        var snapshot: CosineIndex.Snapshot? = sample.index.snapshot()
        let expected = try snapshot?.search(row.vector, k: 50, in: .all)

        sample.index.remove([row.key])
        #expect(try sample.index.scrub() == 1)
        #expect(try snapshot?.search(row.vector, k: 50, in: .all) == expected)
        #expect(try sample.traces(of: row, vector) == Self.everything)
        snapshot = nil
        #expect(try sample.index.scrub() == 0)

        #expect(try sample.traces(of: row, vector) == [])
    }

    /// What is removed between writing and adopting is in the file too.
    @Test func rowsRemovedBeforeAdoptionAreScrubbed() throws {
        let sample = try Sample()
        let index = CosineIndex(dimensions: Self.dimensions, blockRowCount: 5)
        try index.upsert(sample.rows)
        let vectors = sample.rows.compactMap { index.vector(of: $0.key) }
        let written = try index.writeSnapshot(to: sample.folder.file(), identity: identity)
        let (removed, replaced, moved, later) = (sample.rows[1], sample.rows[9], sample.rows[20], sample.rows[30])
        index.remove([removed.key])
        try index.upsert([
            VectorRow(key: replaced.key, group: replaced.group, vector: moved.vector),
            VectorRow(
                key: moved.key, group: GroupKey(rawValue: 99), attributes: moved.attributes, vector: moved.vector),
        ])
        try index.adopt(written)
        index.remove([later.key])
        #expect(try index.scrub() == 4)
        _ = consume written
        #expect(try index.scrub() == 0)

        for number in [1, 9, 20, 30] { #expect(try sample.traces(of: sample.rows[number], vectors[number]) == []) }
        for number in [0, 2, 8, 10, 19, 21, 31] {
            #expect(try sample.traces(of: sample.rows[number], vectors[number]) == Self.everything)
        }
        let opened = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
        #expect(opened.count == 37)
    }

    /// Scrubbing reads a block that nobody has checked, but gives it no new checksum if it was damaged.
    @Test(arguments: ["codes", "vectors"])
    func aDamagedBlockStaysDamaged(section: String) throws {
        let sample = try Sample()
        var file = try sample.folder.read()
        let range = try #require(try SnapshotSeal.sections(of: file).first { $0.name == section }).range
        for position in stride(from: range.lowerBound, to: range.upperBound, by: 97) {
            file[position] ^= 1
            try sample.folder.write(file)
            file[position] ^= 1
            let index = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
            index.remove(stride(from: 0, to: 41, by: 2).map { sample.rows[$0].key })
            try index.scrub()

            let opened = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
            opened.verify { false }
            // The group of one row has no block left; all others have.
            #expect(opened.damagedRows().isEmpty == index.damagedRows().isEmpty)
            #expect(opened.damagedRows() == index.damagedRows() && opened.count == 20)
        }
    }

    /// A machine that stops in the middle of it leaves some 512 bytes old and some new.
    @Test func aScrubCutShortIsFound() throws {
        let sample = try Sample()
        let before = try sample.folder.read()
        let query = sample.rows[12].vector
        let full = try sample.index.search(query, k: 50, in: .all)
        sample.index.remove([0, 9, 12, 25, 33].map { sample.rows[$0].key })
        let rest = try sample.index.search(query, k: 50, in: .all)
        try sample.index.scrub()
        let after = try sample.folder.read()
        var generator = SplitMix64(seed: 2)
        for round in 0..<400 {
            var mixed = before
            for start in stride(from: 0, to: mixed.count, by: 512) {
                let end = min(start + 512, mixed.count)
                let isNew = round % 2 == 0 ? Bool.random(using: &generator) : start < round * mixed.count / 400
                if isNew { mixed.replaceSubrange(start..<end, with: after[start..<end]) }
            }
            try sample.folder.write(mixed)
            do {
                let opened = try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5)
                let hits = try opened.search(query, k: 50, in: .all)
                #expect(hits == (opened.count == 41 ? full : rest), "in round \(round)")
            } catch {
                #expect(error is SnapshotError || error as? VectorIndexError == .damaged)
            }
        }
    }

    @Test func searchesGoOnWhileRowsAreScrubbed() async throws {
        let sample = try Sample()
        let index = sample.index
        let query = sample.rows[40].vector
        let kept = Set(sample.rows[32...].map(\.key))
        let expected = try index.search(query, k: 50, in: .all).filter { kept.contains($0.key) }

        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for _ in 0..<2 {
                tasks.addTask {
                    for _ in 0..<300 {
                        let hits = try index.search(query, k: 50, in: .all)
                        #expect(hits.filter { kept.contains($0.key) } == expected)
                        #expect(!hits.contains { $0.score == 0 })
                    }
                }
            }
            for row in sample.rows[..<32] {
                index.remove([row.key])
                try index.scrub()
            }
            try await tasks.waitForAll()
        }

        #expect(try index.scrub() == 0)
        #expect(try reopen(sample.folder, dimensions: Self.dimensions, blockRowCount: 5).count == 9)
    }

    @Test func anIndexInMemoryHasNothingToScrub() throws {
        let index = CosineIndex(dimensions: 2)
        try index.upsert([VectorRow(1, in: 1, [1, 1])])
        index.remove(rowKeys([1]))
        #expect(try index.scrub() == 0)
    }
}
