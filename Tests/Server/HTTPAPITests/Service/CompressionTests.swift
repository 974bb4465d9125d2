import Foundation
import ServerTestSupport
import TestSupport
import Testing
import Transport

@Suite(.hangGuard) struct CompressionTests {
    /// Returns a response; the transport has undone the compression of its body.
    private func get(
        _ server: RunningServer, _ path: String, _ encodings: String, method: String = "GET"
    ) async throws -> HTTPExchangeResponse {
        let headers = [(name: "X-Nexus-User", value: "ada"), (name: "Accept-Encoding", value: encodings)]
        return try await server.transport.send(server.request(method, path, nil, headers: headers))
    }

    /// How many bytes were sent as the body.
    private func length(_ response: HTTPExchangeResponse) throws -> Int {
        try #require(response.headers["Content-Length"].flatMap { Int($0) })
    }

    /// Writes so much that a page of messages is long.
    private func fill(_ server: RunningServer) async throws {
        _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
        for number in 0..<20 {
            let text = "The \(number)th message about the pier, which is longer than the others were before it came."
            let reply = try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"text":"\#(text)"}"#,
                headers: [(name: "X-Nexus-User", value: "ada")])
            #expect(reply.status == 201)
        }
    }

    @Test func aLongReplyIsCompressedForThoseWhoTakeIt() async throws {
        try await withServer { server in
            try await fill(server)
            let path = "/v1/conversations/team/messages?limit=50"
            let plain = try await get(server, path, "identity")
            #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
            for encodings in ["gzip", "deflate, GZIP;q=0.5, br"] {
                let reply = try await get(server, path, encodings)
                #expect(reply.status == 200 && reply.headers["Content-Encoding"] == "gzip")
                #expect(reply.headers["Vary"] == "Accept-Encoding")
                #expect(try length(reply) < plain.body.count / 2)
                #expect(reply.body == plain.body)
            }
            for encodings in ["gzip;q=0", "br", "identity"] {
                let reply = try await get(server, path, encodings)
                #expect(reply.headers["Content-Encoding"] == nil && reply.body == plain.body, "\(encodings)")
            }
        }
    }

    /// Somebody who sees the network cannot tell from the length what is beside a text that they wrote.
    @Test func theLengthIsNotExact() async throws {
        try await withServer { server in
            try await fill(server)
            var lengths: Set<Int> = []
            for _ in 0..<20 {
                lengths.insert(
                    try length(try await get(server, "/v1/conversations/team/messages?limit=50", "gzip")))
            }
            #expect(lengths.count > 1)
        }
    }

    @Test func aHeadSaysWhatTheReplyWouldSay() async throws {
        try await withServer { server in
            try await fill(server)
            let reply = try await get(server, "/v1/conversations/team/messages?limit=50", "gzip", method: "HEAD")
            #expect(reply.status == 200 && reply.headers["Content-Encoding"] == "gzip" && reply.body.isEmpty)
        }
    }

    @Test func aShortReplyAndAnotherTypeStayAsTheyAre() async throws {
        try await withServer { server in
            for path in ["/health", "/v1/conversations/team", "/v1/nowhere"] {
                let reply = try await get(server, path, "gzip")
                #expect(reply.headers["Content-Encoding"] == nil, "\(path)")
                #expect((try? JSONSerialization.jsonObject(with: Data(reply.body))) != nil, "\(path)")
            }
        }
    }
}
