import ChatCore

/// A message that was given up for one generation, for commands.
struct FailedMessage: Codable, Sendable, Equatable {
    var conversationId: String
    var messageId: String
    var generation: Int64
    var attempts: Int
    var code: String
    var reason: String
    /// When it was given up, in ISO 8601.
    var failedAt: String

    init(_ item: FailedItem) {
        conversationId = item.messageKey.conversationID.rawValue
        messageId = item.messageKey.messageID.rawValue
        generation = item.generation.rawValue
        attempts = item.attempts
        code = item.errorCode
        reason = item.errorReason
        failedAt = item.failedAt.iso8601
    }

    /// Its name on the command line: conversation and message.
    var name: String { "\(conversationId)/\(messageId)" }

    var key: MessageKey {
        MessageKey(
            conversationID: ConversationID(rawValue: conversationId), messageID: MessageID(rawValue: messageId))
    }
}
