/// The groups of one snapshot by key: a persistent trie over the scattered bits of the key, 16 branches a level.
///
/// A write copies the path to one group (four nodes at 10,000 groups) and shares the rest with older snapshots. Because
/// scattering is a bijection, two keys part at the 16th level at the latest and collisions need no care.
struct GroupTable: Sendable {
    private var root: Node = .empty

    fileprivate enum Node: Sendable {
        case empty
        case group(GroupRows)
        case branch([Node])
    }

    /// The rows of a group, nil when it has none.
    subscript(key: GroupKey) -> GroupRows? {
        var node = root
        var bits = scatteredBits(of: key.rawValue)
        while case .branch(let children) = node {
            node = children[Int(bits & 15)]
            bits >>= 4
        }
        guard case .group(let rows) = node, rows.key == key else { return nil }
        return rows
    }

    /// Puts the rows in place of those of the same group.
    mutating func insert(_ rows: GroupRows) {
        root = Self.inserting(rows, into: root, level: 0)
    }

    /// Forgets a group; nothing happens when there is none.
    mutating func remove(_ key: GroupKey) {
        root = Self.removing(key, from: root, level: 0)
    }

    /// Visits every group, in an order that depends on the keys only.
    func forEach(_ body: (GroupRows) -> Void) {
        Self.visit(root, body)
    }

    private static func branch(of key: GroupKey, level: Int) -> Int {
        Int((scatteredBits(of: key.rawValue) >> UInt64(4 * level)) & 15)
    }

    private static func inserting(_ rows: GroupRows, into node: Node, level: Int) -> Node {
        switch node {
        case .empty:
            return .group(rows)
        case .group(let present):
            if present.key == rows.key { return .group(rows) }
            var children = [Node](repeating: .empty, count: 16)
            children[branch(of: present.key, level: level)] = node
            return inserting(rows, into: .branch(children), level: level)
        case .branch(var children):
            let index = branch(of: rows.key, level: level)
            children[index] = inserting(rows, into: children[index], level: level + 1)
            return .branch(children)
        }
    }

    private static func removing(_ key: GroupKey, from node: Node, level: Int) -> Node {
        switch node {
        case .empty:
            return node
        case .group(let present):
            return present.key == key ? .empty : node
        case .branch(var children):
            let index = branch(of: key, level: level)
            children[index] = removing(key, from: children[index], level: level + 1)
            return children.allSatisfy(\.isEmpty) ? .empty : .branch(children)
        }
    }

    private static func visit(_ node: Node, _ body: (GroupRows) -> Void) {
        switch node {
        case .empty: break
        case .group(let rows): body(rows)
        case .branch(let children): for child in children { visit(child, body) }
        }
    }
}

extension GroupTable.Node {
    fileprivate var isEmpty: Bool {
        if case .empty = self { true } else { false }
    }
}
