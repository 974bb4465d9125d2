/// Which groups a search may see.
public enum GroupSelection: Hashable, Sendable {
    /// Every group of the index.
    case all
    /// These groups; the empty set finds nothing, a group that the index does not hold adds nothing.
    case only(Set<GroupKey>)

    /// Whether a group is among them.
    func contains(_ group: GroupKey) -> Bool {
        if case .only(let keys) = self { keys.contains(group) } else { true }
    }
}
