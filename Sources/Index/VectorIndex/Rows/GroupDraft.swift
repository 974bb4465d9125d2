import IndexCore

/// The next state of one group during a batch of writes.
struct GroupDraft {
    private let key: GroupKey
    private let layout: RowLayout
    private var blocks: [RowBlock]
    private(set) var liveCount: Int
    private var needsCompaction = false
    /// Rows that the batch will still append; storage is allocated for all of them together.
    private var expectedCount: Int

    init(key: GroupKey, rows: GroupRows?, layout: RowLayout, expectedCount: Int) {
        self.key = key
        self.layout = layout
        self.expectedCount = expectedCount
        blocks = rows?.blocks ?? []
        liveCount = rows?.liveCount ?? 0
    }

    /// The group of the next snapshot; nil when no row is left.
    var rows: GroupRows? {
        liveCount == 0 ? nil : GroupRows(key: key, blocks: blocks, liveCount: liveCount)
    }

    /// Appends a row, scaled to length 1 by `scale`, and returns its location.
    mutating func append(_ row: VectorRow, scaledBy scale: Double) throws(VectorIndexError) -> RowLocation {
        let index = try indexOfBlockWithRoom()
        let location = location(block: blocks[index], row: blocks[index].count)
        blocks[index].append(row, scaledBy: scale)
        liveCount += 1
        expectedCount -= 1
        return location
    }

    /// Removes the row at a location in this group.
    mutating func remove(at location: RowLocation) {
        guard let index = blocks.index(ofSerial: location.serial) else { preconditionFailure("a location is stale") }
        blocks[index].remove(Int(location.row))
        liveCount -= 1
        if blocks[index].isSparse { needsCompaction = true }
    }

    /// Rewrites blocks with many removed rows, and returns the rows that moved.
    mutating func compact() -> [(key: RowKey, location: RowLocation)] {
        guard needsCompaction else { return [] }
        var moved: [(key: RowKey, location: RowLocation)] = []
        blocks.removeAll { $0.liveCount == 0 }
        var index = 0
        while index < blocks.count {
            if blocks[index].isSparse, let block = rewritten(at: &index) {
                for row in 0..<block.count {
                    moved.append((block.storage.key(at: row), location(block: block, row: row)))
                }
            }
            index += 1
        }
        return moved
    }

    /// Replaces a sparse block, together with a neighbour if both fit into one block, and points `index` at the new
    /// block.
    ///
    /// If memory is short or the block is damaged, it stays as it is: correct, but slower to scan.
    private mutating func rewritten(at index: inout Int) -> RowBlock? {
        let range = rangeToMerge(at: index)
        let count = blocks[range].reduce(0) { $0 + $1.liveCount }
        // Damaged rows stay in their block, because a copy of them would look intact.
        guard blocks[range].allSatisfy(\.storage.isGood),
            let storage = try? RowStorage(capacity: count, layout: layout)
        else { return nil }
        var block = RowBlock(serial: blocks[range.lowerBound].serial, storage: storage)
        for source in blocks[range] { block.append(liveRowsOf: source) }
        blocks.replaceSubrange(range, with: CollectionOfOne(block))
        index = range.lowerBound
        return block
    }

    private func rangeToMerge(at index: Int) -> Range<Int> {
        let count = blocks[index].liveCount
        if index + 1 < blocks.count, count + blocks[index + 1].liveCount <= layout.blockRowCount {
            return index..<index + 2
        }
        if index > 0, count + blocks[index - 1].liveCount <= layout.blockRowCount {
            return index - 1..<index + 1
        }
        return index..<index + 1
    }

    private mutating func indexOfBlockWithRoom() throws(VectorIndexError) -> Int {
        let last = blocks.count - 1
        guard last >= 0, blocks[last].count < layout.blockRowCount, !blocks[last].isFull || blocks[last].storage.isGood
        else {
            let capacity = min(max(expectedCount, 1), layout.blockRowCount)
            let serial = last < 0 ? 0 : blocks[last].serial + 1
            blocks.append(RowBlock(serial: serial, storage: try RowStorage(capacity: capacity, layout: layout)))
            return last + 1
        }
        if blocks[last].isFull {
            // By half, so that appending single rows costs O(1) copies each and a small group has little unused memory.
            let count = blocks[last].count
            try blocks[last].grow(to: min(layout.blockRowCount, count + max(expectedCount, count / 2 + 1)))
        }
        return last
    }

    private func location(block: RowBlock, row: Int) -> RowLocation {
        RowLocation(group: key, serial: block.serial, row: UInt32(row))
    }
}
