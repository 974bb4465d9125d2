import Glibc
import IndexCore
import IndexTestSupport
import Testing
import VectorIndex

/// What is not as it was written is refused, or found when it is used; it never changes a result.
@Suite struct SnapshotDamageTests {
    private static let dimensions = 20
    private static let blockRowCount = 5

    /// A file of 60 rows in 4 groups, and the hits that every index of these rows gives.
    private struct Sample {
        let folder: SnapshotFolder
        let rows: [VectorRow]
        let bytes: [UInt8]
        let expected: [[VectorHit]]

        init(_ folder: SnapshotFolder, turn: Int = 0) throws {
            self.folder = folder
            rows = snapshotRows(60 + turn, dimensions: dimensions, groupCount: 4).map { row in
                VectorRow(key: row.key, group: row.group, attributes: row.attributes, vector: row.vector.reversed())
            }
            let index = CosineIndex(dimensions: dimensions, blockRowCount: blockRowCount)
            try index.upsert(rows)
            _ = try index.writeSnapshot(to: folder.file(), identity: identity)
            bytes = try folder.read()
            expected = try Self.hits(of: index, rows)
        }

        static func hits(of index: CosineIndex, _ rows: [VectorRow]) throws -> [[VectorHit]] {
            try [rows[0], rows[9]].flatMap { row in
                try [3, 200].map { try index.search(row.vector, k: $0, in: .all) }
            }
        }

        func range(of section: String) throws -> Range<Int> {
            let found = try SnapshotSeal.sections(of: bytes).first { $0.name == section }
            return try #require(found).range
        }

        /// Opens a file of these bytes.
        func open(_ bytes: [UInt8]) throws -> CosineIndex {
            try folder.write(bytes)
            return try reopen(folder, dimensions: dimensions, blockRowCount: blockRowCount)
        }

        /// How an index of these bytes shows itself: refused, found damaged, or right.
        func outcome(_ bytes: [UInt8], orEqualTo others: [[VectorHit]]? = nil) throws -> Outcome {
            let index: CosineIndex
            do {
                index = try open(bytes)
            } catch is SnapshotError {
                return .refused
            }
            do {
                let hits = try Self.hits(of: index, rows)
                index.verify { false }
                if hits == expected || hits == others { return index.damagedRows().isEmpty ? .right : .damaged }
                return .wrong
            } catch VectorIndexError.damaged {
                return index.damagedRows().isEmpty ? .wrong : .damaged
            }
        }
    }

    private enum Outcome { case refused, damaged, right, wrong }

    @Test func aMissingFileIsAnErrorOfItsOwn() throws {
        let folder = try SnapshotFolder()
        #expect(throws: SnapshotError.missing) { try reopen(folder, dimensions: 3, blockRowCount: nil) }
        #expect(throws: SnapshotError.io(operation: "open", code: EISDIR)) {
            try CosineIndex.open(snapshotAt: folder.path, identity: "", dimensions: 3, threadCount: 1)
        }
    }

    /// Would hang, were the pipe waited for.
    @Test(.timeLimit(.minutes(15))) func aPipeInPlaceOfTheFileIsRefused() throws {
        let folder = try SnapshotFolder()
        #expect(mkfifo(folder.file(), 0o600) == 0)
        #expect(throws: SnapshotError.notASnapshot) { try reopen(folder, dimensions: 3, blockRowCount: nil) }
    }

    @Test func anotherFileIsNoSnapshot() throws {
        let sample = try Sample(try SnapshotFolder())
        #expect(throws: SnapshotError.truncated(expected: 4096, got: 0)) { try sample.open([]) }
        #expect(throws: SnapshotError.truncated(expected: 4096, got: 4095)) {
            try sample.open(Array(sample.bytes.prefix(4095)))
        }
        #expect(throws: SnapshotError.notASnapshot) { try sample.open(Array(repeating: 0x20, count: 9000)) }
    }

    @Test func anotherVersionIsRefused() throws {
        let sample = try Sample(try SnapshotFolder())
        var bytes = sample.bytes
        bytes[8] = 9
        SnapshotSeal.renew(&bytes)
        #expect(throws: SnapshotError.version(found: 9)) { try sample.open(bytes) }

        bytes = sample.bytes
        bytes[16] ^= 0x80
        SnapshotSeal.renew(&bytes)
        #expect(throws: SnapshotError.mismatch(field: "codes")) { try sample.open(bytes) }
    }

    @Test func anotherStoreOrFormIsRefused() throws {
        let sample = try Sample(try SnapshotFolder())
        func open(_ identity: String, _ dimensions: Int) throws {
            _ = try CosineIndex.open(
                snapshotAt: sample.folder.file(), identity: identity, dimensions: dimensions, blockRowCount: 5)
        }
        #expect(throws: SnapshotError.identity) { try open("store 2", 20) }
        #expect(throws: SnapshotError.identity) { try open("store", 20) }
        #expect(throws: SnapshotError.identity) { try open("", 20) }
        #expect(throws: SnapshotError.mismatch(field: "dimensions")) { try open("store 1", 19) }
        // Without codes in so short rows, as the service has it.
        #expect(throws: SnapshotError.mismatch(field: "codes")) {
            try CosineIndex.open(
                snapshotAt: sample.folder.file(), identity: "store 1", dimensions: 20, threadCount: 1)
        }
        try open("store 1", 20)
    }

    @Test func theLongestIdentityComesBack() throws {
        let folder = try SnapshotFolder()
        let identity = String(repeating: "é", count: 64)
        _ = try CosineIndex(dimensions: 3).writeSnapshot(
            to: folder.file(), identity: identity)
        #expect(throws: Never.self) {
            try CosineIndex.open(snapshotAt: folder.file(), identity: identity, dimensions: 3, threadCount: 1)
        }
    }

    @Test func aFileThatEndsEarlyOrLateIsRefused() throws {
        let sample = try Sample(try SnapshotFolder())
        let count = sample.bytes.count
        for length in [4096, 4097, count / 2, count - 1] {
            #expect(throws: SnapshotError.truncated(expected: count, got: length)) {
                try sample.open(Array(sample.bytes.prefix(length)))
            }
        }
        #expect(throws: SnapshotError.damaged(part: "length")) { try sample.open(sample.bytes + [0]) }
    }

    @Test(arguments: ["table", "live", "keys", "attributes", "order"])
    func aFlippedBitInWhatIsCheckedAtOpeningIsRefused(section: String) throws {
        let sample = try Sample(try SnapshotFolder())
        let range = try sample.range(of: section)
        for position in [range.lowerBound, range.lowerBound + range.count / 2, range.upperBound - 1] {
            var bytes = sample.bytes
            bytes[position] ^= 0x10
            #expect(throws: SnapshotError.damaged(part: section)) { try sample.open(bytes) }
        }
    }

    @Test func aFlippedBitInTheHeaderIsRefused() throws {
        let sample = try Sample(try SnapshotFolder())
        for position in 0..<4096 {
            var bytes = sample.bytes
            bytes[position] ^= UInt8(1 << (position % 8))
            let expected: SnapshotError =
                switch position {
                case 0..<8: .notASnapshot
                case 8..<16: .version(found: Int(bytes[8]) | Int(bytes[9]) << 8 | Self.high(bytes))
                default: .damaged(part: "header")
                }
            #expect(throws: expected) { try sample.open(bytes) }
        }
    }

    /// Bytes 2 to 7 of the format's version.
    private static func high(_ bytes: [UInt8]) -> Int {
        let number = (10..<16).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << UInt64(8 * ($1 - 8)) }
        return number > UInt64(Int.max) ? Int.max : Int(number)
    }

    @Test(arguments: ["codes", "vectors"])
    func aDamagedBlockIsFoundAtItsFirstUseAndMended(section: String) throws {
        let sample = try Sample(try SnapshotFolder())
        let range = try sample.range(of: section)
        var bytes = sample.bytes
        bytes[range.upperBound - 70] ^= 1
        let kind: ScanKind = section == "codes" ? .codes : .floats
        let index = try sample.open(bytes)
        #expect(index.damagedRows().isEmpty)

        #expect(throws: VectorIndexError.damaged) {
            try index.snapshot().search(batch: [sample.rows[0].vector], k: 3, in: .all, by: kind)
        }
        let damaged = index.damagedRows()
        #expect(damaged.count == Self.blockRowCount)
        #expect(throws: VectorIndexError.damaged) {
            try index.snapshot().search(batch: [sample.rows[0].vector], k: 3, in: .all, by: kind)
        }
        let group = try #require(sample.rows.first { $0.key == damaged[0] }).group
        let others = Set(index.groupCounts().keys).subtracting([group])
        #expect(try index.search(sample.rows[0].vector, k: 200, in: .only(others)).count == 45)
        if section == "vectors" {
            #expect(index.vector(of: damaged[0]) == nil && index.contains(damaged[0]))
            #expect(throws: VectorIndexError.damaged) { try index.score(of: damaged, for: sample.rows[0].vector) }
        }
        #expect(throws: SnapshotError.damaged(part: section)) {
            try index.writeSnapshot(to: sample.folder.file("second"), identity: identity)
        }
        #expect(sample.folder.names() == ["index"])

        try index.upsert(sample.rows.filter { damaged.contains($0.key) })
        #expect(index.damagedRows().isEmpty)
        #expect(try Sample.hits(of: index, sample.rows) == sample.expected)
        _ = try index.writeSnapshot(to: sample.folder.file("second"), identity: identity)
    }

    /// Rows of a damaged block are not copied into memory, where they would look sound.
    @Test(arguments: ["codes", "vectors"])
    func damageStaysVisibleWhenItsBlockIsWrittenTo(section: String) throws {
        // Two groups end in a block of one row, which the next row makes grow.
        let sample = try Sample(try SnapshotFolder(), turn: 2)
        let range = try sample.range(of: section)
        for position in stride(from: range.lowerBound, to: range.upperBound, by: range.count / 40) {
            var bytes = sample.bytes
            bytes[position] ^= 4
            let index = try sample.open(bytes)
            try index.upsert(
                sample.rows.prefix(4).map { VectorRow(7777 + $0.key.rawValue, in: $0.group.rawValue, $0.vector) })
            index.remove(sample.rows.dropFirst(30).prefix(8).map(\.key))
            index.verify { false }
            let damaged = index.damagedRows()
            #expect((1...5).contains(damaged.count), "at \(position - range.lowerBound)")
            index.remove(damaged)
            #expect(index.damagedRows().isEmpty)
            #expect(try index.search(sample.rows[0].vector, k: 200, in: .all).count == 58 - damaged.count)
        }
    }

    @Test func verifyStopsWhenItIsCancelled() throws {
        let sample = try Sample(try SnapshotFolder())
        var bytes = sample.bytes
        bytes[bytes.count - 1] ^= 1
        let index = try sample.open(bytes)
        index.verify { true }
        #expect(index.damagedRows().isEmpty)
        var count = 0
        index.verify {
            count += 1
            return false
        }
        #expect(count == 24 && index.damagedRows().count == 5)
    }

    /// A file that was torn while it was written: its beginning is new, the rest is old, zero or not there.
    @Test func aTornFileIsNeverBelieved() throws {
        let folder = try SnapshotFolder()
        let old = try Sample(folder, turn: 1)
        let new = try Sample(folder)
        var borders = Array(stride(from: 512, to: new.bytes.count, by: 512))
        for (_, range) in try SnapshotSeal.sections(of: new.bytes) { borders += [range.lowerBound, range.upperBound] }
        var refused = 0
        for border in borders where border < new.bytes.count {
            let head = new.bytes.prefix(border)
            let zeros = Array(repeating: UInt8(0), count: new.bytes.count - border)
            for tail in [[], zeros, Array(old.bytes.dropFirst(border))] {
                let outcome = try new.outcome(head + tail)
                if outcome == .refused { refused += 1 }
                // What ends before the vectors end is refused, what lacks only vectors is found damaged.
                #expect(outcome == .refused || (outcome == .damaged && !tail.isEmpty), "at \(border)")
            }
            // The rows reached the disk, the header did not.
            let outcome = try new.outcome(Array(old.bytes.prefix(4096)) + new.bytes.dropFirst(4096))
            #expect(outcome == .refused)
        }
        #expect(refused > borders.count)
    }

    @Test func whatIsLeftOfAnUnfinishedFileDoesNoHarm() throws {
        let sample = try Sample(try SnapshotFolder())
        try sample.folder.write(sample.bytes.prefix(5000), "index.partial")

        #expect(try sample.outcome(sample.bytes) == .right)
        let index = try sample.open(sample.bytes)
        _ = try index.writeSnapshot(to: sample.folder.file(), identity: identity)

        #expect(sample.folder.names() == ["index"])
        #expect(try sample.folder.read() == sample.bytes)
    }

    @Test func aFullDiskLeavesEverythingAsItWas() throws {
        let sample = try Sample(try SnapshotFolder())
        let index = try sample.open(sample.bytes)
        try index.upsert([VectorRow(4711, in: 1, sample.rows[0].vector)])
        for limit in [0, 4096, 10_000, sample.bytes.count] {
            #expect(throws: SnapshotError.io(operation: "write", code: ENOSPC)) {
                try index.writeSnapshot(to: sample.folder.file(), identity: identity, byteLimit: limit)
            }
            #expect(sample.folder.names() == ["index"])
            #expect(try sample.folder.read() == sample.bytes)
        }
        #expect(index.count == 61)
        #expect(throws: SnapshotError.io(operation: "create", code: ENOENT)) {
            try index.writeSnapshot(to: sample.folder.file("none/index"), identity: identity)
        }
        #expect(try index.writeSnapshot(to: sample.folder.file(), identity: identity).rowCount == 61)
    }

    /// Bytes changed at random places: whatever becomes of the file, no result is wrong.
    @Test func randomDamageIsNeverBelieved() throws {
        let sample = try Sample(try SnapshotFolder())
        var generator = SplitMix64(seed: 11)
        var counts: [Outcome: Int] = [:]
        for _ in 0..<2000 {
            var bytes = sample.bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= UInt8.random(
                    in: 1...255, using: &generator)
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            }
            counts[try sample.outcome(bytes), default: 0] += 1
        }
        // Bytes between sections mean nothing, so some files are right.
        #expect(counts[.wrong] == nil && counts[.refused, default: 0] > 400 && counts[.damaged, default: 0] > 100)
    }

    /// A file made to harm, with checksums that fit: it may hold anything, but opening and searching end in order.
    @Test func numbersThatLieAreRefused() throws {
        let sample = try Sample(try SnapshotFolder())
        var generator = SplitMix64(seed: 12)
        let table = try sample.range(of: "table").lowerBound
        let order = try sample.range(of: "order")
        let extremes: [UInt64] = [0, 1, 61, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, 1 << 40, 1 << 61, .max - 7, .max]
        for _ in 0..<3000 {
            var bytes = sample.bytes
            let number = try #require(extremes.randomElement(using: &generator))
            let position =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: 8 * Int.random(in: 0..<60, using: &generator)
                case 1: table + 8 * Int.random(in: 0..<8, using: &generator)
                case 2: order.lowerBound + 8 * Int.random(in: 0..<order.count / 8, using: &generator)
                default: 8 * Int.random(in: 512..<order.upperBound / 8, using: &generator)
                }
            withUnsafeBytes(of: number) { bytes.replaceSubrange(position..<position + 8, with: $0) }
            SnapshotSeal.renew(&bytes)
            _ = try sample.outcome(bytes)
        }

        var bytes = sample.bytes
        bytes.replaceSubrange(order.lowerBound..<order.lowerBound + 4, with: [200, 0, 0, 0])
        SnapshotSeal.renew(&bytes)
        #expect(throws: SnapshotError.damaged(part: "order")) { try sample.open(bytes) }
        bytes = sample.bytes
        bytes[table + 8] = 0
        SnapshotSeal.renew(&bytes)
        #expect(throws: SnapshotError.damaged(part: "table")) { try sample.open(bytes) }
    }
}
