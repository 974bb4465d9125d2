import IndexCore

/// Builds the next snapshot beside the present one.
struct WriteBatch {
    private(set) var snapshot: BM25Index.Snapshot
    private var drafts: [GroupKey: GroupDraft] = [:]

    init(_ snapshot: BM25Index.Snapshot) { self.snapshot = snapshot }

    /// Adds rows with different keys; each replaces the older row of its key.
    mutating func upsert(_ rows: [LexicalRow]) {
        for row in rows {
            remove(row.key)
            snapshot.places[row.key] = RowPlace(group: row.group, position: row.position)
            drafts[row.group, default: GroupDraft()].added.append(CountedRow(row))
        }
    }

    /// Removes a row; an unknown key is no error.
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

    /// Applies the changes and returns the next snapshot.
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

/// The next state of one group during a batch of writes.
struct GroupDraft {
    /// Positions of removed rows.
    var removed: [RowPosition] = []
    /// Rows to add.
    var added: [CountedRow] = []

    /// Builds the group's next blocks; unchanged blocks are reused.
    ///
    /// - Parameters:
    ///   - blocks: The present blocks.
    ///   - gone: The result of ``removedRows(of:)`` for them.
    ///   - rowLimit: The most rows of a block.
    /// - Returns: The blocks; none when no row is left.
    func blocks(
        after blocks: [RowBlock], without gone: [Int: Set<Int>], rowLimit: Int
    ) -> [RowBlock] {
        let rows = added.sorted { $0.row.position < $1.row.position }
        let builder = BlockBuilder(blocks: blocks, rows: rows)
        var result: [RowBlock] = []
        var next = 0
        for number in 0..<max(blocks.count, 1) {
            let isLast = number + 1 >= blocks.count
            var end = rows.count
            if !isLast {
                let limit = blocks[number + 1].position(at: 0)
                end = next
                while end < rows.count, rows[end].row.position < limit { end += 1 }
            }
            if number < blocks.count, end == next, gone[number] == nil {
                result.append(blocks[number])
                continue
            }
            let sources = builder.sources(block: number, without: gone[number] ?? [], adding: next..<end)
            next = end
            // More rows will arrive at the end of a group, so blocks are filled there; elsewhere they get free room.
            for piece in Self.pieces(of: sources.count, rowLimit: rowLimit, isFilling: isLast) {
                result.append(builder.block(of: sources[piece]))
            }
        }
        return gone.isEmpty ? result : Self.merged(result, rowLimit: rowLimit)
    }

    /// The removed rows, by block.
    func removedRows(of blocks: [RowBlock]) -> [Int: Set<Int>] {
        var gone: [Int: Set<Int>] = [:]
        for position in removed {
            let number = blocks.index(for: position)
            gone[number, default: []].insert(blocks[number].firstRow(from: position))
        }
        return gone
    }

    private static func pieces(of count: Int, rowLimit: Int, isFilling: Bool) -> [Range<Int>] {
        let pieceCount = (count + rowLimit - 1) / rowLimit
        return (0..<pieceCount).map { piece in
            isFilling
                ? piece * rowLimit..<min(count, (piece + 1) * rowLimit)
                : count * piece / pieceCount..<count * (piece + 1) / pieceCount
        }
    }

    /// Joins adjacent blocks that together fill no more than half a block.
    private static func merged(_ blocks: [RowBlock], rowLimit: Int) -> [RowBlock] {
        var result: [RowBlock] = []
        for block in blocks {
            guard let last = result.last, last.count + block.count <= rowLimit / 2 else {
                result.append(block)
                continue
            }
            let builder = BlockBuilder(blocks: [last, block], rows: [])
            let sources =
                builder.sources(block: 0, without: [], adding: 0..<0)
                + builder.sources(block: 1, without: [], adding: 0..<0)
            result[result.count - 1] = builder.block(of: sources[...])
        }
        return result
    }
}

extension BlockBuilder {
    /// The remaining rows of a block and the new ones, in order of their positions.
    fileprivate func sources(block number: Int, without gone: Set<Int>, adding added: Range<Int>) -> [RowSource] {
        var sources: [RowSource] = []
        var next = added.lowerBound
        if number < blocks.count {
            for row in 0..<blocks[number].count where !gone.contains(row) {
                let position = blocks[number].position(at: row)
                while next < added.upperBound, rows[next].row.position < position {
                    sources.append(.new(next))
                    next += 1
                }
                sources.append(.kept(block: number, row: row))
            }
        }
        sources += (next..<added.upperBound).map { .new($0) }
        return sources
    }
}
