package import IndexCore

/// What a snapshot file says of itself in its first 4 KiB.
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

    /// Takes the numbers of a header as they are.
    init(words: HeaderWords) { self.words = words }

    /// Takes the numbers of a header and checks what can be checked without knowing what is expected.
    init(checking words: HeaderWords) throws(SnapshotError) {
        self.words = words
        guard self[.magic] == Self.magic else { throw .notASnapshot }
        guard self[.format] == UInt64(Self.formatVersion) else {
            throw .version(found: Int(clamping: self[.format]))
        }
        guard words.isIntact, self[.identityByteCount] <= UInt64(HeaderWords.identityByteLimit)
        else { throw .damaged(part: "header") }
    }

    /// Checks that the rows are those that are wanted, in the form that is wanted.
    func check(identity: String, layout: RowLayout) throws(SnapshotError) {
        guard words.holds(identity: identity, at: Field.identity.rawValue) else { throw .identity }
        guard self[.dimensions] == UInt64(layout.dimensions), self[.stride] == UInt64(layout.stride) else {
            throw .mismatch(field: "dimensions")
        }
        guard self[.codeVersion] == UInt64(RowCodes.version), self[.codeWidth] == UInt64(layout.codeWidth) else {
            throw .mismatch(field: "codes")
        }
    }

    /// The header as it stands in the file.
    func encoded() -> [UInt64] { words.encoded() }

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
}

/// Makes a changed file look like one that was written so: for tests of what checksums cannot stop.
package enum SnapshotSeal {
    /// Where each section lies, by name; the header must be sound.
    package static func sections(of file: [UInt8]) throws(SnapshotError) -> [(name: String, range: Range<Int>)] {
        let header = try header(of: file)
        return SnapshotSection.allCases.map { section in
            let (offset, byteCount) = header[placeOf: section]
            return (section.name, Int(offset)..<Int(offset + byteCount))
        }
    }

    /// Renews the checksums of the header and of the sections that it speaks of.
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
