/// Memory that one thread needs for the products of a chunk, or of a block and all queries.
final class CodeScratch {
    /// Rows listed beyond those of a chunk, whose memory is fetched in time.
    private static let furtherRows = 16

    let products: UnsafeMutablePointer<Int32>
    let lowProducts: UnsafeMutablePointer<Int32>
    let found: UnsafeMutablePointer<UInt32>
    let rows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let lowRows: UnsafeMutablePointer<UnsafePointer<UInt8>>
    let panel: UnsafeMutablePointer<UInt8>

    init(productCount: Int, rowCount: Int, panelBytes: Int) {
        products = .allocate(capacity: productCount)
        lowProducts = .allocate(capacity: rowCount)
        found = .allocate(capacity: rowCount)
        rows = .allocate(capacity: rowCount + Self.furtherRows)
        lowRows = .allocate(capacity: rowCount)
        panel = .allocate(capacity: panelBytes)
        // Panels are read whole, their unused rows too.
        panel.initialize(repeating: 0, count: panelBytes)
    }

    deinit {
        products.deallocate()
        lowProducts.deallocate()
        found.deallocate()
        rows.deallocate()
        lowRows.deallocate()
        panel.deallocate()
    }

    /// Lists the high planes of a chunk's rows, and of some rows after it.
    func list(_ chunk: Range<Int>, of entries: UnsafeBufferPointer<BlockEntry>) -> (count: Int, available: Int) {
        var count = 0
        for position in chunk {
            let codes = entries[position].codes
            codes.fetchNumbers()
            let (high, width) = (UnsafePointer(codes.high), codes.width)
            for row in 0..<entries[position].rowCount { rows[count + row] = high + row * width }
            count += entries[position].rowCount
        }
        var available = count
        if chunk.upperBound < entries.count {
            let codes = entries[chunk.upperBound].codes
            for row in 0..<min(Self.furtherRows, entries[chunk.upperBound].rowCount) {
                rows[available] = UnsafePointer(codes.high + row * codes.width)
                available += 1
            }
        }
        return (count, available)
    }
}
