package import ChatCore
package import Foundation
package import TextAnalysis

/// One line of `replies.jsonl`: the replies that may be suggested to a message.
package struct ReplyCase: Hashable, Sendable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id
        case conversationID = "conversationId"
        case userID = "userId"
        case lastID = "upTo"
        case language, reason
    }

    /// Its id, unique in the file.
    package var id: String
    /// The conversation.
    package var conversationID: ConversationID
    /// The person who replies.
    package var userID: UserID
    /// The message to reply to, the last one of the conversation at that time.
    package var lastID: MessageID
    /// The language of the replies; nil when there must be none.
    package var language: TextLanguage?
    /// The service's reason for no replies; nil when there must be some.
    package var reason: String?

    package init(
        id: String, conversationID: ConversationID, userID: UserID, lastID: MessageID, language: TextLanguage? = nil,
        reason: String? = nil
    ) {
        self.id = id
        self.conversationID = conversationID
        self.userID = userID
        self.lastID = lastID
        self.language = language
        self.reason = reason
    }

    /// The conversation at that time.
    package var cut: ConversationCut {
        ConversationCut(id: ConversationID(rawValue: id), conversationID: conversationID, lastID: lastID)
    }

    /// Reads `replies.jsonl` of a dataset's folder.
    ///
    /// - Parameters:
    ///   - folder: The dataset's folder.
    ///   - dataset: The dataset that the labels belong to.
    /// - Returns: The cases in the file's order.
    /// - Throws: ``EvaluationError`` for an invalid line, a repeated id, unknown people and messages, and a case with
    ///   both a language and a reason, or with neither.
    package static func read(_ folder: URL, of dataset: EvaluationDataset) throws -> [ReplyCase] {
        try JSONLines.records(ReplyCase.self, from: folder.appending(path: "replies.jsonl"), id: \.id) { read in
            let people = dataset.conversations.first { $0.id == read.conversationID }?.participants ?? []
            guard people.contains(where: { $0.id == read.userID }) else { return "userId must be a participant" }
            guard dataset.holds([read.lastID], of: read.conversationID) else { return "upTo names no message" }
            return (read.language == nil) == (read.reason == nil) ? "either language or reason must be given" : nil
        }
    }
}
