public import NexusModel

/// A line of a conversation on the screen.
///
/// There are no separators of days: what a day is depends on the reader's time zone, which the app knows.
public enum ConversationEntry: Hashable, Sendable, Identifiable {
    /// Messages that are not loaded.
    public enum Gap: Hashable, Sendable {
        /// They are before the first known message.
        case earlier
        /// They are between the messages around a jump and the newest ones.
        case between
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

    /// Messages that are not loaded: ``ConversationModel/fill(_:)`` loads some of them.
    case gap(Gap)
    /// A message.
    case message(ChatMessage)
    /// A message that this device sends; always behind those of the server.
    case outgoing(OutgoingMessage)

    public var id: ID {
        switch self {
        case .gap(let gap): .gap(gap)
        case .message(let message): .message(message.id)
        case .outgoing(let message): .outgoing(localId: message.localId)
        }
    }
}

/// Messages around a jump, apart from the newest ones.
struct MessageIsland: Hashable, Sendable {
    /// The messages in their order.
    private(set) var messages: [ChatMessage]
    private(set) var hasOlder: Bool
    private(set) var hasNewer: Bool

    init(_ window: MessageWindow) {
        messages = window.messages.sorted { $0.precedes($1) }
        hasOlder = window.hasOlder
        hasNewer = window.hasNewer
    }

    /// Adds the page before the first message.
    mutating func addEarlier(_ window: MessageWindow) {
        add(window)
        hasOlder = window.hasOlder
    }

    /// Adds the page after the last message.
    mutating func addLater(_ window: MessageWindow) {
        add(window)
        hasNewer = window.hasNewer
    }

    /// Takes the present state of a message that it has.
    mutating func replace(_ message: ChatMessage) {
        if let place = messages.firstIndex(where: { $0.id == message.id }) { messages[place] = message }
    }

    mutating func remove(_ message: String) { messages.removeAll { $0.id == message } }

    private mutating func add(_ window: MessageWindow) {
        let known = Set(messages.map(\.id))
        messages += window.messages.filter { !known.contains($0.id) }
        messages.sort { $0.precedes($1) }
    }

    /// Whether no message is missing between it and the newest messages.
    func reaches(_ newest: [ChatMessage]) -> Bool {
        guard hasNewer, let first = newest.first, let last = messages.last else { return true }
        return !last.precedes(first)
    }
}

extension ConversationEntry {
    /// Makes the entries of a conversation.
    ///
    /// - Parameters:
    ///   - place: The newest messages, without a gap at their end.
    ///   - island: Messages around a jump.
    ///   - echoes: What this device sends, in its order, without what has come back.
    /// - Returns: The entries in their order.
    static func entries(
        of place: ConversationState, island: MessageIsland?, echoes: [OutgoingMessage]
    ) -> [ConversationEntry] {
        var entries: [ConversationEntry] = []
        var hasOlder = place.hasEarlier == true
        var isCut = false
        var old: [ChatMessage] = []
        if let island, !island.messages.isEmpty {
            hasOlder = island.hasOlder
            isCut = !island.reaches(place.messages)
            let known = Set(place.messages.map(\.id))
            old = island.messages.filter { !known.contains($0.id) }
        }
        if hasOlder { entries.append(.gap(.earlier)) }
        if isCut {
            entries += old.map { .message($0) }
            entries.append(.gap(.between))
            entries += place.messages.map { .message($0) }
        } else {
            let all = old.isEmpty ? place.messages : (old + place.messages).sorted { $0.precedes($1) }
            entries += all.map { .message($0) }
        }
        return entries + echoes.map { .outgoing($0) }
    }
}
