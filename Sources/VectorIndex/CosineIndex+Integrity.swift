public import IndexCore
import Synchronization

extension CosineIndex {
    /// Checks every block of the file that was not checked yet; meant for the background.
    ///
    /// Blocks that are damaged are remembered: see ``damagedRows()``.
    ///
    /// - Parameter isCancelled: Asked before each block; true ends the check.
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

    /// The rows that lie in blocks known to be damaged, by ascending key; to upsert or remove them mends the index.
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
    /// A row that a snapshot or a search in use can still see is left for the next call. If the process ends before the
    /// function does, the file counts as damaged, wholly or in the blocks that were touched.
    ///
    /// - Returns: How many rows are left for the next call.
    /// - Throws: ``SnapshotError/io(operation:code:)``; the index goes on, the file may count as damaged.
    /// - Complexity: O(blocks touched), and O(rows) for the order of the keys.
    @discardableResult
    public func scrub() throws(SnapshotError) -> Int {
        guard let file = locations.withLock({ $0.base?.file }) else { return 0 }
        try file.scrub(oldestTurn: leases.oldestTurn())
        return file.removals.withLock { $0.waitingCount }
    }
}
