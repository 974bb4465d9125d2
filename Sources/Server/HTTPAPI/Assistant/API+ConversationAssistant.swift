import Assistant
import ChatCore
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// The assistant inside a conversation.
    var conversationAssistantRoutes: [Route] {
        [
            Route(
                .get, Self.assistantPath + "/suggestions", .user, id: "suggestPrompts",
                "Lists prompts to offer to people."
            ) { try await suggestions($0, $1) },
            Route(
                .post, Self.assistantPath, .user, id: "askAssistant",
                "Answers a question from the messages of this conversation, at once or as a stream.",
                takesIdempotencyKey: true,
                answering: { incoming, caller in
                    try await answer(incoming, caller, body: try await incoming.json(limit: settings.bodyByteLimit)) {
                        try AssistantFields.question($0, asker: $1, in: $2)
                    }
                }),
            Route(
                .get, Self.assistantPath, .user, id: "listExchange",
                "Lists the asker's past questions to this conversation's assistant, newest first."
            ) { try await exchange($0, $1) },
            Route(
                .get, Self.assistantPath + "/changes", .user, id: "followExchange",
                "Lists changes of the asker's questions here since a cursor, and can wait for them."
            ) { try await followExchange($0, $1) },
            Route(
                .delete, Self.assistantPath, .user, id: "clearExchange",
                "Deletes the asker's questions to this conversation's assistant."
            ) { try await clear($0, $1) },
            Route(
                .post, "v1/conversations/:conversation/summary", .user, id: "summarize",
                "Summarizes this conversation, or some of its messages, at once or as a stream.",
                takesIdempotencyKey: true,
                answering: { incoming, caller in
                    let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                    return try await answer(incoming, caller, body: body) {
                        try AssistantFields.summary($0, asker: $1, in: $2)
                    }
                }),
        ]
    }

    private static let assistantPath = "v1/conversations/:conversation/assistant"

    private func exchange(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        return try reply(
            turnPage(
                try await incoming.useCases.exchange(
                    of: asker, in: try incoming.conversationID(), before: try incoming.cursor("before"), limit: limit)))
    }

    private func clear(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        try await incoming.useCases.clearExchange(of: asker, in: try incoming.conversationID())
        return Response(status: .noContent)
    }

    private func answer(
        _ incoming: IncomingRequest, _ caller: Caller, body: JSONField,
        reading read: (JSONField, UserID, ConversationID) throws -> ConversationQuestion
    ) async throws -> RouteResult {
        let body = try body.object()
        var question = try read(body, try incoming.asker(caller, body: body), try incoming.conversationID())
        question.streams = incoming.acceptsEvents
        question.askedAt = incoming.receivedAt
        let request = AnswerRequest.inConversation(question)
        guard question.streams else { return try await answered(request, for: incoming) }
        return RouteResult(
            try await answerEvents(of: request, as: TypedFrames(links: settings.messageLinks), for: incoming))
    }

    private func suggestions(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        _ = try await incoming.useCases.roster(
            of: try incoming.conversationID(), only: [], asker: try incoming.asker(caller))
        return try reply(
            PromptSuggestionList(
                suggestions: incoming.useCases.suggestions.map {
                    PromptSuggestion(id: $0.id.rawValue, title: $0.title, text: $0.text)
                }))
    }
}

extension API {
    /// Suggested replies for a conversation.
    var smartReplyRoutes: [Route] {
        [
            Route(
                .post, "v1/conversations/:conversation/smart-replies", .user, id: "suggestReplies",
                "Suggests replies to the last message."
            ) { try await suggestReplies($0, $1) }
        ]
    }

    /// Counts as a question, and has the time limit of an answer.
    private func suggestReplies(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let conversation = try incoming.conversationID()
        let timeZone = try AskFields.timeZone(body)
        do {
            let suggested = try await incoming.whileClientListens {
                try await withTimeLimit(settings.answerTimeout) {
                    try await incoming.useCases.replies(of: asker, in: conversation, timeZone: timeZone)
                }
            }
            return try reply(SmartReplies(replies: suggested.replies, reason: suggested.reason?.rawValue))
        } catch is TimeLimitExceeded {
            throw Failure.timedOut
        }
    }
}
