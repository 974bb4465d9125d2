/// That a row of a block holds a term, and how often: the row, then 8 bits for the text, 4 for the sender, 4 for the date.
///
/// More than 255 or 15 occurrences count as so many: long before that a score is saturated.
struct Posting: Hashable, Sendable {
    /// As it lies in memory and in files.
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

    /// Whether the numbers of occurrences are certainly not higher than it says.
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
