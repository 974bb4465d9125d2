import Assistant
import Foundation
import HTTPAPI
import ServerTestSupport
import Testing
import WebServer

/// Clients that hold connections without getting on: each test would hang, were the connection not closed.
struct PeerDeadlineTests {
    private static func parts(_ change: (inout HTTPAPISettings) -> Void) -> ServerParts {
        var parts = ServerParts()
        change(&parts.settings)
        return parts
    }

    @Test(arguments: ["", "GET /health HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
    func aHeadThatDoesNotEndIsNotWaitedFor(begin: String) async throws {
        let text = try await withServer(Self.parts { $0.connections.headTimeout = .milliseconds(50) }) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(begin)
            return await connection.readToEnd()
        }

        #expect(text == "")
    }

    @Test func aBodyThatDoesNotEndIsNotWaitedFor() async throws {
        let text = try await withServer(Self.parts { $0.connections.bodyTimeout = .milliseconds(50) }) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{"
            )
            return await connection.readToEnd()
        }

        #expect(text == "")
    }

    @Test func anUploadNeedsALeastSpeed() async throws {
        let text = try await withServer(Self.parts { $0.connections.bodyTimeout = .milliseconds(200) }) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST /v1/files?name=a.txt HTTP/1.1\r\nHost: localhost\r\nX-Nexus-User: ada\r\nContent-Length: 99999\r\n\r\n"
            )
            // One byte in the time of a request: always some, and never enough.
            let drip = Task {
                while !Task.isCancelled, try await server.send("GET", "/health").status == 200 {
                    connection.send("a")
                }
            }
            defer { drip.cancel() }
            return await connection.readToEnd()
        }

        #expect(text == "")
    }

    @Test func anAnswerBeforeTheEndOfABodyEndsTheConnection() async throws {
        var parts = Self.parts { $0.connections.bodyTimeout = .seconds(900) }
        parts.settings.authentication = AuthenticationSettings()
        let text = try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port)
            connection.send(
                "POST /v1/conversations/c/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 8000000\r\n\r\n["
            )
            return await connection.readToEnd()
        }

        #expect(text.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n") && text.contains("token_required"))
    }

    @Test func silentConnectionsLeaveRoomForOthers() async throws {
        let status = try await withServer(
            Self.parts {
                $0.connections.limit = 32
                $0.connections.headTimeout = .seconds(900)
            }
        ) { server in
            var silent: [RawConnection] = []
            for number in 0..<200 {
                silent.append(try RawConnection(port: server.port))
                if number.isMultiple(of: 2) { silent.last?.send("GET /health HTTP/1.1\r\nHost: loc") }
            }
            let reply = try await server.send("GET", "/health")
            withExtendedLifetime(silent) {}
            return reply.status
        }

        #expect(status == 200)
    }

    @Test func aPersonSendsFourFilesAtATime() async throws {
        try await withServer(Self.parts { $0.connections.bodyTimeout = .seconds(900) }) { server in
            let head = "POST /v1/files?name=a.txt HTTP/1.1\r\nHost: localhost\r\nX-Nexus-User: ada\r\n"
            // One of the four may find the file that is asked with in its place and be refused, so each turn adds one.
            var slow: [RawConnection] = []
            var reply: Reply
            repeat {
                slow.append(try RawConnection(port: server.port))
                slow.last?.send(head + "Content-Length: 99999\r\n\r\n")
                reply = try await server.send(
                    "POST", "/v1/files?name=b.txt", "b",
                    headers: [("X-Nexus-User", "ada"), ("Content-Type", "text/plain")])
            } while reply.status != 429
            #expect(slow.count > 1)
            #expect(reply.field("code") == "too_many_uploads")
            let other = try await server.send(
                "POST", "/v1/files?name=b.txt", "b", headers: [("X-Nexus-User", "ben"), ("Content-Type", "text/plain")])
            #expect(other.status == 201)
            withExtendedLifetime(slow) {}
        }
    }

    @Test func aClientThatDoesNotReadIsCutOff() async throws {
        var parts = Self.parts { $0.connections.readTimeout = .milliseconds(50) }
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
