public import IndexCore

/// One row found by a search.
public struct LexicalHit: Hashable, Sendable {
    /// The row's name.
    public let key: RowKey
    /// The group that the row lay in when the snapshot was taken.
    public let group: GroupKey
    /// The row's BM25 over its fields and neighbours, above 0; higher is better.
    public let score: Float
    /// The caller's bits.
    public let flags: UInt8

    public init(key: RowKey, group: GroupKey, score: Float, flags: UInt8 = 0) {
        self.key = key
        self.group = group
        self.score = score
        self.flags = flags
    }

    /// Whether `left` stands before `right` in a result: higher score, then lower key.
    static func isBetter(_ left: LexicalHit, than right: LexicalHit) -> Bool {
        left.score == right.score ? left.key < right.key : left.score > right.score
    }
}

/// The score of one row and what it would be if only one kind of evidence counted; each part 0 or more.
///
/// BM25 saturates, so the parts add up to more than the total.
public struct LexicalScore: Hashable, Sendable {
    /// As a search scores the row; 0 when no term of the query is in reach.
    public var total: Float = 0
    /// With the row's own text alone.
    public var text: Float = 0
    /// With its sender's name alone.
    public var sender: Float = 0
    /// With its date alone.
    public var date: Float = 0
    /// With the texts of the rows before it alone.
    public var previous: Float = 0
    /// With the texts of the rows after it alone.
    public var next: Float = 0
    /// The part of the query's terms that the row or its neighbours hold, by their rarity: 0...1.
    public var coverage: Float = 0

    public init() {}
}
