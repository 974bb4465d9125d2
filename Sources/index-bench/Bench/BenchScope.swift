import IndexCore
import VectorIndex

/// What one measured search may see.
struct BenchScope {
    let name: String
    let selection: GroupSelection
    let groupCount: Int
    let rowCount: Int

    /// The three scopes that are measured: everything, about 1% of the groups, and the half with the fewest rows.
    static func measured(in snapshot: CosineIndex.Snapshot) -> [BenchScope] {
        let counts = snapshot.groupCounts()
        let bySize = counts.keys.sorted { left, right in
            let (leftCount, rightCount) = (counts[left] ?? 0, counts[right] ?? 0)
            return leftCount == rightCount ? left < right : leftCount < rightCount
        }
        let everyHundredth = stride(from: bySize.count / 200, to: bySize.count, by: 100).map { bySize[$0] }
        return [
            BenchScope(name: "all", selection: .all, groupCount: counts.count, rowCount: snapshot.count),
            BenchScope("1% of groups", everyHundredth, counts),
            BenchScope("small groups", Array(bySize.prefix((bySize.count + 1) / 2)), counts),
        ]
    }

    private init(name: String, selection: GroupSelection, groupCount: Int, rowCount: Int) {
        self.name = name
        self.selection = selection
        self.groupCount = groupCount
        self.rowCount = rowCount
    }

    private init(_ name: String, _ groups: [GroupKey], _ counts: [GroupKey: Int]) {
        let rowCount = groups.reduce(0) { $0 + (counts[$1] ?? 0) }
        self.init(name: name, selection: .only(Set(groups)), groupCount: groups.count, rowCount: rowCount)
    }

    /// Whether a row of this group may be found.
    func contains(_ group: GroupKey) -> Bool {
        if case .only(let keys) = selection { keys.contains(group) } else { true }
    }
}
