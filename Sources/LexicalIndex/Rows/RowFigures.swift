/// What is counted of rows as a whole; sums over blocks and groups, so that it is known of any selection of groups.
public struct RowFigures: Hashable, Sendable {
    /// Rows.
    public internal(set) var rowCount = 0
    /// Tokens of their texts.
    var textTokenCount = 0
    /// Tokens of all their fields.
    var tokenCount = 0
    /// Rows by the upper four of the caller's bits.
    private var kindCounts = SIMD16<UInt32>()

    init() {}

    /// How many rows have a number, 0 to 15, in the upper four of the caller's bits.
    public func rowCount(ofKind kind: UInt8) -> Int { Int(kindCounts[Int(kind & 0xF)]) }

    mutating func add(_ other: RowFigures) {
        rowCount += other.rowCount
        textTokenCount += other.textTokenCount
        tokenCount += other.tokenCount
        kindCounts &+= other.kindCounts
    }

    mutating func add(textLength: UInt32, length: UInt32, flags: UInt8) {
        rowCount += 1
        textTokenCount += Int(textLength)
        tokenCount += Int(length)
        kindCounts[Int(flags >> 4)] &+= 1
    }
}
