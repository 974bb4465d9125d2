import Glibc
import IndexCore
import IndexTestSupport
import LexicalIndex
import Testing

@Suite struct SnapshotDamageTests {
    private static let headerBytes = 4096
    private let folder: SnapshotFolder
    private let bytes: [UInt8]

    init() throws {
        folder = try SnapshotFolder()
        let index = BM25Index(blockRowCount: 4)
        index.upsert((0..<13).map { LexicalRow($0, in: $0 % 2, at: $0 * 60, sender: "ann", "word\($0 % 3) tea") })
        _ = try index.writeSnapshot(
            to: folder.file(), identity: "store", analysisVersion: 1)
        bytes = try folder.read()
    }

    /// What opening the bytes as a file says; nil when they are taken.
    private func error(opening bytes: some Sequence<UInt8>) throws -> SnapshotError? {
        try folder.write(bytes, "damaged")
        do throws(SnapshotError) {
            _ = try BM25Index.open(snapshotAt: folder.file("damaged"), identity: "store", analysisVersion: 1)
            return nil
        } catch {
            return error
        }
    }

    @Test func everyFlippedBitIsFound() throws {
        #expect(try error(opening: bytes) == nil)
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 1 << UInt8(position % 8)
            let error = try error(opening: damaged)
            let expected: SnapshotError =
                switch position {
                case 0..<8: .notASnapshot
                case 8..<16: .version(found: Int(clamping: UInt(bitPattern: SnapshotSeal.word(1, of: damaged))))
                case 16..<Self.headerBytes: .damaged(part: "header")
                case ..<(Self.headerBytes + 48 * SnapshotSeal.word(5, of: bytes)): .damaged(part: "table")
                default: .damaged(part: "blocks")
                }
            if error != expected { Issue.record("byte \(position): \(String(describing: error))") }
        }
    }

    @Test func everyCutIsFound() throws {
        for count in bytes.indices {
            let expected = SnapshotError.truncated(
                expected: count < Self.headerBytes ? Self.headerBytes : bytes.count, got: count)
            let error = try error(opening: bytes.prefix(count))
            if error != expected { Issue.record("\(count) bytes: \(String(describing: error))") }
        }
        #expect(try error(opening: bytes + [0]) == .damaged(part: "length"))
    }

    @Test func aTornFileWithoutItsHeaderIsNothing() throws {
        var torn = bytes
        torn.replaceSubrange(0..<Self.headerBytes, with: Array(repeating: 0, count: Self.headerBytes))

        #expect(try error(opening: torn) == .notASnapshot)
    }

    @Test(arguments: [
        (1, SnapshotError.version(found: 4)), (2, .mismatch(field: "hash")), (3, .mismatch(field: "analysis")),
    ])
    func anotherVersionIsRefused(word: Int, expected: SnapshotError) throws {
        var other = bytes
        SnapshotSeal.set(word, to: 4, of: &other)
        SnapshotSeal.renew(&other)

        #expect(try error(opening: other) == expected)
    }

    /// Checksums do not help against a file that was written so: nothing may be believed that is used as an offset.
    @Test func sealedNonsenseIsRefusedOrHarmless() throws {
        let values: [UInt64] = [0, 1, 2, 255, 257, 65_535, 1 << 20, 1 << 32, 1 << 61, .max]
        for word in [4, 5, 7] + Array(Self.headerBytes / 8..<bytes.count / 8) {
            for value in values where Int(truncatingIfNeeded: value) != SnapshotSeal.word(word, of: bytes) {
                var other = bytes
                SnapshotSeal.set(word, to: value, of: &other)
                SnapshotSeal.renew(&other)
                if try error(opening: other) == nil {
                    let index = try BM25Index.open(
                        snapshotAt: folder.file("damaged"), identity: "store", analysisVersion: 1
                    )
                    _ = try index.search(LexicalQuery("tea word1 ann"), k: 50, in: .all)
                    index.upsert([LexicalRow(3, in: 1, at: 99, "tea")])
                }
            }
        }
        for word in [4, 5, 7] {
            var other = bytes
            SnapshotSeal.set(word, to: 3, of: &other)
            SnapshotSeal.renew(&other)
            #expect(try error(opening: other) != nil)
        }
    }

    @Test func aRowThatStandsTwiceIsDamage() throws {
        // The first row's key of the first block becomes the second's: out of order, or there twice.
        var other = bytes
        let first = Self.headerBytes / 8 + 6 * SnapshotSeal.word(5, of: bytes)
        SnapshotSeal.set(first, to: UInt64(SnapshotSeal.word(first + 1, of: bytes)), of: &other)
        SnapshotSeal.renew(&other)

        #expect(try error(opening: other) == .damaged(part: "blocks"))
    }

    /// Would hang, were the pipe waited for.
    @Test(.timeLimit(.minutes(15))) func aPipeInPlaceOfTheFileIsRefused() throws {
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)

        #expect(throws: SnapshotError.notASnapshot) {
            _ = try BM25Index.open(snapshotAt: folder.file("pipe"), identity: "store", analysisVersion: 1)
        }
    }
}

extension SnapshotDamageTests {
    @Test func aGroupInTwoPlacesIsDamage() throws {
        var other = bytes
        let records = (0..<4).map { Self.headerBytes / 8 + 6 * $0 }
        #expect(SnapshotSeal.word(5, of: bytes) == 4)
        let (first, last) = (SnapshotSeal.word(records[1], of: bytes), SnapshotSeal.word(records[2], of: bytes))
        #expect(first != last)
        SnapshotSeal.set(records[1], to: UInt64(last), of: &other)
        SnapshotSeal.set(records[2], to: UInt64(first), of: &other)
        SnapshotSeal.renew(&other)

        #expect(try error(opening: other) == .damaged(part: "table"))
    }

    @Test func aTextLongerThanItsRowIsDamage() throws {
        var other = bytes
        let record = Self.headerBytes / 8
        let (rows, terms) = (SnapshotSeal.word(record + 1, of: bytes), SnapshotSeal.word(record + 2, of: bytes))
        let postings = SnapshotSeal.word(record + 3, of: bytes)
        let block = Self.headerBytes + 48 * SnapshotSeal.word(5, of: bytes)
        let textLengths = block + 40 * rows + 12 * terms + 4 + 4 * postings
        #expect(other[textLengths] == 2)
        other[textLengths] = 9
        SnapshotSeal.renew(&other)

        #expect(try error(opening: other) == .damaged(part: "blocks"))
    }
}

/// Makes a changed file look like one that was written so.
private enum SnapshotSeal {
    static func word(_ position: Int, of file: [UInt8]) -> Int {
        Int(
            truncatingIfNeeded: file.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8 * position, as: UInt64.self) }
        )
    }

    static func set(_ position: Int, to value: UInt64, of file: inout [UInt8]) {
        withUnsafeBytes(of: value) { file.replaceSubrange(8 * position..<8 * position + 8, with: $0) }
    }

    /// Renews the checksums of blocks, table and header, as far as the table can be followed.
    static func renew(_ file: inout [UInt8]) {
        let blockCount = word(5, of: file)
        let (table, most) = (512, (file.count - 4096) / 48)
        if (0...most).contains(blockCount) {
            var offset = 4096 + 48 * blockCount
            for block in 0..<blockCount {
                let record = table + 6 * block
                let (rows, terms, postings) = (
                    word(record + 1, of: file), word(record + 2, of: file), word(record + 3, of: file)
                )
                let limit = 0..<1 << 20
                guard limit.contains(rows), limit.contains(terms), limit.contains(postings) else { break }
                let byteCount = (50 * rows + 12 * terms + 4 + 4 * postings + 7) / 8 * 8
                guard offset + byteCount <= file.count else { break }
                set(record + 4, to: sum(of: file[offset..<offset + byteCount]), of: &file)
                offset += byteCount
            }
            set(6, to: sum(of: file[4096..<4096 + 48 * blockCount]), of: &file)
        }
        set(511, to: sum(of: file[..<4088]), of: &file)
    }

    private static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.withUnsafeBytes { checksum(of: $0) }
    }
}
