import CKernels

/// A matrix of 4-bit weights in a mapped file: in each row, blocks of 32 weights with one scale (Q4_0).
///
/// The owner of the file must live as long as the value is used.
struct QuantizedMatrix {
    /// The weights of a block.
    static let blockCount = Int(nexus_q4_block)
    /// The bytes of a block: a 16-bit float, then two weights a byte.
    static let blockByteCount = Int(nexus_q4_block_bytes)

    let start: UnsafeRawPointer
    let rowCount: Int
    /// The weights of a row, a multiple of ``blockCount``.
    let columnCount: Int

    /// Writes the weights of some rows as floats, `columnCount` for each.
    ///
    /// - Precondition: The matrix has the rows.
    func dequantize(_ rows: Range<Int>, to floats: UnsafeMutablePointer<Float>) {
        let blocks = columnCount / Self.blockCount
        nexus_q4_dequantize(floats, start + rows.lowerBound * blocks * Self.blockByteCount, rows.count * blocks)
    }
}
