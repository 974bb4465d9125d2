public import IndexCore
import Synchronization

extension CosineIndex {
    /// Checks every block of the file that was not checked yet; for background work.
    ///
    /// Damaged blocks are remembered: see ``damagedRows()``.
    ///
    /// - Parameter isCancelled: Called before each block; true ends the check.
    public func verify(isCancelled: () -> Bool) {
        var sources: [MappedBlock] = []
        snapshot().table.forEach { sources += $0.blocks.compactMap(\.storage.source) }
        for part in [BlockPart.codes, .vectors] {
            var asked = 0
            for source in sources {
                if isCancelled() { return }
                source.file.readAhead(of: part, block: source.number, asked: &asked)
                _ = source.isGood(part)
            }
        }
    }

    /// The rows in blocks known to be damaged, by ascending key; upserting or removing them repairs the index.
    ///
    /// - Complexity: O(blocks).
    public func damagedRows() -> [RowKey] {
        var keys: [RowKey] = []
        snapshot().table.forEach { group in
            for block in group.blocks where block.storage.source?.isKnownBad ?? false {
                for row in 0..<block.count where block.isLive(row) { keys.append(block.storage.key(at: row)) }
            }
        }
        return keys.sorted()
    }

    /// Zeroes in the file the rows that were removed or replaced since it was written: vector, codes, key, attributes.
    ///
    /// Rows that a snapshot or search in use can still see are left for the next call. If the process ends during the
    /// call, the file counts as damaged, as a whole or in the blocks that were touched.
    ///
    /// - Returns: The number of rows left for the next call.
    /// - Throws: ``SnapshotError/io(operation:code:)``; the index continues to work, but the file may count as damaged.
    /// - Complexity: O(blocks touched), plus O(rows) for the order of the keys.
    @discardableResult
    public func scrub() throws(SnapshotError) -> Int {
        guard let file = locations.withLock({ $0.base?.file }) else { return 0 }
        try file.scrub(oldestTurn: leases.oldestTurn())
        return file.removals.withLock { $0.waitingCount }
    }
}
