public import IndexCore

/// One row as the caller gives it: any length but zero, normalised when it is stored.
public struct VectorRow: Hashable, Sendable {
    /// The row's name, unique in the index.
    public let key: RowKey
    /// The group that the row lies in; a row lies in one group at a time.
    public let group: GroupKey
    /// What predicates choose by.
    public let attributes: RowAttributes
    /// `d` finite components, not all zero.
    public let vector: [Float]

    /// Puts a row together; the index checks it.
    public init(key: RowKey, group: GroupKey, attributes: RowAttributes = RowAttributes(), vector: [Float]) {
        self.key = key
        self.group = group
        self.attributes = attributes
        self.vector = vector
    }
}
