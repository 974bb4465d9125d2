import Glibc
import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// Random operations, files among them, against the brute force.
@Suite struct SnapshotModelTests {
    private static let isLong = getenv("NEXUS_LONG_TESTS").map { String(cString: $0) } == "1"

    @Test(arguments: [1, 40], [3, 16])
    func agreesWithBruteForceThroughFiles(dimensions: Int, blockRowCount: Int) throws {
        var run = try Run(dimensions: dimensions, blockRowCount: blockRowCount)
        let operationCount = Self.isLong ? 50_000 : 5000
        for _ in 0..<operationCount { try run.step() }
        try run.reopenIndex()
        try run.search()

        #expect(run.reopenings > operationCount / 500 && run.adoptions > operationCount / 500)
        #expect(run.scrubbedRows > operationCount / 40)
    }

    /// One index, its file and their models.
    private struct Run {
        private static let keyCount: Int64 = 150
        private let folder: SnapshotFolder
        private let dimensions: Int
        private let blockRowCount: Int
        private let source: LatentVectors
        private var generator: SplitMix64
        private var index: CosineIndex
        private var model = PlainIndex()
        /// The rows that the file was written with, and the keys that were removed or written since.
        private var file = PlainIndex()
        private var touched: Set<RowKey> = []
        /// How many files were written: the identity says which one it is.
        private var fileCount = 0
        private var written: WrittenSnapshot?
        private var held: (snapshot: CosineIndex.Snapshot, query: [Float], hits: [VectorHit])?
        private(set) var reopenings = 0
        private(set) var adoptions = 0
        private(set) var scrubbedRows = 0

        init(dimensions: Int, blockRowCount: Int) throws {
            folder = try SnapshotFolder()
            self.dimensions = dimensions
            self.blockRowCount = blockRowCount
            let seed = UInt64(dimensions * 100 + blockRowCount)
            source = LatentVectors(dimensions: dimensions, seed: seed)
            generator = SplitMix64(seed: seed)
            index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
            try writeFile()
        }

        mutating func step() throws {
            switch Int.random(in: 0..<200, using: &generator) {
            case 0..<3: try writeFile()
            case 3..<6: try adopt()
            case 6..<8: try reopenIndex()
            case 8..<14: try scrub()
            case 14..<16: try folder.write([1, 2, 3], "index.partial")
            case 16..<19: try exchangeHeldSnapshot()
            case 19..<20: index.verify { false }
            case 20..<40: try search()
            case 40..<120: try upsert(1...1)
            case 120..<140: try upsert(0...25)
            case 140..<195: remove((0..<Int.random(in: 0...6, using: &generator)).map { _ in key() })
            default: removeGroup()
            }
            #expect(index.count == model.rows.count)
        }

        mutating func search() throws {
            let query = source.next(using: &generator)
            let selection: GroupSelection = Bool.random(using: &generator) ? .all : .only([group(), group()])
            let k = [1, 5, 1000].randomElement(using: &generator) ?? 1
            for kind in [ScanKind.codes, .floats] {
                let hits = try index.snapshot().search(batch: [query], k: k, in: selection, by: kind)[0]
                try model.verify(hits, query, k: k, in: selection, index: index)
            }
            #expect(index.groupCounts() == model.groupCounts())
            #expect(index.damagedRows().isEmpty)
        }

        /// Opens the file, of which every row that was not touched must be there, and catches up with the changes.
        mutating func reopenIndex() throws {
            let opened: CosineIndex
            opened = try CosineIndex.open(
                snapshotAt: folder.file(), identity: "store \(fileCount)", dimensions: dimensions,
                blockRowCount: blockRowCount)
            let present = file.rows.keys.filter { opened.contains($0) }
            #expect(Set(file.rows.keys).subtracting(present).isSubset(of: touched))
            #expect(opened.count == present.count)
            scrubbedRows += file.rows.count - present.count
            var expected = file
            expected.remove(Array(Set(file.rows.keys).subtracting(present)))
            let query = source.next(using: &generator)
            try expected.verify(
                opened.search(query, k: 1000, in: .all), query, k: 1000, in: .all, index: opened)
            file = expected

            opened.remove(Array(touched))
            try opened.upsert(touched.compactMap { model.rows[$0] })
            // A file is one index's: what the next one scrubs, snapshots of the last one would miss.
            (index, written, held) = (opened, nil, nil)
            reopenings += 1
        }

        private mutating func writeFile() throws {
            fileCount += 1
            written = try index.writeSnapshot(
                to: folder.file(), identity: "store \(fileCount)")
            file = model
            touched = []
            #expect(folder.names() == ["index"])
        }

        private mutating func adopt() throws {
            guard let written else { return }
            try index.adopt(written)
            self.written = nil
            adoptions += 1
        }

        private mutating func scrub() throws {
            if Bool.random(using: &generator) { (held, written) = (nil, nil) }
            let waiting = try index.scrub()
            if held == nil && written == nil { #expect(waiting == 0) }
        }

        /// Looks again at a snapshot that was kept, and keeps another.
        private mutating func exchangeHeldSnapshot() throws {
            if let held {
                #expect(try held.snapshot.search(held.query, k: 1000, in: .all) == held.hits)
            }
            let (snapshot, query) = (index.snapshot(), source.next(using: &generator))
            held = (snapshot, query, try snapshot.search(query, k: 1000, in: .all))
        }

        private mutating func upsert(_ sizes: ClosedRange<Int>) throws {
            let rows = (0..<Int.random(in: sizes, using: &generator)).map { _ in
                VectorRow(
                    key: key(), group: group(),
                    attributes: RowAttributes(sender: .random(in: 0..<4, using: &generator)),
                    vector: source.next(using: &generator))
            }
            try index.upsert(rows)
            model.upsert(rows)
            touched.formUnion(rows.map(\.key))
        }

        private mutating func remove(_ keys: [RowKey]) {
            index.remove(keys)
            model.remove(keys)
            touched.formUnion(keys)
        }

        private mutating func removeGroup() {
            let group = group()
            touched.formUnion(model.rows.values.filter { $0.group == group }.map(\.key))
            index.removeGroup(group)
            model.removeGroup(group)
        }

        private mutating func key() -> RowKey {
            RowKey(rawValue: .random(in: -Self.keyCount..<Self.keyCount, using: &generator))
        }

        private mutating func group() -> GroupKey { GroupKey(rawValue: .random(in: 0..<6, using: &generator)) }
    }
}
