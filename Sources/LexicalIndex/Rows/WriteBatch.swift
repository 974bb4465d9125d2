import IndexCore

/// Puts the next snapshot together beside the present one.
struct WriteBatch {
    private(set) var snapshot: BM25Index.Snapshot
    private var drafts: [GroupKey: GroupDraft] = [:]

    init(_ snapshot: BM25Index.Snapshot) { self.snapshot = snapshot }

    /// Adds rows whose keys differ, in place of those of the same keys.
    mutating func upsert(_ rows: [LexicalRow]) {
        for row in rows {
            remove(row.key)
            snapshot.places[row.key] = RowPlace(group: row.group, position: row.position)
            drafts[row.group, default: GroupDraft()].added.append(CountedRow(row))
        }
    }

    /// Removes a row; nothing happens when there is none.
    mutating func remove(_ key: RowKey) {
        guard let place = snapshot.places[key] else { return }
        snapshot.places[key] = nil
        drafts[place.group, default: GroupDraft()].removed.append(place.position)
    }

    /// Removes all rows of a group.
    mutating func removeGroup(_ key: GroupKey) {
        guard let group = snapshot.groups[key] else { return }
        for block in group.blocks {
            for row in 0..<block.count { snapshot.places[RowKey(rawValue: block.keys[row])] = nil }
        }
        snapshot.groups[key] = nil
    }

    /// Closes the batch.
    mutating func finish() -> BM25Index.Snapshot {
        for (key, draft) in drafts {
            let present = snapshot.groups[key]?.blocks ?? []
            let gone = draft.removedRows(of: present)
            let blocks = draft.blocks(after: present, without: gone, rowLimit: snapshot.blockRowCount)
            snapshot.groups[key] = blocks.isEmpty ? nil : GroupRows(key: key, blocks: blocks)
        }
        return snapshot
    }
}
