import Assistant
import Foundation
import HTTPAPI
import Testing

/// Clients that hold connections without getting on: each test would hang, were the connection not closed.
struct PeerDeadlineTests {
    private static func parts(_ change: (inout HTTPAPISettings) -> Void) -> ServerParts {
        var parts = ServerParts()
        change(&parts.settings)
        return parts
    }

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
    func aHeadThatDoesNotEndIsNotWaitedFor(begin: String) async throws {
        let text = try await withServer(Self.parts { $0.headTimeout = .milliseconds(50) }) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(begin)
            return await connection.readToEnd()
        }

        #expect(text == "")
    }

    @Test func aBodyThatDoesNotEndIsNotWaitedFor() async throws {
        let text = try await withServer(Self.parts { $0.bodyTimeout = .milliseconds(50) }) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
            )
            return await connection.readToEnd()
        }

        #expect(text == "")
    }

    @Test func aClientThatDoesNotReadIsCutOff() async throws {
        var parts = Self.parts { $0.readTimeout = .milliseconds(50) }
        // Far more than what the sockets hold.
        let events = (0..<4).map { _ in AnswerEvent.delta(String(repeating: "a", count: 8 << 20)) }
        parts.answering = StubAnswering(events, ending: .hang)
        let answering = parts.answering
        try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port, receiveByteCount: 4_096)
            let body = #"{"data":{"question":"why?"}}"#
            connection.send(
                "POST /ragQuery HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            var cutOff = answering.cutOff.makeAsyncIterator()
            #expect(await cutOff.next() != nil)
            withExtendedLifetime(connection) {}
        }
    }

    @Test func headsAreBounded() async throws {
        let text = try await withServer { server in
            let connection = try RawConnection(port: server.port)
            connection.send(
                "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Large: \(String(repeating: "a", count: 40_000))\r\n\r\n")
            return await connection.readToEnd()
        }

        #expect(text.hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.hasSuffix(#""status":431,"title":"Request Header Fields Too Large","type":"about:blank"}"#))
    }
}
