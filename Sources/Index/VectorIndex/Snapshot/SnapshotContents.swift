import IndexCore

/// The checked description of a mapped file: every number that is used as an offset is within bounds.
struct SnapshotContents {
    let header: SnapshotHeader
    let sections: SnapshotSections
    private(set) var blocks: [SnapshotBlock] = []
    /// Two checksums for each block: of its codes, of its vectors.
    private(set) var sums: [UInt64] = []
    /// The live section.
    let live: [UInt64]

    init(_ mapping: SnapshotMapping, identity: String, layout: RowLayout) throws(SnapshotError) {
        header = try SnapshotHeader(checking: HeaderWords(at: mapping.base))
        try header.check(identity: identity, layout: layout)
        guard
            let sections = SnapshotSections(
                rowCount: header.rowCount, liveCount: header.liveCount, blockCount: header.blockCount,
                codeByteCount: header[placeOf: .codes].byteCount, layout: layout),
            sections.agree(with: header)
        else { throw .damaged(part: "header") }
        self.sections = sections
        guard mapping.byteCount >= sections.end else {
            throw .truncated(expected: sections.end, got: mapping.byteCount)
        }
        guard mapping.byteCount == sections.end else { throw .damaged(part: "length") }
        for section in SnapshotSection.allCases where section.hasChecksum {
            let (offset, byteCount) = sections[section]
            let bytes = UnsafeRawBufferPointer(start: mapping.base + offset, count: byteCount)
            guard checksum(of: bytes) == header[checksumOf: section] else {
                throw .damaged(part: section.name)
            }
        }
        live = UnsafeRawBufferPointer(
            start: mapping.base + sections[.live].offset, count: sections[.live].byteCount
        ).withMemoryRebound(to: UInt64.self) { Array($0) }
        try checkLive()
        try readTable(mapping.base + sections[.table].offset, layout: layout)
    }

    /// A copy of the checksums, which the caller frees.
    func copyOfSums() -> UnsafePointer<UInt64> {
        let copy = UnsafeMutablePointer<UInt64>.allocate(capacity: max(1, sums.count))
        for (position, sum) in sums.enumerated() { (copy + position).initialize(to: sum) }
        return UnsafePointer(copy)
    }

    private func checkLive() throws(SnapshotError) {
        let count = live.reduce(0) { $0 + $1.nonzeroBitCount }
        let lastBits = header.rowCount % 64
        let hasBitsBeyond = lastBits != 0 && live[live.count - 1] >> lastBits != 0
        guard count == Int(header.liveCount), !hasBitsBeyond else { throw .damaged(part: SnapshotSection.live.name) }
    }

    private mutating func readTable(_ table: UnsafeRawPointer, layout: RowLayout) throws(SnapshotError) {
        let count = Int(header.blockCount)
        blocks.reserveCapacity(count)
        sums.reserveCapacity(2 * count)
        var groups: Set<Int64> = []
        var (firstRow, codesOffset, serial) = (0, 0, UInt32(0))
        for number in 0..<count {
            let record = table + number * SnapshotBlock.byteCount
            let group = record.load(as: Int64.self)
            let rows = record.load(fromByteOffset: 8, as: UInt64.self)
            guard (1...UInt64(SnapshotBlock.rowLimit)).contains(rows), rows <= header.rowCount - UInt64(firstRow) else {
                throw .damaged(part: SnapshotSection.table.name)
            }
            if let last = blocks.last, last.group.rawValue == group {
                serial += 1
            } else {
                serial = 0
                guard groups.insert(group).inserted else { throw .damaged(part: SnapshotSection.table.name) }
            }
            blocks.append(
                SnapshotBlock(
                    group: GroupKey(rawValue: group), serial: serial, firstRow: firstRow, rowCount: Int(rows),
                    codesOffset: codesOffset))
            sums.append(record.load(fromByteOffset: 16, as: UInt64.self))
            sums.append(record.load(fromByteOffset: 24, as: UInt64.self))
            firstRow += Int(rows)
            codesOffset += SnapshotBlock.codeByteCount(rowCount: Int(rows), layout: layout)
        }
        guard firstRow == Int(header.rowCount), codesOffset == sections[.codes].byteCount else {
            throw .damaged(part: SnapshotSection.table.name)
        }
    }
}
