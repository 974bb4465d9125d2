import Glibc
public import IndexCore
import Synchronization

extension CosineIndex {
    /// Replaces rows in memory by the mapped rows of a file, and frees their memory.
    ///
    /// This concerns every group that has not changed since the file was written; a group that changed stays as it is.
    /// From now on ``scrub()`` cleans this file and no older one.
    ///
    /// - Parameter written: The result of ``writeSnapshot(to:identity:)`` of this index.
    /// - Throws: Nothing at present.
    /// - Precondition: This index wrote the file.
    /// - Complexity: O(groups + rows of changed groups).
    public func adopt(_ written: WrittenSnapshot) throws(SnapshotError) {
        precondition(written.index == ObjectIdentifier(self), "another index wrote the file")
        let mapped = written.keys.file.groups()
        writer.withLock { _ in
            // Kept until the locks are released, because freeing this memory takes time.
            let before = snapshot()
            guard locations.withLock({ $0.base }) !== written.keys else { return }
            let adoption = Adoption(written, mapped: mapped, present: before.table)
            let lease = leases.next()
            var table = GroupTable(adoption.groups)
            table.lease = lease
            let next = Snapshot(layout: layout, settings: before.settings, table: table, count: before.count)
            let gone = adoption.removedRows()
            let old = locations.withLock { map in
                let old = map
                map = adoption.map
                current.withLock { $0 = next }
                return old
            }
            written.keys.file.removals.withLock { $0.add(gone, turn: lease.turn) }
            withExtendedLifetime((before, old)) {}
        }
    }
}

/// The content of an index after it has adopted a file.
private struct Adoption {
    let keys: SnapshotKeys
    /// All groups: mapped if nothing has changed.
    private(set) var groups: [GroupRows] = []
    private(set) var map: LocationMap
    /// Groups that differ from the file now.
    private var outdated: [GroupRows] = []
    private let present: GroupTable

    init(_ written: WrittenSnapshot, mapped: [GroupRows], present: GroupTable) {
        keys = written.keys
        map = LocationMap(base: written.keys)
        self.present = present
        for group in mapped {
            guard let old = written.table[group.key] else { continue }
            if present[group.key] === old { groups.append(group) } else { outdated.append(old) }
        }
        var changed: [GroupRows] = []
        present.forEach { if written.table[$0.key] !== $0 { changed.append($0) } }
        groups += changed
        for group in outdated { group.forEachLiveRow { block, row in map[block.storage.key(at: row)] = nil } }
        for group in changed {
            group.forEachLiveRow { block, row in
                map[block.storage.key(at: row)] =
                    RowLocation(group: group.key, serial: block.serial, row: UInt32(row))
            }
        }
    }

    /// Rows of the file that were removed or replaced since it was written.
    func removedRows() -> [UInt32] {
        var removed: [UInt32] = []
        for group in outdated {
            group.forEachLiveRow { block, row in
                let key = block.storage.key(at: row)
                if !isUnchanged(key, group.key, block.storage, row), let number = keys.row(of: key) {
                    removed.append(number)
                }
            }
        }
        return removed
    }

    private func isUnchanged(_ key: RowKey, _ group: GroupKey, _ storage: RowStorage, _ row: Int) -> Bool {
        guard let place = map[key], place.group == group, let blocks = present[group]?.blocks,
            let index = blocks.index(ofSerial: place.serial)
        else { return false }
        let (other, otherRow) = (blocks[index].storage, Int(place.row))
        let byteCount = storage.layout.stride * MemoryLayout<Float>.stride
        return other.attributes(at: otherRow) == storage.attributes(at: row)
            && memcmp(other.vector(at: otherRow), storage.vector(at: row), byteCount) == 0
    }
}

extension GroupRows {
    /// Visits the rows that are not removed, in order.
    func forEachLiveRow(_ body: (RowBlock, Int) -> Void) {
        for block in blocks {
            for row in 0..<block.count where block.isLive(row) { body(block, row) }
        }
    }
}
