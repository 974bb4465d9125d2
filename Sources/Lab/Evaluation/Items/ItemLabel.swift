package import ChatCore
package import Foundation

/// One line of `items.jsonl`: an item that a person found in the messages of a dataset.
package struct ItemLabel: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind
        case conversationID = "conversationId"
        case messageIDs = "messageIds"
        case text
        case personID = "personId"
        case due, until, supersededBy
    }

    /// Its id, unique in the file.
    package var id: String
    /// The kind of item.
    package var kind: ExtractedItem.Kind
    /// The conversation.
    package var conversationID: ConversationID
    /// The messages that it may be based on; any of them is right.
    package var messageIDs: [MessageID]
    /// The task or the decision.
    package var text: String
    /// The responsible person; nil for none.
    package var personID: UserID?
    /// The day on which it is due, in the conversation's zone, as `2026-10-23`; nil for none.
    package var due: String?
    /// The last of several days, each of which is right from ``due`` on; nil for one day.
    package var until: String?
    /// The message of the decision that replaced it; nil for a valid one.
    package var supersededBy: MessageID?

    package init(
        id: String, kind: ExtractedItem.Kind, conversationID: ConversationID, messageIDs: [MessageID], text: String,
        personID: UserID? = nil, due: String? = nil, until: String? = nil, supersededBy: MessageID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.conversationID = conversationID
        self.messageIDs = messageIDs
        self.text = text
        self.personID = personID
        self.due = due
        self.until = until
        self.supersededBy = supersededBy
    }

    /// Reads `items.jsonl` of a dataset's folder.
    ///
    /// A conversation with a label of a kind has labels for all items of this kind.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder.
    ///   - dataset: The dataset that the labels belong to.
    /// - Returns: The labels in the file's order.
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, and unknown messages.
    package static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [ItemLabel] {
        try JSONLines.records(ItemLabel.self, from: folder.appending(path: "items.jsonl"), id: \.id) { label in
            let ids = label.messageIDs + (label.supersededBy.map { [$0] } ?? [])
            return dataset.holds(ids, of: label.conversationID) && !label.messageIDs.isEmpty
                ? nil : "messageIds must name messages of the conversation"
        }
    }
}
