import ChatCore

/// What an element of a chat's list of messages turned out to be.
enum ChatElement {
    case message(Message, author: Identity, deletedAt: Timestamp?)
    case skipped(SkipReason)
}

extension Participants {
    /// Notes who wrote an element; returns what there is to tell of it, its author only when new or renamed.
    mutating func contents(of element: ChatElement) -> [HistoryItem.Content] {
        switch element {
        case .message(let message, let author, let deletedAt):
            (insert(author) ? [.author(author)] : []) + [.message(message, deletedAt: deletedAt)]
        case .skipped(let reason): [.skipped(reason)]
        }
    }
}
