public import NexusModel

/// A line of a conversation on the screen.
///
/// There are no separators of days: what a day is depends on the reader's time zone, which the app knows.
public enum ConversationEntry: Hashable, Sendable, Identifiable {
    /// Messages that are not shown.
    public enum Gap: Hashable, Sendable {
        /// They are before the first message.
        case earlier
        /// They may be missing on this device, directly before this place.
        case between(TimelinePosition)
        /// They are after the last message, because the person jumped to an old one.
        case later
    }

    /// What an entry is known by.
    public enum ID: Hashable, Sendable {
        /// A gap.
        case gap(Gap)
        /// A message of the server.
        case message(String)
        /// A message that this device sends.
        case outgoing(localId: String)
    }

    /// Messages that are not shown: ``ConversationModel/fill(_:)`` shows some of them.
    case gap(Gap)
    /// A message.
    case message(ChatMessage)
    /// A message that this device sends; always behind those of the server.
    case outgoing(OutgoingMessage)

    /// Stays the same while the entry is shown; an outgoing message has its local id until it is stored.
    public var id: ID {
        switch self {
        case .gap(let gap): .gap(gap)
        case .message(let message): .message(message.id)
        case .outgoing(let message): .outgoing(localId: message.localId)
        }
    }
}

extension ConversationEntry {
    /// Makes the entries of a window.
    ///
    /// - Parameters:
    ///   - timeline: What is stored, with one message more than the window has if there are earlier ones.
    ///   - window: The window.
    /// - Returns: The entries in their order; the gap that they begin with, if earlier messages are not on this device.
    static func entries(
        of timeline: [TimelineEntry], in window: ConversationModel.Window
    ) -> (entries: [ConversationEntry], firstGap: TimelinePosition?) {
        var rest = timeline[...]
        var entries: [ConversationEntry] = []
        var firstGap: TimelinePosition?
        let isMessage = { (entry: TimelineEntry) in if case .message = entry { true } else { false } }
        if timeline.count(where: isMessage) > window.limit, let first = rest.firstIndex(where: isMessage) {
            rest = rest[(first + 1)...]
            entries.append(.gap(.earlier))
        }
        for entry in rest {
            switch entry {
            case .message(let message): entries.append(.message(message))
            case .outgoing(let message): entries.append(.outgoing(message))
            case .gap(let place) where entries.isEmpty:
                firstGap = place
                entries.append(.gap(.earlier))
            case .gap(let place): if entries != [.gap(.earlier)] { entries.append(.gap(.between(place))) }
            }
        }
        if window.end != nil { entries.append(.gap(.later)) }
        return (entries, firstGap)
    }
}
