/// What changed in a list of entries since a position: the reply of routes such as `GET /v1/threads/changes`.
public struct ChatListChanges<Entry: Sendable>: Sendable {
    /// New and changed entries in their present state.
    public var items: [Entry]
    /// Entries that are no longer in the list.
    public var removedIds: [String]
    /// The next value of `after`.
    public var next: String

    public init(items: [Entry], removedIds: [String], next: String) {
        self.items = items
        self.removedIds = removedIds
        self.next = next
    }
}

extension ChatListChanges: Equatable where Entry: Equatable {}
extension ChatListChanges: Hashable where Entry: Hashable {}
extension ChatListChanges: Encodable where Entry: Encodable {}
extension ChatListChanges: Decodable where Entry: Decodable {}
