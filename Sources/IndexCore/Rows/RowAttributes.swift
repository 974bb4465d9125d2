/// What a search may choose rows by, beside their groups; the index keeps it and gives it no meaning of its own.
@frozen public struct RowAttributes: Hashable, Sendable {
    /// Who wrote the row's text, as a number of the caller's choice.
    public var sender: Int64
    /// When, in a unit of the caller's choice.
    public var time: Int64
    /// What the row is a part of, as a number of the caller's choice.
    public var owner: Int64

    /// Puts the attributes together.
    @inlinable public init(sender: Int64 = 0, time: Int64 = 0, owner: Int64 = 0) {
        self.sender = sender
        self.time = time
        self.owner = owner
    }
}

/// Decides whether a row may be found; must answer the same for the same row.
public typealias RowPredicate = (RowKey, RowAttributes) -> Bool
