/// Names one group of rows, the unit of permission; given by the caller.
@frozen public struct GroupKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// The caller's number.
    public let rawValue: Int64

    /// Wraps the caller's number.
    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders keys by their number.
    @inlinable public static func < (left: GroupKey, right: GroupKey) -> Bool { left.rawValue < right.rawValue }
}
