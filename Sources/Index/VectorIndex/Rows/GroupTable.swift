import IndexCore

/// The groups of one snapshot by key: a persistent trie over the scattered bits of the key, 16 branches a level, whose
/// leaves hold up to 64 groups.
///
/// A write copies the path to one group and its leaf, and shares the rest with older snapshots. A leaf holds the data
/// that a scan needs as plain contiguous values: counting references to thousands of small groups, and fetching them
/// from all over memory, would take several times as long as multiplying their rows.
struct GroupTable: Sendable {
    private var root: Node = .empty
    /// Groups in the table.
    private(set) var count = 0
    /// Held by every user of the snapshot's groups.
    var lease: SnapshotLease?

    init() {}

    /// Makes a table of many groups at once; their keys differ.
    init(_ groups: [GroupRows]) {
        if groups.isEmpty { return }
        count = groups.count
        root = groups.count <= GroupLeaf.capacity ? .leaf(GroupLeaf(groups)) : Self.split(groups, level: 0)
    }

    fileprivate enum Node: Sendable {
        case empty
        case leaf(GroupLeaf)
        case branch([Node])
    }

    /// The rows of a group, nil when it has none.
    subscript(key: GroupKey) -> GroupRows? {
        var rows: GroupRows?
        Self.find(key, scatteredBits(of: key.rawValue), in: root) { leaf, position in rows = leaf.groups[position] }
        return rows
    }

    /// Inserts a group, or replaces the one with the same key.
    mutating func insert(_ rows: GroupRows) {
        if self[rows.key] == nil { count += 1 }
        root = Self.inserting(rows, into: root, level: 0)
    }

    /// Removes a group; an unknown group is no error.
    mutating func remove(_ key: GroupKey) {
        if self[key] != nil { count -= 1 }
        root = Self.removing(key, from: root, level: 0)
    }

    /// Visits every group, in an order that depends on the keys only.
    func forEach(_ body: (GroupRows) -> Void) {
        Self.visit(root) { leaf in leaf.groups.forEach(body) }
    }

    /// Visits all leaves, in the same order.
    func forEachLeaf(_ body: (GroupLeaf) -> Void) { Self.visit(root, body) }

    /// Visits the wanted groups that exist: the leaf and the group's position in it.
    ///
    /// Many groups are found by going through all groups in memory order, a few one by one.
    func forEachPlace(of wanted: Set<GroupKey>, _ body: (GroupLeaf, Int) -> Void) {
        guard wanted.count * 4 >= count else {
            for key in wanted { Self.find(key, scatteredBits(of: key.rawValue), in: root, body) }
            return
        }
        let keys = KeyFilter(wanted)
        Self.visit(root) { leaf in
            for (position, key) in leaf.keys.enumerated() where keys.contains(key) { body(leaf, position) }
        }
    }

    /// Recursive, because a loop over nodes would count references to each.
    private static func find(
        _ key: GroupKey, _ bits: UInt64, in node: borrowing Node, _ found: (GroupLeaf, Int) -> Void
    ) {
        switch node {
        case .empty: break
        case .leaf(let leaf): if let position = leaf.position(of: key) { found(leaf, position) }
        case .branch(let children): find(key, bits >> 4, in: children[Int(bits & 15)], found)
        }
    }

    private static func branch(of key: GroupKey, level: Int) -> Int {
        Int((scatteredBits(of: key.rawValue) >> UInt64(4 * level)) & 15)
    }

    private static func inserting(_ rows: GroupRows, into node: Node, level: Int) -> Node {
        switch node {
        case .empty:
            return .leaf(GroupLeaf([rows]))
        case .leaf(let leaf):
            let groups = leaf.groups.filter { $0.key != rows.key } + [rows]
            // Scattering is a bijection, so keys separate at the 16th level at the latest, and a leaf there holds one.
            return groups.count <= GroupLeaf.capacity ? .leaf(GroupLeaf(groups)) : split(groups, level: level)
        case .branch(var children):
            let index = branch(of: rows.key, level: level)
            children[index] = inserting(rows, into: children[index], level: level + 1)
            return .branch(children)
        }
    }

    private static func split(_ groups: [GroupRows], level: Int) -> Node {
        var parts = [[GroupRows]](repeating: [], count: 16)
        for group in groups { parts[branch(of: group.key, level: level)].append(group) }
        return .branch(
            parts.map { part in
                if part.isEmpty { return .empty }
                return part.count <= GroupLeaf.capacity ? .leaf(GroupLeaf(part)) : split(part, level: level + 1)
            })
    }

    private static func removing(_ key: GroupKey, from node: Node, level: Int) -> Node {
        switch node {
        case .empty:
            return node
        case .leaf(let leaf):
            let groups = leaf.groups.filter { $0.key != key }
            return groups.isEmpty ? .empty : .leaf(GroupLeaf(groups))
        case .branch(var children):
            let index = branch(of: key, level: level)
            children[index] = removing(key, from: children[index], level: level + 1)
            return children.allSatisfy(\.isEmpty) ? .empty : .branch(children)
        }
    }

    private static func visit(_ node: Node, _ body: (GroupLeaf) -> Void) {
        switch node {
        case .empty: break
        case .leaf(let leaf): body(leaf)
        case .branch(let children): for child in children { visit(child, body) }
        }
    }
}

extension GroupTable.Node {
    fileprivate var isEmpty: Bool {
        if case .empty = self { true } else { false }
    }
}

/// A set of group keys for many fast lookups: open addressing over scattered bits, half of the places free.
///
/// `Set` takes several times as long, because its hash resists keys chosen by an attacker. Here bad keys only cost time
/// to the caller who chose them.
struct KeyFilter {
    private var places: [Int64]
    private var isTaken: [Bool]
    private let mask: UInt64

    init(_ keys: Set<GroupKey>) {
        var capacity = 2
        while capacity < 2 * keys.count { capacity *= 2 }
        places = Array(repeating: 0, count: capacity)
        isTaken = Array(repeating: false, count: capacity)
        mask = UInt64(capacity - 1)
        for key in keys {
            let place = place(of: key.rawValue)
            (places[place], isTaken[place]) = (key.rawValue, true)
        }
    }

    func contains(_ key: GroupKey) -> Bool { isTaken[place(of: key.rawValue)] }

    /// The place of a key, or the free place where it would be.
    private func place(of key: Int64) -> Int {
        // The lowest bits decide the order of the table, so others are used here.
        var place = (scatteredBits(of: key) >> 32) & mask
        while isTaken[Int(place)], places[Int(place)] != key { place = (place + 1) & mask }
        return Int(place)
    }
}

/// Groups that lie together in a ``GroupTable``, in the order of their keys.
final class GroupLeaf: Sendable {
    static let capacity = 64

    let keys: [GroupKey]
    let groups: [GroupRows]
    /// The first block of each group, the only one of a small group; they are contiguous.
    let firstBlocks: [BlockEntry]
    /// Rows of each group that are not removed.
    let liveCounts: [Int]
    /// The sums over the groups, without the blocks after the first.
    let totals: BlockTotals
    private let hasLaterBlocks: Bool

    init(_ groups: [GroupRows]) {
        let sorted = groups.sorted { $0.key < $1.key }
        self.groups = sorted
        keys = sorted.map(\.key)
        firstBlocks = sorted.map { BlockEntry($0.blocks[0], number: 0, of: $0) }
        liveCounts = sorted.map(\.liveCount)
        var totals = BlockTotals()
        totals.liveCount = liveCounts.reduce(0, +)
        for entry in firstBlocks { totals.add(entry) }
        self.totals = totals
        hasLaterBlocks = sorted.contains { $0.blocks.count > 1 }
    }

    func position(of key: GroupKey) -> Int? {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && keys[low] == key ? low : nil
    }

    /// Visits the blocks of a group after the first.
    func forEachLaterBlock(of position: Int, _ body: (BlockEntry) -> Void) {
        guard hasLaterBlocks else { return }
        let rows = groups[position]
        for number in 1..<rows.blocks.count { body(BlockEntry(rows.blocks[number], number: number, of: rows)) }
    }
}
