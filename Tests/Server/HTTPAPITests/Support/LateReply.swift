import HTTPAPI
import ServerTestSupport

/// Sends a request whose answer does not end, and returns what is replied when the time for it is over.
///
/// The time is 0.5 s at first. It is doubled until `isBegun`, because a busy machine may not begin an answer in time.
func lateReply(
    _ parts: ServerParts, isBegun: (Reply) -> Bool, send: @Sendable (RunningServer) async throws -> Reply
) async throws -> Reply {
    var parts = parts
    parts.settings.answerTimeout = .milliseconds(500)
    while true {
        let reply = try await withServer(parts, body: send)
        if isBegun(reply) || parts.settings.answerTimeout > .seconds(300) { return reply }
        parts.settings.answerTimeout *= 2
    }
}
