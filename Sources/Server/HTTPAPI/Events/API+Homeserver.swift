import ChatCore
import HTTPTypes
import Hummingbird
import NIOCore
import WebServer

/// The calls of a Matrix homeserver, to which this server is an application service.
package struct HomeserverCalls: Sendable {
    /// A reply: a status, and a body of JSON.
    package typealias Reply = (status: Int, body: String)

    /// Takes the events of a transaction; gets the header `Authorization` and the body.
    let take: @Sendable (_ authorization: String?, _ body: [UInt8]) async -> Reply
    /// Answers a question about a user or a room, or a ping.
    let answer: @Sendable (_ authorization: String?, _ isPing: Bool) -> Reply

    package init(
        take: @escaping @Sendable (_ authorization: String?, _ body: [UInt8]) async -> Reply,
        answer: @escaping @Sendable (_ authorization: String?, _ isPing: Bool) -> Reply
    ) {
        (self.take, self.answer) = (take, answer)
    }
}

extension API {
    /// The beginning of the paths for a homeserver, whose protocol is described elsewhere.
    static let homeserverPath = "_matrix/app/v1/"

    /// The routes for a Matrix homeserver, if one is configured; the module of connectors compares the secret.
    var homeserverRoutes: [Route] {
        guard let calls = services.homeserver else { return [] }
        let limit = settings.messagesByteLimit
        return [
            Route(
                .put, Self.homeserverPath + "transactions/:transaction", .source, id: "takeMatrixTransaction",
                "Takes events of a Matrix homeserver; its bearer token is the configured one."
            ) { incoming, _ in
                let body = Array(buffer: try await incoming.body(limit: limit))
                return Self.reply(await calls.take(incoming.request.headers[.authorization], body))
            },
            question(.post, "ping", id: "pingFromMatrix", "Tells a homeserver that it reaches Nexus.", calls),
            question(
                .get, "users/:user", id: "findMatrixUser", "Tells a homeserver that there is no such user.", calls),
            question(
                .get, "rooms/:alias", id: "findMatrixRoom", "Tells a homeserver that there is no such room.", calls),
        ]
    }

    private func question(
        _ method: HTTPRequest.Method, _ path: String, id: String, _ summary: String, _ calls: HomeserverCalls
    ) -> Route {
        Route(method, Self.homeserverPath + path, .source, id: id, summary) { incoming, _ in
            Self.reply(calls.answer(incoming.request.headers[.authorization], method == .post))
        }
    }

    private static func reply(_ given: HomeserverCalls.Reply) -> Response {
        Response(
            status: HTTPResponse.Status(code: given.status), headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: given.body)))
    }
}
