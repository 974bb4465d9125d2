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
                takesIdempotencyKey: true, answering: { try await ask($0, $1) }),
            Route(.post, "v1/search", .user, id: "search", "Finds messages.") { try await search($0, $1) },
        ]
    }

    private func ask(_ incoming: IncomingRequest, _ caller: Caller) async throws -> RouteResult {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let asker = try incoming.asker(caller, body: body)
        let request = try fields.question(
            asker: asker, askedAt: incoming.receivedAt, streams: incoming.acceptsEvents)
        guard request.streams else {
            return try await answered(.question(request), for: incoming)
        }
        return RouteResult(
            try await answerEvents(
                of: .question(request), as: TypedFrames(links: settings.messageLinks), for: incoming))
    }

    private func search(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let request = try fields.search(
            asker: try incoming.asker(caller, body: body), askedAt: incoming.receivedAt)
        return try reply(SearchWire.Results(try await incoming.useCases.search(request), links: settings.messageLinks))
    }
}
