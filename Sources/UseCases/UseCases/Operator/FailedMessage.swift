package import ChatCore

/// A message that was given up for one generation, for commands.
package struct FailedMessage: Codable, Sendable, Equatable {
    package var conversationId: String
    package var messageId: String
    package var generation: Int64
    package var attempts: Int
    package var code: String
    package var reason: String
    /// When it was given up, in ISO 8601.
    package var failedAt: String

    package init(_ item: FailedItem) {
        conversationId = item.messageKey.conversationID.rawValue
        messageId = item.messageKey.messageID.rawValue
        generation = item.generation.rawValue
        attempts = item.attempts
        code = item.errorCode
        reason = item.errorReason
        failedAt = item.failedAt.iso8601
    }

    /// Its name on the command line: conversation and message.
    package var name: String { "\(conversationId)/\(messageId)" }

    package var key: MessageKey {
        MessageKey(
            conversationID: ConversationID(rawValue: conversationId), messageID: MessageID(rawValue: messageId))
    }
}
