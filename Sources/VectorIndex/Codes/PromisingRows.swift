/// A row whose product with the first plane is known.
struct PendingRow {
    let place: RowPlace
    var product: Int32
}

/// The `capacity` rows with the highest estimates of some blocks, best first.
struct PromisingRows {
    private static let rowsPerStep = 128
    private let capacity: Int
    var rows: [PendingRow] = []
    private var estimates: [Float] = []
    private var least = -Float.infinity

    init(capacity: Int) {
        self.capacity = capacity
        rows.reserveCapacity(capacity)
        estimates.reserveCapacity(capacity)
    }

    var isFull: Bool { rows.count == capacity }

    /// Looks at rows that may be found; `found` has room for some positions.
    mutating func see(_ rows: EstimatedRows, of source: CodeSource, found: UnsafeMutablePointer<UInt32>) {
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerStep) {
            rows.forEachRow(atLeast: least, from: start, length: Self.rowsPerStep, of: source, found: found) {
                row, estimate in
                guard estimate > least || !isFull, source.isVisible(row.place) else { return }
                keep(row, estimate)
            }
        }
    }

    /// Puts a row in its place, best first.
    private mutating func keep(_ row: PendingRow, _ estimate: Float) {
        if isFull {
            rows.removeLast()
            estimates.removeLast()
        }
        var place = rows.count
        while place > 0, estimates[place - 1] < estimate { place -= 1 }
        rows.insert(row, at: place)
        estimates.insert(estimate, at: place)
        if isFull { least = estimates[estimates.count - 1] }
    }
}
