import IndexCore

/// Where a row stands in its group: by thread, then time, then order, then key.
struct RowPosition: Hashable, Comparable, Sendable {
    let thread: Int64
    let time: Int64
    let order: Int64
    let key: Int64

    static func < (left: RowPosition, right: RowPosition) -> Bool {
        if left.thread != right.thread { return left.thread < right.thread }
        if left.time != right.time { return left.time < right.time }
        if left.order != right.order { return left.order < right.order }
        return left.key < right.key
    }
}

/// Which group a row lies in, and where there.
struct RowPlace: Sendable {
    let group: GroupKey
    let position: RowPosition
}
