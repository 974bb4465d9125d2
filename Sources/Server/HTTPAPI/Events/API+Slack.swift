import ChatCore
import HTTPTypes
import Hummingbird
import NIOCore
import WebServer

/// Takes a request of Slack's Events API, and returns a status and a body of JSON.
package typealias SlackEvents = @Sendable (SlackEventRequest) async -> (status: Int, body: String)

/// A request of Slack's Events API; the module of connectors checks its signature.
package struct SlackEventRequest: Sendable {
    /// The header `X-Slack-Signature`.
    package let signature: String?
    /// The header `X-Slack-Request-Timestamp`.
    package let timestamp: String?
    /// The header `X-Slack-Retry-Num`; nil for the first time.
    package let retry: Int?
    /// The body as it came.
    package let body: [UInt8]
}

extension API {
    /// The path for Slack, whose protocol is described elsewhere.
    static let slackPath = "v1/events/slack"

    /// Slack gives a text twice, an edited one with the former text, and six bytes for a letter outside ASCII.
    private static let slackByteLimit = 2 * 1_024 * 1_024
    private static let signatureHeader = HTTPField.Name("X-Slack-Signature")
    private static let timestampHeader = HTTPField.Name("X-Slack-Request-Timestamp")
    private static let retryHeader = HTTPField.Name("X-Slack-Retry-Num")

    /// The route for events of Slack, if they come over HTTP.
    var slackRoutes: [Route] {
        guard let take = services.slackEvents else { return [] }
        return [
            Route(
                .post, Self.slackPath, .source, id: "takeSlackEvent",
                "Takes an event of Slack; its signature is made with the configured secret."
            ) { incoming, _ in
                func header(_ name: HTTPField.Name?) -> String? { name.flatMap { incoming.request.headers[$0] } }
                let body = Array(buffer: try await incoming.body(limit: Self.slackByteLimit))
                let reply = await take(
                    SlackEventRequest(
                        signature: header(Self.signatureHeader), timestamp: header(Self.timestampHeader),
                        retry: header(Self.retryHeader).flatMap { Int($0) }, body: body))
                return Response(
                    status: HTTPResponse.Status(code: reply.status), headers: [.contentType: "application/json"],
                    body: ResponseBody(byteBuffer: ByteBuffer(string: reply.body)))
            }
        ]
    }
}
