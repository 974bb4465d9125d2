public import ChatCore
public import TextAnalysis

/// A message as the model is shown it.
public struct NumberedMessage: Hashable, Sendable {
    /// Where it is.
    public let key: MessageKey
    /// Who wrote it.
    public let senderID: UserID
    /// The writer's name.
    public let senderName: String
    /// When.
    public let timestamp: Timestamp
    /// What was written, as far as it is shown.
    public let text: String
    /// Whether it only helps to understand the others: nothing new is taken out of it.
    public let isContext: Bool

    public init(
        key: MessageKey, senderID: UserID, senderName: String, timestamp: Timestamp, text: String, isContext: Bool
    ) {
        self.key = key
        self.senderID = senderID
        self.senderName = senderName
        self.timestamp = timestamp
        self.text = text
        self.isContext = isContext
    }
}

/// What a reply is read against.
///
/// Messages are known to the model by their place alone, from 1: it cannot make up the id of one.
public struct ExtractionContext: Sendable {
    /// The messages shown, oldest first.
    public let messages: [NumberedMessage]
    /// Who may be named.
    public let participants: [Participant]
    /// The IANA name of the zone in which people say "Friday".
    public let zone: String

    public init(messages: [NumberedMessage], participants: [Participant], zone: String) {
        self.messages = messages
        self.participants = participants
        self.zone = zone
    }

    /// Returns the message with a number.
    public func message(_ number: Int) -> NumberedMessage? {
        messages.indices.contains(number - 1) ? messages[number - 1] : nil
    }
}

/// What a model took out of a message, checked and mended.
public struct ItemDraft: Hashable, Sendable {
    /// The message that it stands on.
    public var message: NumberedMessage
    /// What is to be done, was decided, is due, or why it matters.
    public var text: String
    /// Who.
    public var person: Participant?
    /// By when.
    public var due: Timestamp?
    /// How much it matters.
    public var priority: ExtractedItem.Priority
    /// The words of the message that say it.
    public var quote: String
    /// The message of the earlier decision that it takes the place of.
    public var supersedes: MessageKey?
    /// How urgent it is, 0 to 1.
    public var score: Double?
}

/// What was wrong with an item of a reply; never holds a text.
public struct ItemFault: Hashable, Sendable {
    /// What was wrong.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The reply holds no list of items.
        case noItems = "no_items"
        /// The list broke off.
        case truncated
        /// No message has the number.
        case unknownMessage = "unknown_message"
        /// The message was shown for understanding alone.
        case contextMessage = "context_message"
        /// It does not say what.
        case missingText = "missing_text"
        /// Nobody has the name, or several have.
        case unknownPerson = "unknown_person"
        /// The date cannot be read, does not exist, or was not said.
        case badDate = "bad_date"
        /// The message does not hold the quote.
        case foreignQuote = "foreign_quote"
        /// It says the same as another one.
        case duplicate
        /// The score is none.
        case badScore = "bad_score"
        /// No earlier message has the number.
        case unknownSuperseded = "unknown_superseded"
        /// More items than messages can hold.
        case tooMany = "too_many"
    }

    /// The item, from 1; 0 for the reply as a whole.
    public let item: Int
    /// What was wrong.
    public let reason: Reason
    /// Whether the item was left out for it; otherwise it was mended.
    public let isDropped: Bool
}

/// A reply as it was read.
public struct ExtractedReply: Sendable {
    /// The items, in the order of the reply.
    public let drafts: [ItemDraft]
    /// What was wrong with it.
    public let faults: [ItemFault]
    /// Whether it is a list of items at all, an empty one too.
    public let isList: Bool

    /// Whether asking again can bring more: it is no list, broke off, or lost items by a fault that naming can mend.
    public var deservesRetry: Bool {
        !isList
            || faults.contains { fault in
                fault.reason == .truncated
                    || (fault.isDropped && ![.duplicate, .contextMessage, .tooMany].contains(fault.reason))
            }
    }
}

extension ItemFault.Reason {
    /// What a model is told, so that it can mend its reply.
    public var explanation: String {
        switch self {
        case .noItems: "there is no JSON object with a list \"items\""
        case .truncated: "the list breaks off before its end: give fewer words to each item"
        case .unknownMessage: "\"message\" is not the number of a message above"
        case .contextMessage: "the message is marked \"(earlier)\""
        case .missingText: "it does not say what"
        case .unknownPerson: "the person is not one participant of the list"
        case .badDate: "the date is not one that a message says"
        case .foreignQuote: "the quote does not stand in the message"
        case .duplicate: "it says the same as another item"
        case .badScore: "\"score\" is not a number from 0 to 1"
        case .unknownSuperseded: "\"supersedes\" is not the number of an earlier message"
        case .tooMany: "there are more items than the messages can hold"
        }
    }
}
