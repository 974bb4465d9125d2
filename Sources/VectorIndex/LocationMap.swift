/// Where every row lies, by key.
///
/// Split into parts, so that the growth of a dictionary moves one part's entries at a time: at 1,000,000 rows
/// a single dictionary would hold up readers of locations for a tenth of a second.
struct LocationMap: Sendable {
    private static let partCount = 64
    private var parts = [[RowKey: RowLocation]](repeating: [:], count: partCount)

    subscript(key: RowKey) -> RowLocation? {
        get { parts[Self.part(of: key)][key] }
        set { parts[Self.part(of: key)][key] = newValue }
    }

    /// Takes over what a batch of writes changed: removals first, then places in order.
    mutating func apply(_ changes: LocationChanges) {
        for key in changes.removed { self[key] = nil }
        for (key, location) in changes.placed { self[key] = location }
    }

    private static func part(of key: RowKey) -> Int {
        Int(truncatingIfNeeded: scatteredBits(of: key.rawValue) & UInt64(partCount - 1))
    }
}

/// What one batch of writes does to a ``LocationMap``.
struct LocationChanges: Sendable {
    var removed: [RowKey] = []
    /// Later entries win.
    var placed: [(key: RowKey, location: RowLocation)] = []
}
