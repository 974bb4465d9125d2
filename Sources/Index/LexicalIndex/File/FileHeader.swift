import IndexCore

/// The description of a snapshot file in its first 4 KiB.
///
/// The table follows, with six numbers for each block (group, rows, terms, postings, checksum of the bytes, 0), and
/// then the bytes of one block after another, group by group.
struct FileHeader: Sendable {
    static let byteCount = HeaderWords.byteCount
    static let formatVersion = 3
    /// "NexusLI" and a zero byte.
    private static let magic: UInt64 = 0x0049_4C73_7578_654E

    /// Positions of the fields among the numbers.
    private enum Field: Int {
        case magic, format, hashVersion, analysisVersion, rowCount, blockCount, tableChecksum, byteCount
        case identityByteCount, identity
    }

    private(set) var words = HeaderWords()

    init(identity: String, analysisVersion: Int) {
        self[.magic] = Self.magic
        self[.format] = UInt64(Self.formatVersion)
        self[.hashVersion] = UInt64(TermKey.hashVersion)
        self[.analysisVersion] = UInt64(bitPattern: Int64(analysisVersion))
        words.write(identity: identity, at: Field.identity.rawValue)
    }

    /// Takes the numbers of a header and checks that they describe the expected rows.
    init(checking words: HeaderWords, identity: String, analysisVersion: Int) throws(SnapshotError) {
        self.words = words
        guard self[.magic] == Self.magic else { throw .notASnapshot }
        guard self[.format] == UInt64(Self.formatVersion) else { throw .version(found: Int(clamping: self[.format])) }
        guard words.isIntact else { throw .damaged(part: "header") }
        guard words.holds(identity: identity, at: Field.identity.rawValue) else { throw .identity }
        guard self[.hashVersion] == UInt64(TermKey.hashVersion) else { throw .mismatch(field: "hash") }
        guard self[.analysisVersion] == UInt64(bitPattern: Int64(analysisVersion)) else {
            throw .mismatch(field: "analysis")
        }
    }

    var rowCount: UInt64 {
        get { self[.rowCount] }
        set { self[.rowCount] = newValue }
    }
    var blockCount: UInt64 {
        get { self[.blockCount] }
        set { self[.blockCount] = newValue }
    }
    var tableChecksum: UInt64 {
        get { self[.tableChecksum] }
        set { self[.tableChecksum] = newValue }
    }
    /// Bytes of the whole file.
    var fileByteCount: UInt64 {
        get { self[.byteCount] }
        set { self[.byteCount] = newValue }
    }

    private subscript(field: Field) -> UInt64 {
        get { words[field.rawValue] }
        set { words[field.rawValue] = newValue }
    }
}

/// A block's line in the table of a file.
struct BlockRecord: Sendable {
    static let byteCount = 48
    /// Larger counts are refused, because offsets computed from them would overflow.
    private static let countLimit: UInt64 = 1 << 32

    let group: GroupKey
    let layout: BlockLayout
    let checksum: UInt64

    init(_ block: RowBlock, in group: GroupKey) {
        self.group = group
        layout = block.layout
        checksum = IndexCore.checksum(of: UnsafeRawBufferPointer(block.bytes))
    }

    /// Reads a line; nil when its numbers are impossible.
    init?(at start: UnsafeRawPointer) {
        let words = (0..<6).map { start.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        guard (1...UInt64(BlockLayout.rowLimit)).contains(words[1]), words[2] <= words[3], words[3] < Self.countLimit,
            words[5] == 0
        else { return nil }
        group = GroupKey(rawValue: Int64(bitPattern: words[0]))
        layout = BlockLayout(rowCount: Int(words[1]), termCount: Int(words[2]), postingCount: Int(words[3]))
        checksum = words[4]
    }

    var words: [UInt64] {
        [
            UInt64(bitPattern: group.rawValue), UInt64(layout.rowCount), UInt64(layout.termCount),
            UInt64(layout.postingCount), checksum, 0,
        ]
    }
}
