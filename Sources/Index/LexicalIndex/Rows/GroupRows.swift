import IndexCore

/// The rows of one group in order of their positions, in consecutive blocks; at least one row.
final class GroupRows: Sendable {
    let key: GroupKey
    let blocks: [RowBlock]
    let figures: RowFigures

    init(key: GroupKey, blocks: [RowBlock]) {
        self.key = key
        self.blocks = blocks
        figures = blocks.reduce(into: RowFigures()) { $0.add($1.figures) }
    }

    var count: Int { figures.rowCount }

    /// The location of the row at a position; nil when there is none.
    func location(of position: RowPosition) -> RowLocation? {
        let block = blocks.index(for: position)
        let row = blocks[block].firstRow(from: position)
        guard row < blocks[block].count, blocks[block].position(at: row) == position else { return nil }
        return RowLocation(block: block, row: row)
    }

    /// The location after another; nil at the end.
    func location(after place: RowLocation) -> RowLocation? {
        if place.row + 1 < blocks[place.block].count { return RowLocation(block: place.block, row: place.row + 1) }
        return place.block + 1 < blocks.count ? RowLocation(block: place.block + 1, row: 0) : nil
    }

    /// The location before another; nil at the start.
    func location(before place: RowLocation) -> RowLocation? {
        if place.row > 0 { return RowLocation(block: place.block, row: place.row - 1) }
        return place.block > 0 ? RowLocation(block: place.block - 1, row: blocks[place.block - 1].count - 1) : nil
    }

    /// Whether two consecutive rows are neighbours.
    func areLinked(_ earlier: RowLocation, _ later: RowLocation, maximumGap: Int64) -> Bool {
        let (left, right) = (blocks[earlier.block], blocks[later.block])
        return left.threads[earlier.row] == right.threads[later.row]
            && isGap(from: left.times[earlier.row], to: right.times[later.row], atMost: maximumGap)
    }

    /// Few searches look further than this number of rows.
    private static let usualReach = 8

    /// The neighbours before a row, nearest first.
    func neighbours(before place: RowLocation, atMost count: Int, maximumGap: Int64) -> [RowLocation] {
        var (found, place): ([RowLocation], RowLocation) = ([], place)
        found.reserveCapacity(min(count, Self.usualReach))
        while found.count < count, let next = location(before: place),
            areLinked(next, place, maximumGap: maximumGap)
        {
            found.append(next)
            place = next
        }
        return found
    }

    /// The neighbours after a row, nearest first.
    func neighbours(after place: RowLocation, atMost count: Int, maximumGap: Int64) -> [RowLocation] {
        var (found, place): ([RowLocation], RowLocation) = ([], place)
        found.reserveCapacity(min(count, Self.usualReach))
        while found.count < count, let next = location(after: place),
            areLinked(place, next, maximumGap: maximumGap)
        {
            found.append(next)
            place = next
        }
        return found
    }
}

/// The location of a row in its group.
struct RowLocation: Hashable, Sendable {
    let block: Int
    let row: Int
}

/// Whether the time from one row to the next is at most a limit; false on overflow.
func isGap(from earlier: Int64, to later: Int64, atMost limit: Int64) -> Bool {
    let (gap, overflow) = later.subtractingReportingOverflow(earlier)
    return !overflow && gap <= limit
}

extension [RowBlock] {
    /// The block that holds a row of this position, or would hold it; 0 when there are no blocks.
    func index(for position: RowPosition) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if position < self[middle].position(at: 0) { high = middle } else { low = middle + 1 }
        }
        return Swift.max(low - 1, 0)
    }
}

/// The position of a row in its group: by thread, then time, then order, then key.
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

/// The group of a row, and its position there.
struct RowPlace: Sendable {
    let group: GroupKey
    let position: RowPosition
}
