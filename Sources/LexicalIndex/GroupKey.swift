/// Names one group of rows, the unit of permission; given by the caller.
public struct GroupKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// The caller's number.
    public let rawValue: Int64

    /// Wraps the caller's number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Orders keys by their number.
    public static func < (left: GroupKey, right: GroupKey) -> Bool { left.rawValue < right.rawValue }
}
