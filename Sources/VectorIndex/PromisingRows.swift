import CKernels

/// A row whose product with the high plane is known.
struct PendingRow {
    let entry: BlockEntry
    let row: Int
    let product: Int32
}

/// The `capacity` rows with the highest estimates of some blocks, in no order.
struct PromisingRows {
    private let capacity: Int
    private(set) var rows: [PendingRow] = []
    private var estimates: [Float] = []
    private var least = -Float.infinity

    init(capacity: Int) { self.capacity = capacity }

    var isFull: Bool { rows.count == capacity }

    /// Looks at the rows of a block that may be found.
    mutating func see(
        _ products: UnsafePointer<Int32>, _ entry: BlockEntry, _ factors: UnsafePointer<Float>,
        _ form: nexus_score_form, where predicate: RowPredicate?
    ) {
        for row in 0..<entry.rowCount {
            let estimate = form.estimate(of: products[row], factor: factors[row])
            guard estimate > least || !isFull, entry.isVisible(row, predicate) else { continue }
            keep(PendingRow(entry: entry, row: row, product: products[row]), estimate)
        }
    }

    private mutating func keep(_ row: PendingRow, _ estimate: Float) {
        if isFull {
            let place = estimates.firstIndex(of: least) ?? 0
            (rows[place], estimates[place]) = (row, estimate)
        } else {
            rows.append(row)
            estimates.append(estimate)
        }
        if isFull { least = estimates.min() ?? least }
    }
}
