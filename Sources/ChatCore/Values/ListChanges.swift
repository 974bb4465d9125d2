/// What became of a list since a change.
public struct ListChanges<Element: Hashable & Sendable>: Hashable, Sendable {
    /// What came or changed, as it is now, in the order of the last changes.
    public var items: [Element]
    /// What went; who asks need not have seen it.
    public var removedIDs: [Identifier<Element>]
    /// The change to ask from the next time: the last one of this list, or the one that was asked from.
    public var next: ChangeNumber

    /// Whether nothing happened.
    public var isEmpty: Bool { items.isEmpty && removedIDs.isEmpty }

    /// Makes the value from its parts.
    public init(items: [Element], removedIDs: [Identifier<Element>], next: ChangeNumber) {
        self.items = items
        self.removedIDs = removedIDs
        self.next = next
    }
}
