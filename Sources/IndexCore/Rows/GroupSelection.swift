/// Which groups a search may see.
@frozen public enum GroupSelection: Hashable, Sendable {
    /// Every group of the index.
    case all
    /// These groups; the empty set finds nothing, a group that the index does not hold adds nothing.
    case only(Set<GroupKey>)

    /// Returns whether a group is among them.
    @inlinable package func contains(_ group: GroupKey) -> Bool {
        if case .only(let keys) = self { keys.contains(group) } else { true }
    }
}
