import CKernels
import Glibc
import IndexCore
import Synchronization

/// The parts of a file besides its rows as they are on the disk, kept for scrubbing.
struct SnapshotScrubbing {
    var header: SnapshotHeader
    /// Two checksums for each block: of its codes, of its vectors.
    var sums: [UInt64]
    var live: [UInt64]
    /// Rows of a scrubbing that ended with an error.
    var unfinished: [UInt32] = []

    init(_ contents: SnapshotContents) {
        header = contents.header
        sums = contents.sums
        live = contents.live
    }
}

extension SnapshotFile {
    /// Zeroes the rows that were removed or replaced and that no snapshot in use can see.
    ///
    /// The header, on which every checksum depends, is written last, when everything else is on the disk. If the
    /// machine stops before that, zeroed parts do not match their old checksums. A checksum is renewed only if the old
    /// one matched, so a damaged part stays damaged.
    func scrub(oldestTurn: UInt64) throws(SnapshotError) {
        try scrubbing.withLock { (state) throws(SnapshotError) in
            state.unfinished += removals.withLock { $0.take(upTo: oldestTurn) }
            let rows = state.unfinished.sorted().map(Int.init)
            guard !rows.isEmpty else { return }
            try scrub(rows, &state)
            state.unfinished = []
        }
    }

    private func scrub(_ rows: [Int], _ state: inout SnapshotScrubbing) throws(SnapshotError) {
        var start = 0
        for number in blocks.indices where start < rows.count {
            let block = blocks[number]
            let end = rows[start...].firstIndex { $0 >= block.firstRow + block.rowCount } ?? rows.count
            if end > start { try scrub(rows[start..<end].map { $0 - block.firstRow }, ofBlock: number, &state) }
            start = end
        }
        for row in rows { state.live[row / 64] &= ~(1 << UInt64(row % 64)) }
        try scrubSections(rows, &state)
        try synchronise()
        state.header.liveCount -= UInt64(rows.count)
        try write(state.header)
    }

    private func scrub(
        _ rows: [Int], ofBlock number: Int, _ state: inout SnapshotScrubbing
    ) throws(SnapshotError) {
        // From now on the block is not read for a check.
        _ = (isGood(.codes, block: number), isGood(.vectors, block: number))
        let rowBytes = layout.stride * MemoryLayout<Float>.stride
        try rewrite(bytes(of: .vectors, block: number), sum: &state.sums[2 * number + 1]) { copy in
            for row in rows { zero(copy, row, unit: rowBytes) }
            return runs(of: rows, unit: rowBytes)
        }
        let codes = bytes(of: .codes, block: number)
        guard codes.count > 0 else { return }
        try rewrite(codes, sum: &state.sums[2 * number]) { copy in
            guard let base = copy.baseAddress else { return [] }
            let target = RowCodes(base: base, capacity: blocks[number].rowCount, layout: layout)
            eraseCodes(of: rows, in: target)
            return [0..<copy.count]
        }
    }

    /// Overwrites the codes of rows with zeros, in any layout.
    private func eraseCodes(of rows: [Int], in target: RowCodes) {
        let byteCount = SnapshotBlock.codeByteCount(rowCount: 1, layout: layout)
        withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 64) { bytes in
            guard let base = bytes.baseAddress else { return }
            base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
            let blank = RowCodes(base: base, capacity: 1, layout: layout)
            for row in rows { target.copy(blank, rows: 0, count: 1, to: row) }
        }
    }

    private func scrubSections(_ rows: [Int], _ state: inout SnapshotScrubbing) throws(SnapshotError) {
        for (section, unit) in [(SnapshotSection.keys, 8), (.attributes, MemoryLayout<RowAttributes>.stride)] {
            try rewrite(section, &state) { copy in
                for row in rows { zero(copy, row, unit: unit) }
                return runs(of: rows, unit: unit)
            }
        }
        let (live, sums, liveCount) = (state.live, state.sums, Int(state.header.liveCount))
        try rewrite(.live, &state) { copy in
            live.withUnsafeBytes { copy.copyMemory(from: $0) }
            return [0..<copy.count]
        }
        try rewrite(.order, &state) { copy in
            let order = copy.bindMemory(to: UInt32.self)
            var kept = 0
            for row in order.prefix(liveCount) where live[Int(row / 64)] & (1 << UInt64(row % 64)) != 0 {
                order[kept] = row
                kept += 1
            }
            order[kept...].update(repeating: 0)
            return [0..<copy.count]
        }
        try rewrite(.table, &state) { copy in
            for number in blocks.indices {
                let record = number * SnapshotBlock.byteCount
                copy.storeBytes(of: sums[2 * number], toByteOffset: record + 16, as: UInt64.self)
                copy.storeBytes(of: sums[2 * number + 1], toByteOffset: record + 24, as: UInt64.self)
            }
            return [0..<copy.count]
        }
    }

    private func rewrite(
        _ section: SnapshotSection, _ state: inout SnapshotScrubbing,
        _ change: (UnsafeMutableRawBufferPointer) -> [Range<Int>]
    ) throws(SnapshotError) {
        let bytes = UnsafeRawBufferPointer(start: start(of: section), count: sections[section].byteCount)
        try rewrite(bytes, sum: &state.header[checksumOf: section], change)
    }

    /// Changes a copy of some bytes of the file, and writes the ranges that `change` returns.
    private func rewrite(
        _ bytes: UnsafeRawBufferPointer, sum: inout UInt64, _ change: (UnsafeMutableRawBufferPointer) -> [Range<Int>]
    ) throws(SnapshotError) {
        guard let start = bytes.baseAddress else { return }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
        defer { copy.deallocate() }
        copy.copyMemory(from: bytes)
        guard let copied = copy.baseAddress else { return }
        let wasRight = nexus_checksum(copied, copy.count) == sum
        let ranges = change(copy)
        if wasRight { sum = nexus_checksum(copied, copy.count) }
        let offset = start - self.start
        for range in ranges {
            try writeFully(UnsafeRawBufferPointer(rebasing: copy[range]), at: offset + range.lowerBound, to: descriptor)
        }
    }

    private func zero(_ bytes: UnsafeMutableRawBufferPointer, _ row: Int, unit: Int) {
        UnsafeMutableRawBufferPointer(rebasing: bytes[row * unit..<(row + 1) * unit])
            .initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// The byte ranges of ascending rows; adjacent rows share a range.
    private func runs(of rows: [Int], unit: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for row in rows {
            if let last = ranges.last, last.upperBound == row * unit {
                ranges[ranges.count - 1] = last.lowerBound..<(row + 1) * unit
            } else {
                ranges.append(row * unit..<(row + 1) * unit)
            }
        }
        return ranges
    }

    private func write(_ header: SnapshotHeader) throws(SnapshotError) {
        let words = header.encoded()
        try words.withUnsafeBufferPointer { (buffer) throws(SnapshotError) in
            try writeFully(UnsafeRawBufferPointer(buffer), at: 0, to: descriptor)
        }
        try synchronise()
    }

    private func synchronise() throws(SnapshotError) {
        guard fdatasync(descriptor) == 0 else { throw .io(operation: "fdatasync", code: errno) }
    }
}
