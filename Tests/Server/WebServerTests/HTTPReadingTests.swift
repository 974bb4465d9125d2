import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import WebServer

/// Requests that two programs could read differently, byte by byte; each test would hang, were the connection not closed.
@Suite(.hangGuard) struct HTTPReadingTests {
    private func answer(_ request: String) async throws -> String {
        var parts = ServerParts()
        // A request that is waited for is waited for longer than a test may take.
        parts.settings.connections = ConnectionSettings(
            idleTimeout: .seconds(3_600), headTimeout: .seconds(3_600), bodyTimeout: .seconds(3_600),
            readTimeout: .seconds(900))
        return try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(request)
            return await connection.readToEnd()
        }
    }

    private static let search = "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"

    @Test(arguments: [
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
    ])
    func aBodyOfAnotherTransferCodingIsRefused(fields: String) async throws {
        let text = try await answer(Self.search + fields + "\r\n\r\n5\r\nhello\r\n0\r\n\r\n")

        #expect(text.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.contains(#""code":"transfer_coding_unknown""#))
    }

    @Test(arguments: ["9223372036854775808", "18446744073709551615"])
    func aBodyWithoutEndIsRefusedAtOnce(length: String) async throws {
        let text = try await answer(Self.search + "Content-Length: \(length)\r\n\r\n")

        #expect(text.hasPrefix("HTTP/1.1 413 "))
        #expect(text.contains(#""code":"body_too_large""#))
    }

    @Test(arguments: [
        "Content-Length: 99999999999999999999999", "Content-Length: -1", "Content-Length: 1, 1", "Content-Length: five",
        "Content-Length: +2", "Content-Length: 0x10", "Transfer-Encoding: chunked, chunked",
    ])
    func aLengthThatCannotBeReadIsRefusedAtOnce(fields: String) async throws {
        let text = try await answer(Self.search + fields + "\r\n\r\n{}")

        #expect(text.hasPrefix("HTTP/1.1 400 "))
    }

    @Test(arguments: [
        "GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n",
        "GET /health HTTP/1.0\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Close\r\n\r\n",
        "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: TE, close\r\n\r\n",
    ])
    func theConnectionIsClosedWhereTheRequestAsksForIt(request: String) async throws {
        let text = try await answer(request)

        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
    }

    @Test func whatFollowsOnTheSameConnectionIsAnsweredInOrder() async throws {
        let text = try await answer(
            "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + Self.search + "Transfer-Encoding: gzip, chunked\r\n\r\n"
        )

        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("HTTP/1.1 501 Not Implemented\r\n"))
    }

    @Test(arguments: ["X-Nexus-User", "Idempotency-Key"]) func aFieldThatStandsTwiceIsRefused(name: String) async throws
    {
        let body = #"{"question":"a"}"#
        let text = try await answer(
            "POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n\(name): ada\r\n"
                + "\(name): ben\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")

        #expect(text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(text.contains(#""code":"field_repeated""#))
    }

    @Test(arguments: ["UTC\\u0000", "../Europe/Berlin", "Europe/Berlin ", ""])
    func aZoneThatIsNoNameIsRefused(zone: String) async throws {
        let replies = try await withServer { server in
            (
                try await server.send("POST", "/v1/search", #"{"query":"a","timeZone":"\#(zone)"}"#),
                try await server.send(
                    "POST", "/v1/conversations", #"{"members":[{"userId":"ada"}],"timeZone":"\#(zone)"}"#)
            )
        }

        #expect(statuses(replies.0, replies.1) == [400, 400])
        #expect(replies.0.field("detail") == "timeZone must be the IANA name of a zone, as Europe/Berlin")
    }
}
