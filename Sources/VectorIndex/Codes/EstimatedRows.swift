import CKernels

/// Rows of some blocks that follow each other in a selection, with their products and estimates for one query.
struct EstimatedRows {
    /// Positions of the blocks in the selection.
    let blocks: Range<Int>
    /// The query's number.
    let query: Int
    /// Whether products are those with both planes.
    let isFine: Bool
    /// Products with the planes that were read, row by row.
    let products: UnsafeMutablePointer<Int32>
    /// The scores that they stand for.
    let estimates: UnsafeMutablePointer<Float>
    private(set) var count = 0
    /// The largest tangent of a row.
    private(set) var tangent: Float = 0

    init(
        blocks: Range<Int>, query: Int, isFine: Bool = false, products: UnsafeMutablePointer<Int32>,
        estimates: UnsafeMutablePointer<Float>
    ) {
        self.blocks = blocks
        self.query = query
        self.isFine = isFine
        self.products = products
        self.estimates = estimates
    }

    /// Turns the products of the next block into estimates.
    mutating func add(_ entry: BlockEntry, _ form: ScoreForm) {
        let numbers = numbers(of: entry)
        let largest = RowCodes.kernels.estimate(
            estimates + count, products + count, numbers.factors, numbers.tangents, entry.rowCount, form.kernel)
        tangent = max(tangent, largest)
        count += entry.rowCount
    }

    /// What belongs to the rows of a block and the planes that were read.
    func numbers(of entry: BlockEntry) -> RowCodes.Numbers { isFine ? entry.codes.fine : entry.codes.coarse }

    /// Visits the rows from `start` on, `length` of them at most, whose estimates are `least` or more.
    func forEachRow(
        atLeast least: Float, from start: Int = 0, length: Int = .max, of source: CodeSource,
        found: UnsafeMutablePointer<UInt32>, _ body: (PendingRow, _ estimate: Float) -> Void
    ) {
        let total = RowCodes.kernels.reaching(found, estimates + start, min(length, count - start), least)
        var (block, first) = (blocks.lowerBound, 0)
        for index in 0..<total {
            let position = start + Int(found[index])
            while position >= first + source.entries[block].rowCount {
                first += source.entries[block].rowCount
                block += 1
            }
            let place = RowPlace(entry: UInt32(block), row: UInt32(position - first))
            body(PendingRow(place: place, product: products[position]), estimates[position])
        }
    }
}
