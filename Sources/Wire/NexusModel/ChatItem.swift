/// A kind of items that the assistant finds in a conversation; raw values are segments of routes.
public enum ChatItemKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Tasks.
    case actionItem = "action-items"
    /// Decisions.
    case decision = "decisions"
    /// Dates that somebody has to keep.
    case deadline = "deadlines"
}

/// An action item, a decision or a deadline.
public struct ChatItem: Hashable, Sendable, Codable, Identifiable {
    /// Its id.
    public var id: String
    /// The conversation.
    public var conversationId: String
    /// The message that it is based on.
    public var messageId: String
    /// The task, the decision, or what is due.
    public var text: String
    /// Who does it or decided it.
    public var person: String?
    /// That person's id, if it is a member.
    public var personId: String?
    /// When it is due, as ISO 8601; nil for decisions.
    public var due: String?
    /// Whether the whole day counts; nil for decisions.
    public var allDay: Bool?
    /// `open` or `done`; nil for decisions.
    public var status: String?
    /// How urgent an action item is; nil for others.
    public var priority: String?
    /// The item that took its place.
    public var supersededBy: String?
    /// The part of the message.
    public var quote: String
    /// When the message was sent.
    public var sentAt: String

    /// Where a tap on the item leads.
    public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }
}

/// A page of items: open ones first, then earlier dates first, then the newest.
public struct ChatItemPage: Hashable, Sendable, Codable {
    /// The items.
    public var items: [ChatItem]
    /// The `after` of the next page; nil on the last.
    public var next: String?
}

/// The items of a conversation after the assistant read its new messages.
public struct ChatExtraction: Hashable, Sendable, Codable {
    /// All items.
    public var items: [ChatItem]
    /// The number of messages that were read.
    public var messageCount: Int
    /// The number of new items.
    public var addedCount: Int
    /// The number of changed items.
    public var changedCount: Int
    /// The number of removed items.
    public var removedCount: Int
    /// False if another extraction has to continue.
    public var isComplete: Bool
}

/// A change of an item; nil leaves a field as it is.
public struct ChatItemChange: Hashable, Sendable, Encodable {
    /// The new content.
    public var text: String?
    /// The member whose it is.
    public var personId: String?
    /// When it is due: a date such as `2026-12-01`, or a time.
    public var due: String?
    /// `open` or `done`.
    public var status: String?

    public init(text: String? = nil, personId: String? = nil, due: String? = nil, status: String? = nil) {
        self.text = text
        self.personId = personId
        self.due = due
        self.status = status
    }
}
