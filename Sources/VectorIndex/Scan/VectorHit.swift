public import IndexCore

/// One row found by a search.
public struct VectorHit: Hashable, Sendable {
    /// The row's name.
    public let key: RowKey
    /// The group that the row lay in when the snapshot was taken.
    public let group: GroupKey
    /// The cosine of query and row in -1...1; higher is better.
    public let score: Float

    public init(key: RowKey, group: GroupKey, score: Float) {
        self.key = key
        self.group = group
        self.score = score
    }

    /// Whether `left` stands before `right` in a result: higher score, then lower key.
    static func isBetter(_ left: VectorHit, than right: VectorHit) -> Bool {
        left.score == right.score ? left.key < right.key : left.score > right.score
    }
}
