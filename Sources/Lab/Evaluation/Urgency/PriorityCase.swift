package import ChatCore
package import Foundation

/// One line of `priorities.jsonl`: unread messages, with those that a person finds urgent.
package struct PriorityCase: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case readerID = "readerId"
        case readID = "after"
        case lastID = "upTo"
        case high, low
    }

    /// Its id, unique in the file.
    package var id: String
    /// The conversation.
    package var conversationID: ConversationID
    /// The reader.
    package var readerID: UserID
    /// The last message that was read.
    package var readID: MessageID
    /// The last message of the conversation at that time.
    package var lastID: MessageID
    /// Messages that the reader should see soon.
    package var high: [MessageID]
    /// Messages that can wait; unread ones that are not named are neither.
    package var low: [MessageID]

    package init(
        id: String, conversationID: ConversationID, readerID: UserID, readID: MessageID, lastID: MessageID,
        high: [MessageID], low: [MessageID]
    ) {
        self.id = id
        self.conversationID = conversationID
        self.readerID = readerID
        self.readID = readID
        self.lastID = lastID
        self.high = high
        self.low = low
    }

    /// The conversation at that time.
    package var cut: ConversationCut {
        ConversationCut(id: ConversationID(rawValue: id), conversationID: conversationID, lastID: lastID)
    }

    /// Reads `priorities.jsonl` of a dataset's folder.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder.
    ///   - dataset: The dataset that the labels belong to.
    /// - Returns: The cases in the file's order.
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, and messages that are unknown or not unread.
    package static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [PriorityCase] {
        try JSONLines.records(PriorityCase.self, from: folder.appending(path: "priorities.jsonl"), id: \.id) {
            $0.fault(in: dataset)
        }
    }

    private func fault(in dataset: EvaluationDataset) -> String? {
        let people = dataset.conversations.first { $0.id == conversationID }?.participants ?? []
        guard people.contains(where: { $0.id == readerID }) else { return "readerId must be a participant" }
        let messages = dataset.messages(of: conversationID)
        guard let first = messages.firstIndex(where: { $0.id == readID }),
            let last = messages.firstIndex(where: { $0.id == lastID }), first < last
        else { return "after and upTo must name two messages, the earlier one first" }
        let unread = Set(messages[(first + 1)...last].filter { $0.senderID != readerID }.map(\.id))
        guard !high.isEmpty, !low.isEmpty, unread.isSuperset(of: high + low), Set(high).isDisjoint(with: low) else {
            return "high and low must name different unread messages"
        }
        return nil
    }
}
