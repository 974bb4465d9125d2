public import ChatCore
public import Foundation

/// One line of `items.jsonl`: what a person found in the messages of a dataset.
public struct ItemLabel: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind
        case conversationID = "conversationId"
        case messageIDs = "messageIds"
        case text
        case personID = "personId"
        case due, until, supersededBy
    }

    /// Its id, unique in the file.
    public var id: String
    /// What it is.
    public var kind: ExtractedItem.Kind
    /// Where.
    public var conversationID: ConversationID
    /// The messages that it may stand on: any of them is right.
    public var messageIDs: [MessageID]
    /// What is to be done, or was decided.
    public var text: String
    /// Who; nil for nobody in particular.
    public var personID: UserID?
    /// The day by which, in the conversation's zone, as `2026-10-23`; nil for none.
    public var due: String?
    /// The last day of something that takes several: each from ``due`` on is right; nil for one day.
    public var until: String?
    /// The message of the decision that took its place; nil for a valid one.
    public var supersededBy: MessageID?

    public init(
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
    /// Of a kind, only the conversations that it names are labelled; of those every item is.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder.
    ///   - dataset: What the labels are of.
    /// - Returns: The labels in the file's order.
    /// - Throws: ``EvaluationError`` for a line that is none, an id that stands twice, and unknown messages.
    public static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [ItemLabel] {
        try JSONLines.records(ItemLabel.self, from: folder.appending(path: "items.jsonl"), id: \.id) { label in
            let ids = label.messageIDs + (label.supersededBy.map { [$0] } ?? [])
            return dataset.holds(ids, of: label.conversationID) && !label.messageIDs.isEmpty
                ? nil : "messageIds names no message"
        }
    }
}
