package import IndexCore

/// The description of a snapshot file in its first 4 KiB.
struct SnapshotHeader: Sendable {
    static let byteCount = HeaderWords.byteCount
    static let formatVersion = 3
    /// "NexusVI" and a zero byte.
    private static let magic: UInt64 = 0x0049_5673_7578_654E
    private static let identityWords = HeaderWords.identityByteLimit / 8

    private var words = HeaderWords()

    /// Positions of the fields among the numbers; those of the sections follow the identity.
    private enum Field: Int {
        case magic, format, codeVersion, dimensions, stride, codeWidth, rowCount, liveCount, blockCount
        case identityByteCount, identity
    }

    init(layout: RowLayout, identity: String) {
        self[.magic] = Self.magic
        self[.format] = UInt64(Self.formatVersion)
        self[.codeVersion] = UInt64(RowCodes.version)
        self[.dimensions] = UInt64(layout.dimensions)
        self[.stride] = UInt64(layout.stride)
        self[.codeWidth] = UInt64(layout.codeWidth)
        words.write(identity: identity, at: Field.identity.rawValue)
    }

    /// Takes the numbers of a header unchecked.
    init(words: HeaderWords) { self.words = words }

    /// Takes the numbers of a header and makes the checks that need no expected values.
    init(checking words: HeaderWords) throws(SnapshotError) {
        self.words = words
        guard self[.magic] == Self.magic else { throw .notASnapshot }
        guard self[.format] == UInt64(Self.formatVersion) else {
            throw .version(found: Int(clamping: self[.format]))
        }
        guard words.isIntact, self[.identityByteCount] <= UInt64(HeaderWords.identityByteLimit)
        else { throw .damaged(part: "header") }
    }

    /// Checks that the identity and the form of the rows are the expected ones.
    func check(identity: String, layout: RowLayout) throws(SnapshotError) {
        guard words.holds(identity: identity, at: Field.identity.rawValue) else { throw .identity }
        guard self[.dimensions] == UInt64(layout.dimensions), self[.stride] == UInt64(layout.stride) else {
            throw .mismatch(field: "dimensions")
        }
        guard self[.codeVersion] == UInt64(RowCodes.version), self[.codeWidth] == UInt64(layout.codeWidth) else {
            throw .mismatch(field: "codes")
        }
    }

    /// The header as it is written to the file.
    func encoded() -> [UInt64] { words.encoded() }

    /// Rows of the file, scrubbed ones included.
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

    /// Checksum of a section; zero for codes and vectors, because each block has its own checksums.
    subscript(checksumOf section: SnapshotSection) -> UInt64 {
        get { words[Self.position(of: section)] }
        set { words[Self.position(of: section)] = newValue }
    }

    /// Offset and size of a section in bytes.
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
}

/// Renews the checksums of a changed file, for tests of damage that checksums do not detect.
package enum SnapshotSeal {
    /// Name and range of each section; the header must be intact.
    package static func sections(of file: [UInt8]) throws(SnapshotError) -> [(name: String, range: Range<Int>)] {
        let header = try header(of: file)
        return SnapshotSection.allCases.map { section in
            let (offset, byteCount) = header[placeOf: section]
            return (section.name, Int(offset)..<Int(offset + byteCount))
        }
    }

    /// Renews the checksums of the header and of its sections.
    package static func renew(_ file: inout [UInt8]) {
        guard var header = try? header(of: file, isChecked: false) else { return }
        for section in SnapshotSection.allCases where section.hasChecksum {
            let (offset, byteCount) = header[placeOf: section]
            guard byteCount <= UInt64(file.count), offset <= UInt64(file.count) - byteCount else { continue }
            header[checksumOf: section] = file.withUnsafeBytes { bytes in
                checksum(of: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<Int(offset + byteCount)]))
            }
        }
        header.encoded().withUnsafeBytes { bytes in file.replaceSubrange(0..<bytes.count, with: bytes) }
    }

    private static func header(of file: [UInt8], isChecked: Bool = true) throws(SnapshotError) -> SnapshotHeader {
        guard file.count >= SnapshotHeader.byteCount else {
            throw .truncated(expected: SnapshotHeader.byteCount, got: file.count)
        }
        let words = file.withUnsafeBytes { bytes in bytes.baseAddress.map { HeaderWords(at: $0) } ?? HeaderWords() }
        return isChecked ? try SnapshotHeader(checking: words) : SnapshotHeader(words: words)
    }
}
