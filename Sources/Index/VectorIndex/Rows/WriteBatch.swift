import IndexCore

/// Builds the next snapshot beside the present one; simply dropped when a write fails.
struct WriteBatch {
    private let layout: RowLayout
    private let settings: ScanSettings
    private var table: GroupTable
    private var count: Int
    private var drafts: [GroupKey: GroupDraft] = [:]
    private var changes = LocationChanges()

    init(_ snapshot: CosineIndex.Snapshot) {
        layout = snapshot.layout
        settings = snapshot.settings
        table = snapshot.table
        count = snapshot.count
    }

    /// Adds rows with different keys; `scales` brings them to length 1, `locations` holds the older row of each key.
    mutating func upsert(_ rows: [VectorRow], scales: [Double], locations: [RowLocation?]) throws(VectorIndexError) {
        var arrivals: [GroupKey: Int] = [:]
        for row in rows { arrivals[row.group, default: 0] += 1 }
        for (group, arrivalCount) in arrivals { open(group, expectedCount: arrivalCount) }
        for (index, row) in rows.enumerated() {
            if let location = locations[index] { remove(at: location) }
            guard let place = try drafts[row.group]?.append(row, scaledBy: scales[index]) else {
                preconditionFailure("the group was not opened")
            }
            changes.placed.append((row.key, place))
            count += 1
        }
    }

    /// Removes a row.
    mutating func remove(_ key: RowKey, at location: RowLocation) {
        changes.removed.append(key)
        remove(at: location)
    }

    /// Removes all rows of a group.
    mutating func remove(_ group: GroupRows) {
        for block in group.blocks {
            for row in 0..<block.count where block.isLive(row) { changes.removed.append(block.storage.key(at: row)) }
        }
        table.remove(group.key)
        count -= group.liveCount
    }

    /// Closes the batch; returns the next snapshot under a lease, and the changed locations.
    mutating func finish(_ lease: SnapshotLease) -> (snapshot: CosineIndex.Snapshot, changes: LocationChanges) {
        for group in drafts.keys {
            if let moved = drafts[group]?.compact() { changes.moved += moved }
            if let rows = drafts[group]?.rows { table.insert(rows) } else { table.remove(group) }
        }
        table.lease = lease
        return (CosineIndex.Snapshot(layout: layout, settings: settings, table: table, count: count), changes)
    }

    private mutating func remove(at location: RowLocation) {
        open(location.group, expectedCount: 0)
        drafts[location.group]?.remove(at: location)
        count -= 1
    }

    private mutating func open(_ group: GroupKey, expectedCount: Int) {
        guard drafts[group] == nil else { return }
        drafts[group] = GroupDraft(key: group, rows: table[group], layout: layout, expectedCount: expectedCount)
    }
}
