/// Where the parts of a block lie in its bytes: what is wider first, so that each is aligned.
///
/// A block is the same in memory and in a file.
struct BlockLayout: Hashable, Sendable {
    /// The most rows of a block: a posting has 16 bits for the row, and a write copies a block.
    static let rowLimit = 256
    /// The five numbers of a row with 64 bits: key, thread, time, order, sender.
    static let wideColumnCount = 5

    let rowCount: Int
    let termCount: Int
    let postingCount: Int

    /// Offsets in bytes.
    var terms: Int { 8 * Self.wideColumnCount * rowCount }
    var starts: Int { terms + 8 * termCount }
    var postings: Int { starts + 4 * (termCount + 1) }
    var textLengths: Int { postings + 4 * postingCount }
    var lengths: Int { textLengths + 4 * rowCount }
    var flags: Int { lengths + 4 * rowCount }

    /// Bytes of the block, a multiple of 8.
    var byteCount: Int { (flags + rowCount + 7) / 8 * 8 }
}
