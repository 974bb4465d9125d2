import Assistant
import ChatCore
import Hummingbird
import NIOCore
import Retrieval

extension API {
    /// Questions and searches in plain JSON.
    var questionRoutes: [Route] {
        [
            Route(.post, "v1/ask") { try await ask($0) },
            Route(.post, "v1/search") { try await search($0) },
        ]
    }

    private func ask(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let asker = try incoming.asker(body: body, default: defaultUser)
        let request = try fields.question(asker: asker, streams: incoming.wantsEvents)
        guard incoming.wantsEvents else {
            return try reply(try await completeAnswer(to: request, for: incoming)).closingConnection()
        }
        return .events(events(of: request, as: TypedFrames(), for: incoming))
    }

    private func search(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let request = try fields.search(asker: try incoming.asker(body: body, default: defaultUser))
        let found = try await services.searching.search(request)
        return try reply(SearchWire.Results(found))
    }
}
