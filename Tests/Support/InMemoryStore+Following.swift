import ChatCore

extension InMemoryState {
    /// A list that is followed as it changes.
    enum FollowedList: Hashable, Sendable {
        case items(ExtractedItem.Kind, ConversationID)
        case exchange(UserID, ConversationID)
        case threads(UserID)
    }

    /// What went from a list.
    struct Removal: Sendable {
        var list: FollowedList
        var change: ChangeNumber
        var id: String
    }

    /// Returns the change that tells of all that one call does to lists of one kind and owner, from `start` on.
    mutating func change(
        _ subject: Change.Subject, in id: ConversationID? = nil, since start: Int
    ) -> ChangeNumber {
        if let known = changes[start...].first(where: { $0.subject == subject && $0.conversationID == id }) {
            return known.number
        }
        append(subject, in: id)
        return ChangeNumber(rawValue: Int64(changes.count))
    }

    /// Returns what became of a list after a position; nil for all of it.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - rows: Its rows as they came, with the change that told of each last.
    ///   - cursor: The position.
    ///   - limit: The most rows.
    /// - Returns: What came or changed, and what went.
    /// - Throws: ``RepositoryError/expiredCursor``.
    func changes<Element>(
        of list: FollowedList, among rows: [(change: ChangeNumber?, element: Element)], after cursor: ChangeCursor?,
        limit: Int
    ) throws(RepositoryError) -> ListChanges<Element> {
        let start: ChangeNumber? = if let cursor { ChangeNumber(rawValue: Int64(try count(at: cursor))) } else { nil }
        let zero = ChangeNumber(rawValue: 0)
        func isLater(_ change: ChangeNumber) -> Bool { start.map { change > $0 } ?? true }
        let later = rows.enumerated().map { (change: $1.change ?? zero, place: $0, element: $1.element) }
            .filter { isLater($0.change) }
            .sorted { ($0.change, $0.place) < ($1.change, $1.place) }
        let limit = max(1, limit)
        let gone = removals.filter { $0.list == list && isLater($0.change) }
        let last = (later.map(\.change) + gone.map(\.change)).max().map { max($0, ChangeNumber(rawValue: 1)) }
        let end =
            later.count < limit ? last ?? start ?? zero : max(later[limit - 1].change, ChangeNumber(rawValue: 1))
        let removed = gone.filter { $0.change <= end }
            .map { ($0.change, Identifier<Element>(rawValue: $0.id)) }
        return ListChanges(
            items: later.filter { $0.change <= end }.map(\.element),
            removedIDs: removed.sorted { $0 < $1 }.map(\.1), next: .position(end))
    }
}
