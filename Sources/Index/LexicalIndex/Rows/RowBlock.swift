import IndexCore

/// Consecutive rows of a group, at least one, inverted: their terms in order, and the rows that hold each.
///
/// Unchecked invariant: ``BlockBuilder`` or ``FileReader`` writes the bytes before the block is shared, and nothing
/// writes them afterwards.
final class RowBlock: @unchecked Sendable {
    let layout: BlockLayout
    private let base: UnsafeMutableRawPointer
    let keys: UnsafeMutablePointer<Int64>
    let threads: UnsafeMutablePointer<Int64>
    let times: UnsafeMutablePointer<Int64>
    let orders: UnsafeMutablePointer<Int64>
    let senders: UnsafeMutablePointer<Int64>
    /// Distinct terms, ascending.
    let terms: UnsafeMutablePointer<UInt64>
    /// The start of each term's postings, and after the last one their end.
    let starts: UnsafeMutablePointer<UInt32>
    /// By term, then by row.
    let postings: UnsafeMutablePointer<Posting>
    /// Tokens of each row's text.
    let textLengths: UnsafeMutablePointer<UInt32>
    /// Tokens of all fields of each row.
    let lengths: UnsafeMutablePointer<UInt32>
    let flags: UnsafeMutablePointer<UInt16>
    /// Counted by ``close()``.
    private(set) var figures = RowFigures()

    /// Allocates zeroed memory; the caller fills it.
    init(_ layout: BlockLayout) {
        let base = UnsafeMutableRawPointer.allocate(byteCount: layout.byteCount, alignment: 8)
        base.initializeMemory(as: UInt8.self, repeating: 0, count: layout.byteCount)
        self.layout = layout
        self.base = base
        let (rows, numbers) = (layout.rowCount, base.assumingMemoryBound(to: Int64.self))
        keys = numbers
        threads = numbers + rows
        times = numbers + 2 * rows
        orders = numbers + 3 * rows
        senders = numbers + 4 * rows
        terms = (base + layout.terms).assumingMemoryBound(to: UInt64.self)
        starts = (base + layout.starts).assumingMemoryBound(to: UInt32.self)
        postings = (base + layout.postings).assumingMemoryBound(to: Posting.self)
        textLengths = (base + layout.textLengths).assumingMemoryBound(to: UInt32.self)
        lengths = (base + layout.lengths).assumingMemoryBound(to: UInt32.self)
        flags = (base + layout.flags).assumingMemoryBound(to: UInt16.self)
    }

    deinit { base.deallocate() }

    /// Counts the rows; called once, when all are written and before the block is shared.
    func close() {
        for row in 0..<count { figures.add(textLength: textLengths[row], length: lengths[row], flags: flags[row]) }
    }

    var count: Int { layout.rowCount }

    /// All bytes of the block.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: layout.byteCount)
    }

    /// The position of a row in its group.
    func position(at row: Int) -> RowPosition {
        RowPosition(thread: threads[row], time: times[row], order: orders[row], key: keys[row])
    }

    /// The attributes of a row.
    func attributes(at row: Int) -> RowAttributes { RowAttributes(sender: senders[row], time: times[row]) }

    /// The first row at or after a position.
    func firstRow(from position: RowPosition) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self.position(at: middle) < position { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The postings of a term; none when no row holds it.
    ///
    /// Keys are hashes, so the number of a term predicts its place: the search begins there, and its steps double.
    func range(of term: UInt64) -> PostingRange {
        let count = layout.termCount
        let guess = Int(term.multipliedFullWidth(by: UInt64(count)).high)
        var (low, high, step) = (guess, guess, 2)
        // All terms before `low` are less than the term, and those from `high` on are not.
        while low > 0, terms[low - 1] >= term {
            high = low - 1
            low = max(0, low - step)
            step *= 2
        }
        if low == guess {
            while high < count, terms[high] < term {
                low = high + 1
                high = min(count, high + step)
                step *= 2
            }
        }
        while low < high {
            let middle = (low + high) / 2
            if terms[middle] < term { low = middle + 1 } else { high = middle }
        }
        guard low < count, terms[low] == term else { return PostingRange(start: 0, end: 0) }
        return PostingRange(start: starts[low], end: starts[low + 1])
    }

    /// The posting of a row among those of a term; nil when there is none.
    func posting(of row: Int, in range: PostingRange) -> Posting? {
        var (low, high) = (Int(range.start), Int(range.end))
        while low < high {
            let middle = (low + high) / 2
            if postings[middle].row < row { low = middle + 1 } else { high = middle }
        }
        return low < range.end && postings[low].row == row ? postings[low] : nil
    }
}

/// Consecutive postings of a block.
struct PostingRange: Sendable {
    let start: UInt32
    let end: UInt32

    var isEmpty: Bool { start == end }
    var indices: Range<Int> { Int(start)..<Int(end) }
}

/// The places of a block's parts in its bytes: wider ones first, so that each is aligned.
///
/// A block has the same bytes in memory and in a file.
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
    var byteCount: Int { (flags + 2 * rowCount + 7) / 8 * 8 }
}

/// The occurrences of a term in a row of a block: the row, then 8 bits for the text, 4 for the sender, 4 for the date.
///
/// More than 255 or 15 occurrences are stored as that number: a score is saturated long before.
struct Posting: Hashable, Sendable {
    /// The value in memory and in files.
    let bits: UInt32

    static let textLimit = 255
    static let nameLimit = 15

    init(bits: UInt32) { self.bits = bits }

    init(row: Int, text: Int, sender: Int, date: Int) {
        bits =
            UInt32(row) << 16 | UInt32(min(text, Self.textLimit)) << 8 | UInt32(min(sender, Self.nameLimit)) << 4
            | UInt32(min(date, Self.nameLimit))
    }

    /// The same occurrences in another row.
    func moved(to row: Int) -> Posting { Posting(bits: bits & 0xFFFF | UInt32(row) << 16) }

    /// Whether the stored numbers of occurrences are certainly exact.
    var isExact: Bool {
        bits >> 8 & 0xFF < Self.textLimit && bits >> 4 & 0xF < Self.nameLimit && bits & 0xF < Self.nameLimit
    }

    var row: Int { Int(bits >> 16) }
    var text: Float { Float(bits >> 8 & 0xFF) }
    var sender: Float { Float(bits >> 4 & 0xF) }
    var date: Float { Float(bits & 0xF) }
}

/// A posting with the term that it belongs to.
struct TermPosting: Comparable, Sendable {
    let term: UInt64
    let posting: Posting

    static func < (left: TermPosting, right: TermPosting) -> Bool {
        left.term == right.term ? left.posting.bits < right.posting.bits : left.term < right.term
    }
}

/// Sums over rows, kept for each block and group, so that they are known for any selection of groups.
public struct RowFigures: Hashable, Sendable {
    /// Number of rows.
    public internal(set) var rowCount = 0
    /// Tokens of their texts.
    var textTokenCount = 0
    /// Tokens of all their fields.
    var tokenCount = 0
    /// Rows by bits 4 to 7 of the caller's.
    private var kindCounts = SIMD16<UInt32>()

    init() {}

    /// The number of rows with `kind`, 0 to 15, in bits 4 to 7 of the caller's.
    public func rowCount(ofKind kind: UInt8) -> Int { Int(kindCounts[Int(kind & 0xF)]) }

    mutating func add(_ other: RowFigures) {
        rowCount += other.rowCount
        textTokenCount += other.textTokenCount
        tokenCount += other.tokenCount
        kindCounts &+= other.kindCounts
    }

    mutating func add(textLength: UInt32, length: UInt32, flags: UInt16) {
        rowCount += 1
        textTokenCount += Int(textLength)
        tokenCount += Int(length)
        kindCounts[Int(flags >> 4 & 0xF)] &+= 1
    }
}
