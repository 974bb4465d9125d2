public import IndexCore

/// The times whose rows a search may see in a group.
public struct GroupLimit: Hashable, Sendable {
    /// The group.
    public let group: GroupKey
    /// The times, in the unit of ``RowAttributes/time``.
    public let times: [Range<Int64>]

    public init(_ group: GroupKey, times: [Range<Int64>]) {
        self.group = group
        self.times = times
    }

    func contains(_ time: Int64) -> Bool { times.contains { $0.contains(time) } }
}

extension BM25Index.Snapshot {
    /// Returns the snapshot without the rows of some groups that lie outside of these groups' times.
    ///
    /// Nothing of the other rows is left: they are no neighbours, and no term or length of theirs is counted.
    ///
    /// - Complexity: O(rows of the limited groups), plus O(tokens of a block) for each block with rows of both kinds.
    public func limited(to limits: [GroupLimit]) -> Self {
        var snapshot = self
        for limit in limits {
            guard let group = groups[limit.group] else { continue }
            snapshot.groups[limit.group] = group.limited(to: limit, rowLimit: blockRowCount)
        }
        return snapshot
    }
}

extension GroupRows {
    /// Returns the rows within a limit; nil when there are none.
    fileprivate func limited(to limit: GroupLimit, rowLimit: Int) -> GroupRows? {
        var draft = GroupDraft()
        var isHidden: Set<Int> = []
        for (number, block) in blocks.enumerated() {
            let hidden = (0..<block.count).filter { !limit.contains(block.times[$0]) }
            if hidden.count == block.count {
                isHidden.insert(number)
            } else {
                draft.removed += hidden.map(block.position(at:))
            }
        }
        let present = blocks.enumerated().filter { !isHidden.contains($0.offset) }.map(\.element)
        guard !present.isEmpty else { return nil }
        guard !draft.removed.isEmpty || !isHidden.isEmpty else { return self }
        let rest = draft.blocks(after: present, without: draft.removedRows(of: present), rowLimit: rowLimit)
        return rest.isEmpty ? nil : GroupRows(key: key, blocks: rest)
    }
}
