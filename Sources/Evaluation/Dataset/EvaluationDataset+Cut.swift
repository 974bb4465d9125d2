public import ChatCore

/// A conversation as it was when a message was its last one, under an id of its own.
public struct ConversationCut: Hashable, Sendable {
    /// The id that it gets.
    public var id: ConversationID
    /// The conversation.
    public var conversationID: ConversationID
    /// The last message that stays.
    public var lastID: MessageID

    public init(id: ConversationID, conversationID: ConversationID, lastID: MessageID) {
        self.id = id
        self.conversationID = conversationID
        self.lastID = lastID
    }
}

extension EvaluationDataset {
    /// Returns a dataset of conversations as they once were; a cut of an unknown conversation or message is left out.
    public func cut(_ cuts: [ConversationCut]) -> EvaluationDataset {
        var conversations: [EvaluationConversation] = []
        var messages: [EvaluationMessage] = []
        for cut in cuts {
            let all = self.messages(of: cut.conversationID)
            guard var conversation = self.conversations.first(where: { $0.id == cut.conversationID }),
                let last = all.firstIndex(where: { $0.id == cut.lastID })
            else { continue }
            conversation.id = cut.id
            conversations.append(conversation)
            messages += all[...last].map { message in
                var message = message
                message.conversationID = cut.id
                return message
            }
        }
        return EvaluationDataset(name: name, conversations: conversations, messages: messages, questions: [])
    }
}
