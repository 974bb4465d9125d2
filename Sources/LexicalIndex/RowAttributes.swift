/// What a search may choose rows by, beside their groups.
public struct RowAttributes: Hashable, Sendable {
    /// Who wrote the row's text, as a number of the caller's choice.
    public var sender: Int64
    /// When, in microseconds; the row's place among its neighbours, too.
    public var time: Int64

    /// Puts the attributes together.
    public init(sender: Int64 = 0, time: Int64 = 0) {
        self.sender = sender
        self.time = time
    }
}

/// Decides whether a row may be found; must answer the same for the same row.
public typealias RowPredicate = (RowKey, RowAttributes) -> Bool
