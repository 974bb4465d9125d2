import Assistant
import ChatCore
import Hummingbird
import UseCases

extension API {
    /// Help with the conversation that a person has open.
    var smartReplyRoutes: [Route] {
        [
            Route(
                .post, "v1/conversations/:conversation/smart-replies", .user, id: "suggestReplies",
                "Suggests replies to the last message.", watchesClient: true
            ) { try await suggestReplies($0, $1) }
        ]
    }

    /// Takes a place among the questions, and as long as an answer may.
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
            return try reply(suggested)
        } catch is TimeLimitExceeded {
            throw Failure.timedOut
        }
    }
}
