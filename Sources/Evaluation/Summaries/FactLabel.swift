public import ChatCore
public import Foundation

/// One line of `facts.jsonl`: what a summary of a conversation should say.
public struct FactLabel: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case messageIDs = "messageIds"
        case fact, says
    }

    /// Its id, unique in the file.
    public var id: String
    /// Where.
    public var conversationID: ConversationID
    /// The messages that it stands on; the first one tells which part of the conversation it is from.
    public var messageIDs: [MessageID]
    /// The fact in words; only people read it.
    public var fact: String
    /// What a text holds that tells the fact: one alternative of each group, see ``SaidText``.
    public var says: [[String]]

    public init(
        id: String, conversationID: ConversationID, messageIDs: [MessageID], fact: String, says: [[String]]
    ) {
        self.id = id
        self.conversationID = conversationID
        self.messageIDs = messageIDs
        self.fact = fact
        self.says = says
    }

    /// Reads `facts.jsonl` of a dataset's folder.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder.
    ///   - dataset: What the labels are of.
    /// - Returns: The labels in the file's order.
    /// - Throws: ``EvaluationError`` for a line that is none, an id that stands twice, unknown messages, and a group
    ///   without an alternative or with one that has no letter and no digit.
    public static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [FactLabel] {
        try JSONLines.records(FactLabel.self, from: folder.appending(path: "facts.jsonl"), id: \.id) { label in
            guard !label.messageIDs.isEmpty, dataset.holds(label.messageIDs, of: label.conversationID) else {
                return "messageIds names no message"
            }
            let isSaid = label.says.allSatisfy { group in
                !group.isEmpty && group.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
            }
            return isSaid && !label.says.isEmpty ? nil : "says wants groups of words"
        }
    }
}
