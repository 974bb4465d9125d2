package import Assistant
package import ChatCore

/// A question to the assistant, across conversations or inside one.
package enum AnswerRequest: Sendable {
    /// A question across conversations.
    case question(AskRequest)
    /// A question to the assistant inside a conversation, or a summary of it.
    case inConversation(ConversationQuestion)
    /// A prompt of a client itself, as for the title of a chat.
    case task(ClientTask)

    /// The user who asks.
    package var asker: UserID {
        switch self {
        case .question(let request): request.scope.asker
        case .inConversation(let question): question.asker
        case .task(let task): task.asker
        }
    }

    /// The conversation that is read as a whole; nil for a question across conversations.
    package var conversationID: ConversationID? {
        switch self {
        case .question, .task: nil
        case .inConversation(let question): question.conversationID
        }
    }

    /// The turn that is kept in its thread; nil for a question without a thread.
    package func turn(of answer: Answer, at moment: Timestamp) -> Turn? {
        guard case .question(let request) = self, let thread = request.threadID else { return nil }
        return Turn(
            id: answer.turnID, askerID: asker, question: request.question, answer: answer.text,
            sourceKeys: answer.promptMessageKeys, askedAt: moment, threadID: thread)
    }
}

/// Questions, and other help of a language model.
extension UseCases {
    /// Answers a question once its asker has a place among the concurrent questions.
    ///
    /// - Parameters:
    ///   - request: The question.
    ///   - deliver: Called with each event as it comes; the last one holds the answer.
    /// - Throws: ``LimitError``, ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    package func answer(_ request: AnswerRequest, deliver: (AnswerEvent) -> Void) async throws {
        try await questions.withPlace(for: request.asker.rawValue) {
            switch request {
            case .question(let request): try await answering.answer(request, deliver: deliver)
            case .inConversation(let question): try await conversationAssistant.answer(question, deliver: deliver)
            case .task(let task): try await answering.perform(task, deliver: deliver)
            }
        }
    }

    /// The suggested prompts.
    package var suggestions: [Suggestion] { conversationAssistant.suggestions }

    /// Suggests replies of a user to the last message of a conversation.
    ///
    /// - Throws: ``LimitError``, ``RepositoryError``, ``ModelServiceError``, ``DailyTokensUsedUp``.
    package func replies(
        of asker: UserID, in conversation: ConversationID, timeZone: String?
    ) async throws -> SmartReplies {
        try await questions.withPlace(for: asker.rawValue) {
            try await smartReplies.replies(for: asker, in: conversation, timeZone: timeZone)
        }
    }
}
