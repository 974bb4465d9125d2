package import ChatCore
package import TextAnalysis

/// A message as the model is shown it.
package struct NumberedMessage: Hashable, Sendable {
    /// The message.
    package let key: MessageKey
    /// The sender.
    package let senderID: UserID
    /// The writer's name.
    package let senderName: String
    /// When the message was written.
    package let timestamp: Timestamp
    /// The text, as far as the model is shown it.
    package let text: String
    /// Whether it only helps to understand the others: nothing new is taken out of it.
    package let isContext: Bool

    package init(
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

/// The messages and people that a reply may refer to.
///
/// The model knows messages only by their number, from 1, so it cannot invent the id of one.
package struct ExtractionContext: Sendable {
    /// The messages shown, oldest first.
    package let messages: [NumberedMessage]
    /// The people that may be named.
    package let participants: [Participant]
    /// The IANA name of the zone in which people say "Friday".
    package let zone: String

    package init(messages: [NumberedMessage], participants: [Participant], zone: String) {
        self.messages = messages
        self.participants = participants
        self.zone = zone
    }

    /// Returns the message with a number.
    package func message(_ number: Int) -> NumberedMessage? {
        messages.indices.contains(number - 1) ? messages[number - 1] : nil
    }
}

/// An item that a model extracted from a message, checked and corrected.
package struct ItemDraft: Hashable, Sendable {
    /// The message that it is based on.
    package var message: NumberedMessage
    /// The description of the task, decision or date, or why the message matters.
    package var text: String
    /// The person.
    package var person: Participant?
    /// The due date.
    package var due: Timestamp?
    /// How much it matters.
    package var priority: ExtractedItem.Priority
    /// The words of the message that say it.
    package var quote: String
    /// The message of the earlier item that it replaces.
    package var supersedes: MessageKey?
    /// Whether it names no date, so that the date of the replaced item stays.
    package var keepsDate = false
    /// How urgent it is, 0 to 1.
    package var score: Double?
}

/// An error in an item of a reply; never contains text.
package struct ItemFault: Hashable, Sendable {
    /// The kind of error.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The reply contains no list of items.
        case noItems = "no_items"
        /// The list broke off.
        case truncated
        /// No message has the number.
        case unknownMessage = "unknown_message"
        /// The message was shown only as context.
        case contextMessage = "context_message"
        /// The description is missing.
        case missingText = "missing_text"
        /// Nobody has the name, or several have.
        case unknownPerson = "unknown_person"
        /// The date cannot be read, does not exist, or was not said.
        case badDate = "bad_date"
        /// The message does not contain the quote.
        case foreignQuote = "foreign_quote"
        /// It says the same as another one.
        case duplicate
        /// The score is invalid.
        case badScore = "bad_score"
        /// No earlier message has the number.
        case unknownSuperseded = "unknown_superseded"
        /// There are more items than the messages can contain.
        case tooMany = "too_many"
    }

    /// The item, from 1; 0 for the reply as a whole.
    package let item: Int
    /// The kind of error.
    package let reason: Reason
    /// Whether the item was left out because of it; otherwise it was corrected.
    package let isDropped: Bool
}

/// A reply as it was read.
package struct ExtractedReply: Sendable {
    /// The items, in the order of the reply.
    package let drafts: [ItemDraft]
    /// The errors in it.
    package let faults: [ItemFault]
    /// Whether it is a list of items at all, an empty one too.
    package let isList: Bool

    /// Whether another request can help: the reply is not a list, broke off, or lost items by errors that the model can
    /// correct.
    package var deservesRetry: Bool {
        !isList
            || faults.contains { fault in
                fault.reason == .truncated
                    || (fault.isDropped && ![.duplicate, .contextMessage, .tooMany].contains(fault.reason))
            }
    }
}

extension ItemFault.Reason {
    /// The text for the model, so that it can correct its reply.
    package var explanation: String {
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
