/// Names one row; given by the caller, unique in the index.
@frozen public struct RowKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// The caller's number; its order breaks ties between equal scores.
    public let rawValue: Int64

    /// Wraps the caller's number.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders keys by their number.
    @inlinable public static func < (left: RowKey, right: RowKey) -> Bool { left.rawValue < right.rawValue }
}
