/// Where a row lies; valid for the snapshot that was published together with it.
struct RowLocation: Sendable {
    let group: GroupKey
    /// ``RowBlock/serial`` of the block in that group.
    let serial: UInt32
    let row: UInt32
}
