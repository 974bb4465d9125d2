/// Memory that one thread needs: for the products of all rows, or of a block and all queries, and for lists of rows.
final class CodeScratch {
    /// Rows listed beyond those of a chunk, whose memory is fetched in time.
    private static let furtherRows = 16

    let products: UnsafeMutablePointer<Int32>
    let lowProducts: UnsafeMutablePointer<Int32>
    let found: UnsafeMutablePointer<UInt32>
    let rows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let panel: UnsafeMutablePointer<UInt8>
    /// Rows that can be listed at a time.
    let rowCount: Int

    init(productCount: Int, rowCount: Int, panelBytes: Int) {
        self.rowCount = rowCount
        products = .allocate(capacity: productCount)
        lowProducts = .allocate(capacity: rowCount)
        found = .allocate(capacity: rowCount)
        rows = .allocate(capacity: rowCount + Self.furtherRows)
        panel = .allocate(capacity: panelBytes)
        // Panels are read whole, their unused rows too.
        panel.initialize(repeating: 0, count: panelBytes)
    }

    deinit {
        products.deallocate()
        lowProducts.deallocate()
        found.deallocate()
        rows.deallocate()
        panel.deallocate()
    }

    /// Lists the high planes of a chunk's rows, and of some rows after it.
    func list(_ chunk: Range<Int>, of entries: UnsafeBufferPointer<BlockEntry>) -> (count: Int, available: Int) {
        var count = 0
        for position in chunk {
            let codes = entries[position].codes
            codes.fetchNumbers()
            let (high, width) = (UnsafePointer(codes.first), codes.width)
            for row in 0..<entries[position].rowCount { rows[count + row] = high + row * width }
            count += entries[position].rowCount
        }
        var available = count
        if chunk.upperBound < entries.count {
            let codes = entries[chunk.upperBound].codes
            for row in 0..<min(Self.furtherRows, entries[chunk.upperBound].rowCount) {
                rows[available] = UnsafePointer(codes.first + row * codes.width)
                available += 1
            }
        }
        return (count, available)
    }
}
