import IndexCore

/// The parts of a snapshot file after its header, in their order.
enum SnapshotSection: Int, CaseIterable {
    /// ``SnapshotBlock`` records of 32 bytes: group, rows, checksum of the codes, checksum of the vectors.
    case table
    /// One bit for each row in words of 64: 1 if the row is not scrubbed.
    case live
    /// One Int64 for each row.
    case keys
    /// One ``RowAttributes`` for each row.
    case attributes
    /// The numbers of the rows that are not scrubbed as UInt32, by ascending key.
    case order
    /// The codes of one block after another; each block starts at a multiple of 64 bytes.
    case codes
    /// The vectors of one row after another.
    case vectors

    /// The name that errors use.
    var name: String { "\(self)" }
    /// Whether one checksum in the header covers the section.
    var hasChecksum: Bool { self != .codes && self != .vectors }
}

/// The places of a file's sections.
///
/// They follow from the counts, so a header can be checked against them.
struct SnapshotSections {
    /// Rows of a file are numbered with 32 bits.
    static let rowLimit = UInt64(UInt32.max)
    private static let pageByteCount = 4096
    private var places: [(offset: Int, byteCount: Int)] = []
    /// Bytes of the file.
    private(set) var end = SnapshotHeader.byteCount

    /// Returns nil when the sizes are impossibly large.
    init?(rowCount: UInt64, liveCount: UInt64, blockCount: UInt64, codeByteCount: UInt64, layout: RowLayout) {
        guard rowCount <= Self.rowLimit, liveCount <= rowCount, blockCount <= rowCount else { return nil }
        let rows = Int(rowCount)
        let stride = layout.stride * MemoryLayout<Float>.stride
        let (vectorBytes, isTooLarge) = rows.multipliedReportingOverflow(by: stride)
        guard !isTooLarge, vectorBytes < 1 << 56, codeByteCount < 1 << 56 else { return nil }
        let sizes: [SnapshotSection: Int] = [
            .table: Int(blockCount) * SnapshotBlock.byteCount, .live: (rows + 63) / 64 * 8, .keys: rows * 8,
            .attributes: rows * MemoryLayout<RowAttributes>.stride, .order: rows * 4, .codes: Int(codeByteCount),
            .vectors: vectorBytes,
        ]
        for section in SnapshotSection.allCases {
            let unit = section.hasChecksum ? 64 : Self.pageByteCount
            let offset = (end + unit - 1) / unit * unit
            let size = sizes[section] ?? 0
            places.append((offset, size))
            end = offset + size
        }
    }

    /// Offset and size of a section in bytes.
    subscript(section: SnapshotSection) -> (offset: Int, byteCount: Int) { places[section.rawValue] }

    /// Writes the places into a header.
    func describe(in header: inout SnapshotHeader) {
        for section in SnapshotSection.allCases {
            header[placeOf: section] = (UInt64(self[section].offset), UInt64(self[section].byteCount))
        }
    }

    /// Whether a header has the same places.
    func agree(with header: SnapshotHeader) -> Bool {
        SnapshotSection.allCases.allSatisfy { section in
            header[placeOf: section] == (UInt64(self[section].offset), UInt64(self[section].byteCount))
        }
    }
}

/// One block of a snapshot file: rows of one group.
struct SnapshotBlock: Sendable {
    /// Bytes of its record in the table.
    static let byteCount = 32
    /// More rows than any sensible layout has in a block.
    static let rowLimit = 1 << 20

    let group: GroupKey
    /// The block's place among those of its group.
    let serial: UInt32
    /// Number of its first row in the file.
    let firstRow: Int
    let rowCount: Int
    /// The offset of its codes in the codes section.
    let codesOffset: Int

    /// Bytes from the codes of a block with `rowCount` rows to those of the next block.
    static func codeByteCount(rowCount: Int, layout: RowLayout) -> Int {
        (RowCodes.byteCount(capacity: rowCount, layout: layout) + 63) / 64 * 64
    }
}
