import CKernels

/// A row whose product with the first plane is known.
struct PendingRow {
    let place: RowPlace
    var product: Int32
}

/// The `capacity` rows with the highest estimates of some blocks, best first.
struct PromisingRows {
    private static let rowsPerStep = 64
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

    /// Looks at the rows of a block that may be found.
    ///
    /// - Parameters:
    ///   - entry: The block.
    ///   - number: Its position in the selection.
    ///   - products: Those of its rows.
    ///   - numbers: What turns them into estimates, together with `form`.
    ///   - form: See `numbers`.
    ///   - found: Room for some row numbers.
    ///   - predicate: Which rows may be found.
    mutating func see(
        _ entry: BlockEntry, _ number: Int, _ products: UnsafePointer<Int32>, _ numbers: RowCodes.Numbers,
        _ form: ScoreForm, _ found: UnsafeMutablePointer<UInt32>, _ predicate: RowPredicate?
    ) {
        for start in stride(from: 0, to: entry.rowCount, by: Self.rowsPerStep) {
            // Without a spread what reaches the least are the estimates themselves.
            let count = RowCodes.kernels.reaching(
                found, products + start, numbers.factors + start, numbers.tangents + start,
                min(Self.rowsPerStep, entry.rowCount - start), form.kernel, 0, least)
            for index in 0..<count {
                let row = start + Int(found[index])
                let estimate = form.estimate(of: products[row], factor: numbers.factors[row])
                guard estimate > least || !isFull, entry.isVisible(row, predicate) else { continue }
                let place = RowPlace(entry: UInt32(number), row: UInt32(row))
                keep(PendingRow(place: place, product: products[row]), estimate)
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
