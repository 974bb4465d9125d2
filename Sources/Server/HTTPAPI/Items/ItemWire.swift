package import Assistant
package import ChatCore
import Foundation
import TextAnalysis
import UseCases

/// The JSON form of an item; field names depend on its kind, and unknown values are null.
package struct ItemWire: Encodable, Sendable {
    /// The field names of a kind.
    struct Names {
        let text: String
        let person: String
        let due: String?
        let hasPriority: Bool
        let hasStatus: Bool

        init(_ kind: ExtractedItem.Kind) {
            switch kind {
            case .actionItem:
                (text, person, due, hasPriority, hasStatus) = ("task", "assignee", "deadline", true, true)
            case .decision: (text, person, due, hasPriority, hasStatus) = ("decision", "decidedBy", nil, false, false)
            case .deadline: (text, person, due, hasPriority, hasStatus) = ("what", "whose", "when", false, true)
            }
        }

        /// The name of the field with the person's id.
        var personID: String { person + "Id" }

        /// The fields that a change may have.
        var changeable: [String] {
            var names = ["text", text, "person", person, "personId", personID]
            if let due { names += ["due", due, "allDay", "timeZone"] }
            if hasStatus { names.append("status") }
            return names + ["userId"]
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) {
            stringValue = name
        }

        init?(stringValue: String) {
            self.init(stringValue)
        }

        init?(intValue: Int) {
            nil
        }
    }

    private let item: ExtractedItem

    package init(_ item: ExtractedItem) {
        self.item = item
    }

    /// Writes the fields of the item's kind.
    package func encode(to encoder: any Encoder) throws {
        let names = Names(item.kind)
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(item.id, forKey: Key("id"))
        try fields.encode(item.key.conversationID, forKey: Key("conversationId"))
        try fields.encode(item.key.messageID, forKey: Key("messageId"))
        // The same under one name for all kinds, and under the names of the kind.
        for name in ["text", names.text] { try fields.encode(item.text, forKey: Key(name)) }
        for name in ["person", names.person] { try fields.encode(item.personName, forKey: Key(name)) }
        for name in ["personId", names.personID] { try fields.encode(item.personID, forKey: Key(name)) }
        if let due = names.due {
            for name in ["due", due] { try fields.encode(item.due.map { WireTime($0) }, forKey: Key(name)) }
            try fields.encode(item.due?.isEndOfDay ?? false, forKey: Key("allDay"))
        }
        try fields.encode(WireTime(item.sentAt), forKey: Key("sentAt"))
        if names.hasPriority { try fields.encode(item.priority, forKey: Key("priority")) }
        if names.hasStatus { try fields.encode(item.status, forKey: Key("status")) }
        if item.kind == .decision {
            try fields.encode(WireTime(item.sentAt), forKey: Key("decidedAt"))
        }
        try fields.encode(item.supersededByID, forKey: Key("supersededBy"))
        try fields.encode(item.quote, forKey: Key("quote"))
        try fields.encode(WireTime(item.extractedAt), forKey: Key("extractedAt"))
    }
}

/// A page of items; `next` is the `after` of the next page, and missing on the last page.
struct ItemPage: Encodable {
    let items: [ItemWire]
    let next: ItemID?

    init(_ page: ListPage<ExtractedItem>) {
        items = page.elements.map { ItemWire($0) }
        next = page.hasMore ? page.elements.last?.id : nil
    }
}

/// The items of a conversation after an extraction, with its counts.
struct ExtractionWire: Encodable {
    let items: [ItemWire]
    /// The number of new or changed messages that were read.
    let messageCount: Int
    let addedCount: Int
    let changedCount: Int
    let removedCount: Int
    /// False if the conversation is too long for one extraction; the next one continues.
    let isComplete: Bool
    /// The numbers of errors in the model's replies, by kind.
    let faults: [String: Int]
}

/// An unread message and how urgent it is.
package struct PriorityWire: Codable, Sendable {
    /// The message's id.
    package let messageId: MessageID
    /// The writer's id.
    package let senderId: UserID
    /// The writer's name.
    package let senderName: String
    /// The time of writing.
    package let timestamp: WireTime
    /// The text.
    package let text: String
    /// From 0, not urgent, to 1, most urgent; nil if it is unknown.
    package let score: Double?
    /// The reason for the score.
    package let reason: String?
}

/// Unread messages, the most urgent first.
struct PriorityList: Encodable {
    let messages: [PriorityWire]
}

extension PriorityWire {
    package init(_ priority: MessagePriority) {
        let message = priority.message
        self.init(
            messageId: message.key.messageID, senderId: message.senderID, senderName: message.senderName,
            timestamp: WireTime(message.timestamp), text: message.shownText, score: priority.score,
            reason: priority.reason)
    }
}
