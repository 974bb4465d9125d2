/// What became of a list since a change.
public struct ListChanges<Element: Hashable & Sendable>: Hashable, Sendable {
    /// What came or changed, as it is now, in the order of the last changes.
    public var items: [Element]
    /// What went; who asks need not have seen it.
    public var removedIDs: [Identifier<Element>]
    /// Where to read on: after the last change of this list, or where the reading began.
    public var next: ChangeCursor

    /// Whether nothing happened.
    public var isEmpty: Bool { items.isEmpty && removedIDs.isEmpty }

    public init(items: [Element], removedIDs: [Identifier<Element>], next: ChangeCursor) {
        self.items = items
        self.removedIDs = removedIDs
        self.next = next
    }
}
