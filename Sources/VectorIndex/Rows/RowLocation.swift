import IndexCore

/// Where a row lies; valid for the snapshot that was published together with it.
struct RowLocation: Sendable {
    /// No place at all.
    static let none = RowLocation(group: GroupKey(rawValue: 0), serial: .max, row: .max)

    let group: GroupKey
    /// ``RowBlock/serial`` of the block in that group.
    let serial: UInt32
    let row: UInt32

    var isNone: Bool { serial == .max && row == .max }
}
