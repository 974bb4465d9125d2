import CKernels
import Glibc

/// The first 4 KiB of a snapshot file: 512 numbers of 64 bits, little-endian, the last of them a checksum of the others.
struct SnapshotHeader: Sendable {
    static let byteCount = 4096
    static let formatVersion = 1
    /// "NexusVI" and a zero byte.
    private static let magic: UInt64 = 0x0049_5673_7578_654E
    private static let identityWords = SnapshotStamp.identityByteLimit / 8

    private var words: [UInt64]

    /// Positions of the fields among the numbers; those of the sections follow the identity.
    private enum Field: Int {
        case magic, format, codeVersion, dimensions, stride, codeWidth, rowCount, liveCount, blockCount, watermark
        case identityByteCount, identity
        static let checksum = SnapshotHeader.byteCount / 8 - 1
    }

    init(layout: RowLayout, stamp: SnapshotStamp) {
        words = Array(repeating: 0, count: Self.byteCount / 8)
        self[.magic] = Self.magic
        self[.format] = UInt64(Self.formatVersion)
        self[.codeVersion] = UInt64(RowCodes.version)
        self[.dimensions] = UInt64(layout.dimensions)
        self[.stride] = UInt64(layout.stride)
        self[.codeWidth] = UInt64(layout.codeWidth)
        self[.watermark] = UInt64(bitPattern: stamp.watermark)
        let identity = Array(stamp.identity.utf8)
        self[.identityByteCount] = UInt64(identity.count)
        for (position, byte) in identity.enumerated() {
            words[Field.identity.rawValue + position / 8] |= UInt64(byte) << UInt64(position % 8 * 8)
        }
    }

    /// Takes the numbers of a header as they are.
    init(words: [UInt64]) { self.words = words }

    /// Takes the numbers of a header and checks what can be checked without knowing what is expected.
    init(checking words: [UInt64]) throws(SnapshotError) {
        self.words = words
        guard self[.magic] == Self.magic else { throw .notASnapshot }
        guard self[.format] == UInt64(Self.formatVersion) else {
            throw .version(found: Int(clamping: self[.format]))
        }
        guard words[Field.checksum] == checksum, self[.identityByteCount] <= UInt64(SnapshotStamp.identityByteLimit)
        else { throw .damaged(part: "header") }
    }

    /// Checks that the rows are those that are wanted, in the form that is wanted.
    func check(identity: String, layout: RowLayout) throws(SnapshotError) {
        guard self.identity == Array(identity.utf8) else { throw .identity }
        guard self[.dimensions] == UInt64(layout.dimensions), self[.stride] == UInt64(layout.stride) else {
            throw .mismatch(field: "dimensions")
        }
        guard self[.codeVersion] == UInt64(RowCodes.version), self[.codeWidth] == UInt64(layout.codeWidth) else {
            throw .mismatch(field: "codes")
        }
    }

    /// The header as it stands in the file.
    func encoded() -> [UInt64] {
        var result = words
        result[Field.checksum] = checksum
        return result
    }

    var watermark: Int64 { Int64(bitPattern: self[.watermark]) }
    /// Rows that have a place in the file.
    var rowCount: UInt64 {
        get { self[.rowCount] }
        set { self[.rowCount] = newValue }
    }
    /// Rows that are not scrubbed.
    var liveCount: UInt64 {
        get { self[.liveCount] }
        set { self[.liveCount] = newValue }
    }
    var blockCount: UInt64 {
        get { self[.blockCount] }
        set { self[.blockCount] = newValue }
    }

    /// Checksum of a section; those of codes and vectors stay zero, since each block has its own.
    subscript(checksumOf section: SnapshotSection) -> UInt64 {
        get { words[Self.position(of: section)] }
        set { words[Self.position(of: section)] = newValue }
    }

    /// Where a section lies, in bytes.
    subscript(placeOf section: SnapshotSection) -> (offset: UInt64, byteCount: UInt64) {
        get { (words[Self.position(of: section) + 1], words[Self.position(of: section) + 2]) }
        set {
            words[Self.position(of: section) + 1] = newValue.offset
            words[Self.position(of: section) + 2] = newValue.byteCount
        }
    }

    private subscript(field: Field) -> UInt64 {
        get { words[field.rawValue] }
        set { words[field.rawValue] = newValue }
    }

    private static func position(of section: SnapshotSection) -> Int {
        Field.identity.rawValue + identityWords + 3 * section.rawValue
    }

    private var identity: [UInt8] {
        (0..<Int(self[.identityByteCount])).map { position in
            UInt8(truncatingIfNeeded: words[Field.identity.rawValue + position / 8] >> UInt64(position % 8 * 8))
        }
    }

    private var checksum: UInt64 {
        words.withUnsafeBytes { bytes in
            bytes.baseAddress.map { nexus_checksum($0, 8 * Field.checksum) } ?? 0
        }
    }
}
