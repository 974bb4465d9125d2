import IndexCore

/// The location of every row by key: those of a snapshot file, and those of later writes.
///
/// The later ones are split into parts, so that a growing dictionary moves the entries of one part only: at 1,000,000
/// rows a single dictionary would block readers for a tenth of a second.
struct LocationMap: Sendable {
    private static let partCount = 64
    /// The rows of the file that the index was opened from, or adopted.
    let base: SnapshotKeys?
    /// Takes precedence over the base; ``RowLocation/none`` marks a row of the base that was removed.
    private var parts = [[RowKey: RowLocation]](repeating: [:], count: partCount)

    init(base: SnapshotKeys? = nil) { self.base = base }

    subscript(key: RowKey) -> RowLocation? {
        get {
            guard let location = parts[Self.part(of: key)][key] else { return base?.location(of: key) }
            return location.isNone ? nil : location
        }
        set {
            let hidden = base?.row(of: key) == nil ? nil : RowLocation.none
            parts[Self.part(of: key)][key] = newValue ?? hidden
        }
    }

    /// Applies the changes of a batch: first removals, then places in order, then moves.
    ///
    /// - Returns: The rows of the base whose keys were removed or placed.
    mutating func apply(_ changes: LocationChanges) -> [UInt32] {
        for key in changes.removed { self[key] = nil }
        for (key, location) in changes.placed { self[key] = location }
        for (key, location) in changes.moved { self[key] = location }
        guard let base else { return [] }
        return changes.removed.compactMap(base.row(of:)) + changes.placed.compactMap { base.row(of: $0.key) }
    }

    private static func part(of key: RowKey) -> Int {
        Int(truncatingIfNeeded: scatteredBits(of: key.rawValue) & UInt64(partCount - 1))
    }
}

/// The changes of one batch of writes to a ``LocationMap``.
struct LocationChanges: Sendable {
    var removed: [RowKey] = []
    /// Rows that were written; later entries win.
    var placed: [(key: RowKey, location: RowLocation)] = []
    /// Rows that moved without a change.
    var moved: [(key: RowKey, location: RowLocation)] = []
}

/// The location of a row; valid for the snapshot that was published together with it.
struct RowLocation: Sendable {
    /// Marks a row that was removed.
    static let none = RowLocation(group: GroupKey(rawValue: 0), serial: .max, row: .max)

    let group: GroupKey
    /// ``RowBlock/serial`` of the block in that group.
    let serial: UInt32
    let row: UInt32

    var isNone: Bool { serial == .max && row == .max }
}
