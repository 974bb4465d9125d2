import Assistant
import ChatCore
import Hummingbird
import NIOCore
import Retrieval
import UseCases

extension API {
    /// Questions and searches in plain JSON.
    var questionRoutes: [Route] {
        [
            Route(
                .post, "v1/ask", .user, id: "ask", "Answers a question, at once or as a stream.", watchesClient: true,
                takesIdempotencyKey: true
            ) { try await ask($0, $1) },
            Route(.post, "v1/search", .user, id: "search", "Finds messages.") { try await search($0, $1) },
        ]
    }

    private func ask(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let asker = try incoming.asker(caller, body: body)
        let request = try fields.question(asker: asker, streams: incoming.acceptsEvents)
        guard request.streams else {
            let moment = services.now()
            return try reply(
                AnswerWire(
                    try await completeAnswer(to: .question(request), for: incoming), askedAt: moment,
                    links: settings.messageLinks))
        }
        return try await answerEvents(
            of: .question(request), as: TypedFrames(links: settings.messageLinks), for: incoming)
    }

    private func search(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let request = try fields.search(asker: try incoming.asker(caller, body: body))
        return try reply(SearchWire.Results(try await useCases.search(request), links: settings.messageLinks))
    }
}
