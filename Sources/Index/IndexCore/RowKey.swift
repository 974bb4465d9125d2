/// Identifies one row; chosen by the caller, unique in the index.
@frozen public struct RowKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// The caller's number; its order breaks ties between equal scores.
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable public static func < (left: RowKey, right: RowKey) -> Bool { left.rawValue < right.rawValue }
}

/// Identifies one group of rows, the unit of permission; chosen by the caller.
@frozen public struct GroupKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// The caller's number.
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) { self.rawValue = rawValue }

    @inlinable public static func < (left: GroupKey, right: GroupKey) -> Bool { left.rawValue < right.rawValue }
}

/// The groups that a search may see.
@frozen public enum GroupSelection: Hashable, Sendable {
    /// Every group of the index.
    case all
    /// These groups; the empty set finds nothing, a group that the index does not hold adds nothing.
    case only(Set<GroupKey>)

    /// Returns whether the selection includes a group.
    @inlinable package func contains(_ group: GroupKey) -> Bool {
        if case .only(let keys) = self { keys.contains(group) } else { true }
    }
}

/// The attributes that predicates choose rows by; the index stores them and does not interpret them.
@frozen public struct RowAttributes: Hashable, Sendable {
    /// The author of the row's text, as a number chosen by the caller.
    public var sender: Int64
    /// The time of the row, in a unit chosen by the caller.
    public var time: Int64
    /// The object that the row is a part of, as a number chosen by the caller.
    public var owner: Int64

    @inlinable public init(sender: Int64 = 0, time: Int64 = 0, owner: Int64 = 0) {
        self.sender = sender
        self.time = time
        self.owner = owner
    }
}

/// Decides whether a row may be found; must always give the same answer for the same row.
public typealias RowPredicate = (RowKey, RowAttributes) -> Bool

/// Spreads the bits of a key evenly; different keys give different results.
///
/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195), a bijection.
@inlinable package func scatteredBits(of value: Int64) -> UInt64 {
    var bits = UInt64(bitPattern: value) &+ 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
}
