package import ChatCore
package import Foundation

/// One line of `facts.jsonl`: a fact that a summary of a conversation should tell.
package struct FactLabel: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case messageIDs = "messageIds"
        case fact, says
    }

    /// Its id, unique in the file.
    package var id: String
    /// The conversation.
    package var conversationID: ConversationID
    /// The messages that it is based on; the first one decides to which third of the conversation it belongs.
    package var messageIDs: [MessageID]
    /// The fact in words; only people read it.
    package var fact: String
    /// The words of a text that tells the fact: one alternative of each group, see ``SaidText``.
    package var says: [[String]]

    package init(
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
    ///   - dataset: The dataset that the labels belong to.
    /// - Returns: The labels in the file's order.
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, unknown messages, and a group without
    ///   alternatives or with one that has neither letters nor digits.
    package static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [FactLabel] {
        try JSONLines.records(FactLabel.self, from: folder.appending(path: "facts.jsonl"), id: \.id) { label in
            guard !label.messageIDs.isEmpty, dataset.holds(label.messageIDs, of: label.conversationID) else {
                return "messageIds must name messages of the conversation"
            }
            let isSaid = label.says.allSatisfy { group in
                !group.isEmpty && group.allSatisfy { $0.contains { $0.isLetter || $0.isNumber } }
            }
            return isSaid && !label.says.isEmpty ? nil : "says must hold groups of words"
        }
    }
}
