import Assistant
import ChatCore

/// Reads what is asked of the assistant inside a conversation.
enum AssistantFields {
    /// Reads a question.
    static func question(_ body: JSONField, asker: UserID, in id: ConversationID) throws -> ConversationQuestion {
        ConversationQuestion(
            text: try AskFields.text(body["text"]), conversationID: id, asker: asker,
            timeZone: try AskFields.timeZone(body), language: try language(body))
    }

    private static func language(_ body: JSONField) throws(FieldError) -> String? {
        guard let tag = try body["language"].optionalString() else { return nil }
        guard ConversationQuestion.isLanguage(tag) else {
            throw body["language"].error("must be the tag of a language, as de or pt-BR")
        }
        return tag
    }

    /// Reads which messages are to be summarized: `since`, `after`, `unread`, `threadId`, `senderId`.
    static func summary(_ body: JSONField, asker: UserID, in id: ConversationID) throws -> ConversationQuestion {
        var filter = ConversationFilter()
        filter.since = try body["since"].optionalTimestamp()
        filter.after = try body["after"].optionalIdentifier()
        filter.isUnread = try body["unread"].optionalFlag() ?? false
        filter.threadRootID = try body["threadId"].optionalIdentifier()
        filter.senderID = try body["senderId"].optionalIdentifier()
        if filter.isUnread, filter.since == nil, filter.after == nil {
            throw body["unread"].error("needs since, or after: the last message that was read")
        }
        return ConversationQuestion(
            text: nil, conversationID: id, asker: asker, filter: filter, timeZone: try AskFields.timeZone(body),
            language: try language(body))
    }
}
