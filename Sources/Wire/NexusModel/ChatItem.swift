public import Foundation

/// A kind of items that the assistant finds in a conversation; raw values are segments of routes.
public enum ChatItemKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Tasks.
    case actionItem = "action-items"
    /// Decisions.
    case decision = "decisions"
    /// Dates that somebody has to keep.
    case deadline = "deadlines"

    /// The names of fields that a kind has in addition to those that all kinds share.
    package var fieldNames: (text: String, person: String, due: String?) {
        switch self {
        case .actionItem: ("task", "assignee", "deadline")
        case .decision: ("decision", "decidedBy", nil)
        case .deadline: ("what", "whose", "when")
        }
    }
}

/// An action item, a decision or a deadline.
public struct ChatItem: Hashable, Sendable, Identifiable {
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
    /// When it is due; nil for decisions.
    public var due: Date?
    /// Whether the whole day counts; nil for decisions.
    public var allDay: Bool?
    /// `open` or `done`; nil for decisions.
    public var status: ChatItem.Status?
    /// How urgent an action item is; nil for others.
    public var priority: Priority?
    /// The item that took its place.
    public var supersededBy: String?
    /// The part of the message.
    public var quote: String
    /// When the message was sent.
    public var sentAt: Date
    /// When it was found; nil from a server that does not say.
    public var extractedAt: Date?
    /// Its kind; nil if the server wrote none of the fields that tell kinds apart.
    public var kind: ChatItemKind?

    public init(
        id: String, kind: ChatItemKind?, conversationId: String, messageId: String, text: String,
        person: String? = nil, personId: String? = nil, due: Date? = nil, allDay: Bool? = nil,
        status: ChatItem.Status? = nil, priority: Priority? = nil, supersededBy: String? = nil, quote: String,
        sentAt: Date,
        extractedAt: Date? = nil
    ) {
        self.id = id
        self.kind = kind
        self.conversationId = conversationId
        self.messageId = messageId
        self.text = text
        self.person = person
        self.personId = personId
        self.due = due
        self.allDay = allDay
        self.status = status
        self.priority = priority
        self.supersededBy = supersededBy
        self.quote = quote
        self.sentAt = sentAt
        self.extractedAt = extractedAt
    }

    /// Where a tap on the item leads.
    public var place: MessagePlace { MessagePlace(conversationId: conversationId, messageId: messageId) }
}

extension ChatItem: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, conversationId, messageId, text, person, personId, due, allDay, status, priority, supersededBy, quote
        case sentAt, extractedAt
    }

    /// A field whose name depends on the kind.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        conversationId = try fields.decode(String.self, forKey: .conversationId)
        messageId = try fields.decode(String.self, forKey: .messageId)
        text = try fields.decode(String.self, forKey: .text)
        person = try fields.decodeIfPresent(String.self, forKey: .person)
        personId = try fields.decodeIfPresent(String.self, forKey: .personId)
        due = try fields.decodeIfPresent(Date.self, forKey: .due)
        allDay = try fields.decodeIfPresent(Bool.self, forKey: .allDay)
        status = try fields.decodeIfPresent(ChatItem.Status.self, forKey: .status)
        priority = try fields.decodeIfPresent(Priority.self, forKey: .priority)
        supersededBy = try fields.decodeIfPresent(String.self, forKey: .supersededBy)
        quote = try fields.decode(String.self, forKey: .quote)
        sentAt = try fields.decode(Date.self, forKey: .sentAt)
        extractedAt = try fields.decodeIfPresent(Date.self, forKey: .extractedAt)
        let names = try decoder.container(keyedBy: Name.self)
        kind = ChatItemKind.allCases.first { names.contains(Name(stringValue: $0.fieldNames.text)) }
    }

    /// Writes the fields of its kind: values that are not known are null, and some have two names.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(conversationId, forKey: .conversationId)
        try fields.encode(messageId, forKey: .messageId)
        try fields.encode(text, forKey: .text)
        try fields.encode(person, forKey: .person)
        try fields.encode(personId, forKey: .personId)
        try fields.encode(supersededBy, forKey: .supersededBy)
        try fields.encode(quote, forKey: .quote)
        try fields.encode(sentAt, forKey: .sentAt)
        try fields.encodeIfPresent(allDay, forKey: .allDay)
        try fields.encodeIfPresent(status, forKey: .status)
        try fields.encodeIfPresent(priority, forKey: .priority)
        try fields.encodeIfPresent(extractedAt, forKey: .extractedAt)
        guard let kind else { return try fields.encodeIfPresent(due, forKey: .due) }
        let own = kind.fieldNames
        var names = encoder.container(keyedBy: Name.self)
        try names.encode(text, forKey: Name(stringValue: own.text))
        try names.encode(person, forKey: Name(stringValue: own.person))
        try names.encode(personId, forKey: Name(stringValue: own.person + "Id"))
        if let name = own.due {
            try fields.encode(due, forKey: .due)
            try names.encode(due, forKey: Name(stringValue: name))
        } else {
            try names.encode(sentAt, forKey: Name(stringValue: "decidedAt"))
        }
    }
}

/// A page of items: open ones first, then earlier dates first, then the newest.
public struct ChatItemPage: Hashable, Sendable, Codable {
    /// The items.
    public var items: [ChatItem]
    /// The `after` of the next page; nil on the last.
    public var next: String?

    public init(items: [ChatItem], next: String? = nil) {
        self.items = items
        self.next = next
    }
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
    /// The numbers of errors in the model's replies, by kind; nil from a server that does not say.
    public var faults: [String: Int]?

    public init(
        items: [ChatItem], messageCount: Int, addedCount: Int, changedCount: Int, removedCount: Int,
        isComplete: Bool, faults: [String: Int]? = nil
    ) {
        self.items = items
        self.messageCount = messageCount
        self.addedCount = addedCount
        self.changedCount = changedCount
        self.removedCount = removedCount
        self.isComplete = isComplete
        self.faults = faults
    }
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
    public var status: ChatItem.Status?

    public init(text: String? = nil, personId: String? = nil, due: String? = nil, status: ChatItem.Status? = nil) {
        self.text = text
        self.personId = personId
        self.due = due
        self.status = status
    }
}

extension ChatItem {
    /// Whether an item is done.
    public enum Status: OpenWord {
        /// It is not.
        case open
        /// It is.
        case done
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Status] = [.open, .done]

        /// The word.
        public var rawValue: String {
            switch self {
            case .open: "open"
            case .done: "done"
            case .unknown(let word): word
            }
        }
    }

    /// How urgent an action item is.
    public enum Priority: OpenWord {
        /// It cannot wait.
        case high
        /// The message does not say.
        case medium
        /// It can wait.
        case low
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Priority] = [.high, .medium, .low]

        /// The word.
        public var rawValue: String {
            switch self {
            case .high: "high"
            case .medium: "medium"
            case .low: "low"
            case .unknown(let word): word
            }
        }
    }
}
