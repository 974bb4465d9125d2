/// Puts the next snapshot together beside the present one.
struct WriteBatch {
    private(set) var snapshot: BM25Index.Snapshot
    private var drafts: [GroupKey: GroupDraft] = [:]

    init(_ snapshot: BM25Index.Snapshot) { self.snapshot = snapshot }

    /// Adds rows whose keys differ, in place of those of the same keys.
    mutating func upsert(_ rows: [LexicalRow]) {
        for row in rows {
            remove(row.key)
            let counted = CountedRow(row)
            snapshot.places[row.key] = RowPlace(group: row.group, position: row.position)
            for entry in counted.postings { snapshot.frequencies.increment(TermKey(rawValue: entry.term)) }
            snapshot.totals.add(row)
            drafts[row.group, default: GroupDraft()].added.append(counted)
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
            for term in 0..<block.layout.termCount {
                snapshot.frequencies.decrement(
                    TermKey(rawValue: block.terms[term]), by: block.starts[term + 1] - block.starts[term])
            }
            for row in 0..<block.count {
                snapshot.places[RowKey(rawValue: block.keys[row])] = nil
                snapshot.totals.subtract(block, row: row)
            }
        }
        snapshot.groups[key] = nil
    }

    /// Closes the batch.
    mutating func finish() -> BM25Index.Snapshot {
        for (key, draft) in drafts {
            let present = snapshot.groups[key]?.blocks ?? []
            let gone = draft.removedRows(of: present)
            forget(gone, of: present)
            let blocks = draft.blocks(after: present, without: gone, rowLimit: snapshot.blockRowCount)
            snapshot.groups[key] = blocks.isEmpty ? nil : GroupRows(key: key, blocks: blocks)
        }
        return snapshot
    }

    /// Takes rows that go out of the store's figures.
    private mutating func forget(_ gone: [Int: Set<Int>], of blocks: [RowBlock]) {
        for (number, rows) in gone {
            blocks[number].forEachPosting { entry in
                if rows.contains(entry.posting.row) {
                    snapshot.frequencies.decrement(TermKey(rawValue: entry.term))
                }
            }
            for row in rows { snapshot.totals.subtract(blocks[number], row: row) }
        }
    }
}

/// What BM25 must know of the whole store.
struct Totals: Hashable, Sendable {
    /// Rows.
    var rowCount = 0
    /// Tokens of their texts.
    var textTokenCount = 0
    /// Tokens of all their fields.
    var tokenCount = 0

    mutating func add(_ row: LexicalRow) {
        rowCount += 1
        textTokenCount += row.terms.text.count
        tokenCount += row.terms.count
    }

    mutating func subtract(_ block: RowBlock, row: Int) {
        rowCount -= 1
        textTokenCount -= Int(block.textLengths[row])
        tokenCount -= Int(block.lengths[row])
    }
}
