public import IndexCore
import Synchronization

extension CosineIndex {
    /// Adds rows and replaces those whose keys are present, all or none; a replaced row leaves its old group.
    ///
    /// - Parameter rows: Any number; of rows with the same key, the last one counts.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/outOfMemory(byteCount:)``; the index is
    ///   unchanged then.
    /// - Complexity: O(rows · *d*) amortised, and O(log groups + blocks of the group) for each group touched.
    public func upsert(_ rows: [VectorRow]) throws(VectorIndexError) {
        var scales: [Double] = []
        scales.reserveCapacity(rows.count)
        for row in rows { scales.append(try layout.unitScale(of: row.vector)) }
        let chosen = Self.lastOfEachKey(rows)
        try write { (batch) throws(VectorIndexError) in
            let kept = chosen.map { rows[$0] }
            let places = locations.withLock { map in kept.map { map[$0.key] } }
            try batch.upsert(kept, scales: chosen.map { scales[$0] }, locations: places)
        }
    }

    /// Removes rows; unknown keys are skipped.
    ///
    /// - Complexity: O(keys) amortised, and O(log groups + blocks of the group) for each group touched.
    public func remove(_ keys: [RowKey]) {
        write { batch in
            let unique = Set(keys)
            let found = locations.withLock { map in unique.compactMap { key in map[key].map { (key, $0) } } }
            for (key, location) in found { batch.remove(key, at: location) }
        }
    }

    /// Removes all rows of a group; an unknown group is no error.
    ///
    /// - Complexity: O(rows of the group).
    public func removeGroup(_ group: GroupKey) {
        write { batch in
            if let rows = snapshot().table[group] { batch.remove(rows) }
        }
    }

    /// Runs one write: `body` fills a batch, which is then published as a whole, or dropped when `body` throws.
    private func write<Failure: Error>(_ body: (inout WriteBatch) throws(Failure) -> Void) throws(Failure) {
        try writer.withLock { (_) throws(Failure) in
            // Kept until the locks are released, because it may hold the last reference to a large group.
            let before = snapshot()
            var batch = WriteBatch(before)
            try body(&batch)
            let lease = leases.next()
            let (next, changes) = batch.finish(lease)
            let (file, gone) = locations.withLock { map in
                let gone = map.apply(changes)
                current.withLock { $0 = next }
                return (map.base?.file, gone)
            }
            if !gone.isEmpty { file?.removals.withLock { $0.add(gone, turn: lease.turn) } }
            withExtendedLifetime(before) {}
        }
    }

    /// Positions of the last row of each key, in ascending order.
    private static func lastOfEachKey(_ rows: [VectorRow]) -> [Int] {
        var last: [RowKey: Int] = [:]
        for (index, row) in rows.enumerated() { last[row.key] = index }
        return last.count == rows.count ? Array(rows.indices) : last.values.sorted()
    }
}

/// One row from the caller: of any length but zero, normalised when it is stored.
public struct VectorRow: Hashable, Sendable {
    /// The row's key, unique in the index.
    public let key: RowKey
    /// The group that the row lies in; a row lies in one group at a time.
    public let group: GroupKey
    /// The attributes that predicates choose by.
    public let attributes: RowAttributes
    /// `d` finite components, not all zero.
    public let vector: [Float]

    public init(key: RowKey, group: GroupKey, attributes: RowAttributes = RowAttributes(), vector: [Float]) {
        self.key = key
        self.group = group
        self.attributes = attributes
        self.vector = vector
    }
}
