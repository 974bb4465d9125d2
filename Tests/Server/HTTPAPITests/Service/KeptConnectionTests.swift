import Assistant
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing

/// Answers leave the connection open for the next request.
struct KeptConnectionTests {
    private static func request(_ path: String, _ body: String, _ fields: [String] = []) -> String {
        let head = [
            "POST \(path) HTTP/1.1", "Host: localhost", "Content-Type: application/json",
            "Content-Length: \(body.utf8.count)",
        ]
        return (head + fields).joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private static let ask = #"{"question":"When?"}"#
    private static let chat = #"{"model":"nexus","messages":[{"role":"user","content":"When?"}]"#

    @Test(
        .hangGuard,
        arguments: [
            ("/v1/ask", ask, []), ("/v1/ask", ask, ["Accept: text/event-stream"]),
            ("/ragQuery", #"{"data":\#(ask)}"#, []),
            ("/v1/chat/completions", chat + "}", []), ("/v1/chat/completions", chat + #","stream":true}"#, []),
            ("/mcp", #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#, []),
            ("/v1/embeddings", #"{"model":"fake","input":"one"}"#, []), ("/v1/ask", "{}", []),
        ]) func twoRequestsAreAnsweredOnOneConnection(path: String, body: String, fields: [String]) async throws
    {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let text = try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(Self.request(path, body, fields))
            connection.send(Self.request(path, body, fields + ["Connection: close"]))
            return await connection.readToEnd()
        }

        let heads = text.components(separatedBy: "HTTP/1.1 ").dropFirst()
        #expect(heads.count == 2, "\(text)")
        #expect(heads.first?.lowercased().contains("connection: close") == false, "\(text)")
        #expect(heads.last?.lowercased().contains("connection: close") == true, "\(text)")
    }

    /// The connection has answered a request before; the test would hang if its end was not noticed.
    @Test(.hangGuard, arguments: [[], ["Accept: text/event-stream"]])
    func aClientThatGoesAwayIsNoticedOnAKeptConnection(fields: [String]) async throws {
        var parts = ServerParts()
        let answering = StubAnswering([.retrieved([])], ending: .hang)
        parts.answering = answering

        try await withServer(parts) { server in
            do {
                let connection = try RawConnection(port: server.port)
                connection.send(Self.request("/v1/ask", "{}"))
                connection.send(Self.request("/v1/ask", Self.ask, fields))
                while answering.requests.isEmpty { await shortPause() }
                withExtendedLifetime(connection) {}
            }
            var cutOff = answering.cutOff.makeAsyncIterator()
            #expect(await cutOff.next() != nil)
        }
    }
}
