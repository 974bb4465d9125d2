import CKernels
import Glibc
import IndexCore

/// Writes the live rows of one snapshot to a file, group by group in the order of its table.
struct SnapshotWriter {
    private let snapshot: CosineIndex.Snapshot
    private let layout: RowLayout
    private let sections: SnapshotSections
    private var header: SnapshotHeader
    private let output: SnapshotOutput
    private let blocks: [Block]
    private var sums: [UInt64]

    /// Rows that will lie in one block of the file.
    private struct Block {
        let group: GroupKey
        let runs: [Run]
        let rowCount: Int
    }

    /// Consecutive live rows of a storage.
    private struct Run {
        let storage: RowStorage
        let start: Int
        let count: Int
    }

    init(
        _ snapshot: CosineIndex.Snapshot, identity: String, descriptor: Int32, byteLimit: Int
    ) throws(SnapshotError) {
        self.snapshot = snapshot
        layout = snapshot.layout
        var blocks: [Block] = []
        snapshot.table.forEach { blocks += Self.blocks(of: $0, rowLimit: snapshot.layout.blockRowCount) }
        self.blocks = blocks
        sums = Array(repeating: 0, count: 2 * blocks.count)
        header = SnapshotHeader(layout: layout, identity: identity)
        header.rowCount = UInt64(snapshot.count)
        header.liveCount = UInt64(snapshot.count)
        header.blockCount = UInt64(blocks.count)
        var (codeBytes, largest) = (0, 0)
        for block in blocks {
            codeBytes += SnapshotBlock.codeByteCount(rowCount: block.rowCount, layout: layout)
            largest = max(largest, block.rowCount)
        }
        guard
            let sections = SnapshotSections(
                rowCount: header.rowCount, liveCount: header.liveCount, blockCount: header.blockCount,
                codeByteCount: UInt64(codeBytes), layout: layout)
        else { throw .io(operation: "write", code: EFBIG) }
        self.sections = sections
        sections.describe(in: &header)
        let largestPiece = max(
            SnapshotBlock.codeByteCount(rowCount: largest, layout: layout),
            largest * layout.stride * MemoryLayout<Float>.stride)
        output = try SnapshotOutput(descriptor: descriptor, largestPiece: largestPiece, byteLimit: byteLimit)
    }

    /// Bytes of the file.
    var byteCount: Int { sections.end }

    /// Writes the header last, because a file without it is not a snapshot.
    mutating func write() throws(SnapshotError) {
        guard ftruncate(output.descriptor, off_t(sections.end)) == 0 else {
            throw .io(operation: "truncate", code: errno)
        }
        try writeCodes()
        try writeVectors()
        try writeNames()
        try writeTable()
        try output.seek(to: 0)
        try header.encoded().withUnsafeBufferPointer { (words) throws(SnapshotError) in
            try output.append(UnsafeRawBufferPointer(words))
        }
        try output.flush()
    }

    private mutating func writeCodes() throws(SnapshotError) {
        guard layout.codeWidth > 0 else { return }
        try output.seek(to: sections[.codes].offset)
        for (number, block) in blocks.enumerated() {
            let byteCount = SnapshotBlock.codeByteCount(rowCount: block.rowCount, layout: layout)
            let bytes = try output.reserve(byteCount)
            bytes.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            let codes = RowCodes(base: bytes, capacity: block.rowCount, layout: layout)
            var row = 0
            for run in block.runs {
                guard run.storage.isGood(.codes) else { throw .damaged(part: SnapshotSection.codes.name) }
                if let source = run.storage.codes { codes.copy(source, rows: run.start, count: run.count, to: row) }
                row += run.count
            }
            sums[2 * number] = nexus_checksum(bytes, byteCount)
        }
    }

    private mutating func writeVectors() throws(SnapshotError) {
        try output.seek(to: sections[.vectors].offset)
        let rowBytes = layout.stride * MemoryLayout<Float>.stride
        for (number, block) in blocks.enumerated() {
            let bytes = try output.reserve(block.rowCount * rowBytes)
            var row = 0
            for run in block.runs {
                guard run.storage.isGood(.vectors) else { throw .damaged(part: SnapshotSection.vectors.name) }
                (bytes + row * rowBytes)
                    .copyMemory(from: run.storage.vector(at: run.start), byteCount: run.count * rowBytes)
                row += run.count
            }
            sums[2 * number + 1] = nexus_checksum(bytes, block.rowCount * rowBytes)
        }
    }

    private mutating func writeNames() throws(SnapshotError) {
        var keys: [RowKey] = []
        var attributes: [RowAttributes] = []
        keys.reserveCapacity(snapshot.count)
        attributes.reserveCapacity(snapshot.count)
        for block in blocks {
            for run in block.runs {
                for row in run.start..<run.start + run.count {
                    keys.append(run.storage.key(at: row))
                    attributes.append(run.storage.attributes(at: row))
                }
            }
        }
        var live = [UInt64](repeating: .max, count: (keys.count + 63) / 64)
        if keys.count % 64 != 0 { live[live.count - 1] = (1 << UInt64(keys.count % 64)) - 1 }
        let order = keys.indices.map { UInt32($0) }.sorted { keys[Int($0)] < keys[Int($1)] }
        try write(live, as: .live)
        try write(keys, as: .keys)
        try write(attributes, as: .attributes)
        try write(order, as: .order)
    }

    private mutating func writeTable() throws(SnapshotError) {
        var records: [UInt64] = []
        records.reserveCapacity(4 * blocks.count)
        for (number, block) in blocks.enumerated() {
            records.append(UInt64(bitPattern: block.group.rawValue))
            records.append(UInt64(block.rowCount))
            records.append(sums[2 * number])
            records.append(sums[2 * number + 1])
        }
        try write(records, as: .table)
    }

    /// Writes a section of plain numbers, and notes its checksum.
    private mutating func write<Element>(
        _ elements: [Element], as section: SnapshotSection
    ) throws(SnapshotError) {
        try output.seek(to: sections[section].offset)
        header[checksumOf: section] = try elements.withUnsafeBufferPointer { (buffer) throws(SnapshotError) in
            let bytes = UnsafeRawBufferPointer(buffer)
            try output.append(bytes)
            return checksum(of: bytes)
        }
    }

    private static func blocks(of group: GroupRows, rowLimit: Int) -> [Block] {
        var blocks: [Block] = []
        var runs: [Run] = []
        var rowCount = 0
        for block in group.blocks {
            var row = 0
            while row < block.count {
                let start = row
                while row < block.count, row - start < rowLimit - rowCount, block.isLive(row) { row += 1 }
                if row > start { runs.append(Run(storage: block.storage, start: start, count: row - start)) }
                rowCount += row - start
                if rowCount == rowLimit {
                    blocks.append(Block(group: group.key, runs: runs, rowCount: rowCount))
                    (runs, rowCount) = ([], 0)
                } else if row < block.count {
                    row += 1
                }
            }
        }
        if rowCount > 0 { blocks.append(Block(group: group.key, runs: runs, rowCount: rowCount)) }
        return blocks
    }
}
