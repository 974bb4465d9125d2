import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Opening handshakes.
@Suite(.hangGuard) struct SocketHandshakeTests {
    /// A request for a socket, and how it is refused.
    struct Refusal: CustomTestStringConvertible {
        let name: String
        let status: Int
        let code: String
        var line = "GET /v1/socket?ticket=good HTTP/1.1"
        var fields: [String: String?] = [:]

        var testDescription: String { name }
    }

    static let refusals = [
        Refusal(
            name: "no upgrade", status: 426, code: "upgrade_required", fields: ["Upgrade": nil, "Connection": nil]),
        Refusal(name: "other protocol", status: 426, code: "upgrade_required", fields: ["Upgrade": "h2c"]),
        Refusal(name: "no connection", status: 426, code: "upgrade_required", fields: ["Connection": nil]),
        Refusal(name: "old version", status: 426, code: "upgrade_required", fields: ["Sec-WebSocket-Version": "8"]),
        Refusal(name: "no version", status: 426, code: "upgrade_required", fields: ["Sec-WebSocket-Version": nil]),
        Refusal(
            name: "HTTP/1.0", status: 426, code: "upgrade_required", line: "GET /v1/socket?ticket=good HTTP/1.0"),
        Refusal(name: "no key", status: 400, code: "handshake_invalid", fields: ["Sec-WebSocket-Key": nil]),
        Refusal(
            name: "two keys", status: 400, code: "handshake_invalid", fields: ["sec-websocket-key": SocketClient.key]),
        Refusal(
            name: "two versions", status: 426, code: "upgrade_required", fields: ["Sec-WebSocket-Version": "13, 8"]),
        Refusal(name: "short key", status: 400, code: "handshake_invalid", fields: ["Sec-WebSocket-Key": "YQ=="]),
        Refusal(name: "no base64", status: 400, code: "handshake_invalid", fields: ["Sec-WebSocket-Key": "?"]),
        Refusal(name: "body", status: 400, code: "handshake_invalid", fields: ["Content-Length": "1"]),
        Refusal(
            name: "other subprotocol", status: 400, code: "subprotocol_unknown",
            fields: ["Sec-WebSocket-Protocol": "chat, nexus.v2"]),
        Refusal(name: "foreign host", status: 403, code: "host_forbidden", fields: ["Host": "evil.example"]),
        Refusal(
            name: "foreign page", status: 403, code: "origin_forbidden", fields: ["Origin": "https://evil.example"]),
        Refusal(
            name: "other page of this machine", status: 403, code: "origin_forbidden",
            fields: ["Origin": "http://localhost:1"]),
        Refusal(
            name: "wrong ticket", status: 401, code: "ticket_invalid", line: "GET /v1/socket?ticket=bad HTTP/1.1"),
        Refusal(name: "no ticket", status: 401, code: "ticket_invalid", line: "GET /v1/socket HTTP/1.1"),
        Refusal(
            name: "other method", status: 405, code: "method_not_allowed",
            line: "POST /v1/socket?ticket=good HTTP/1.1"),
    ]

    @Test(arguments: refusals) func refuses(refusal: Refusal) async throws {
        let reply = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask(refusal.line, changing: refusal.fields, then: refusal.name == "body" ? [1] : [])
            return await client.reply()
        }

        #expect(reply?.status == refusal.status)
        #expect(reply?.field("code") == refusal.code)
        #expect(reply?.headers["Content-Type"] == "application/problem+json")
        guard refusal.status == 426 else { return }
        #expect(reply?.headers["Sec-WebSocket-Version"] == "13")
        #expect(reply?.headers["Upgrade"] == "websocket")
    }

    @Test func accepts() async throws {
        let reply = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask(changing: [
                "Connection": "keep-alive, upgrade", "Upgrade": "WebSocket",
                "Sec-WebSocket-Protocol": "nexus.v2, nexus.v1", "Origin": "http://localhost:\(server.port)",
                "Host": "localhost:\(server.port)", "Sec-WebSocket-Extensions": "permessage-deflate",
            ])
            return await client.reply()
        }

        #expect(reply?.status == 101)
        #expect(reply?.headers["Sec-WebSocket-Accept"] == SocketClient.accept)
        #expect(reply?.headers["Upgrade"] == "websocket")
        #expect(reply?.headers["Connection"] == "Upgrade")
        #expect(reply?.headers["Sec-WebSocket-Protocol"] == "nexus.v1")
        #expect(reply?.headers["Sec-WebSocket-Extensions"] == nil)
        #expect(reply?.headers["Content-Length"] == nil)
        #expect(reply?.headers["X-Request-Id"] != nil)
    }

    @Test func namesNoSubprotocolToAClientThatOffersNone() async throws {
        let reply = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask(changing: ["Sec-WebSocket-Protocol": nil])
            return await client.reply()
        }

        #expect(reply?.status == 101)
        #expect(reply?.headers["Sec-WebSocket-Protocol"] == nil)
    }

    @Test func offersNoSocketsWithoutAnAcceptance() async throws {
        let reply = try await withServer { server in
            let client = try await SocketClient(port: server.port)
            await client.ask()
            return await client.reply()
        }

        #expect(reply?.status == 404)
    }

    @Test func answersErrorsOfTheAcceptanceAsRoutesDo() async throws {
        var parts = SocketTests.parts()
        parts.socket = { _ in throw CocoaError(.fileNoSuchFile) }
        let reply = try await withServer(parts) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask()
            return await client.reply()
        }

        #expect(reply?.status == 500)
        #expect(reply?.field("code") == "internal")
    }

    /// The decoder of HTTP reads nothing after a request to change the protocol.
    @Test(arguments: ["/v1/socket", "/health"])
    func aRefusedUpgradeEndsTheConnection(path: String) async throws {
        let (connection, isClosed) = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask("GET \(path) HTTP/1.1")
            let reply = await client.reply()
            await client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return (reply?.headers["Connection"], await client.isClosed())
        }

        #expect(connection == "close")
        #expect(isClosed)
    }

    @Test func aConnectionIsUsedForRequestsAndThenForASocket() async throws {
        let (statuses, echo) = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            // Pipelined, more than Hummingbird takes at a time.
            for _ in 0..<20 { await client.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            await client.ask()
            var statuses: [Int?] = []
            for _ in 0..<21 { statuses.append(await client.reply()?.status) }
            await client.send(text: "hello")
            return (statuses, await client.frame()?.text)
        }

        #expect(statuses == Array(repeating: 200, count: 20) + [101])
        #expect(echo == "hello")
    }

    @Test func aClientThatDoesNotWaitForTheAnswerIsCutOff() async throws {
        let isClosed = try await withServer(SocketTests.parts()) { server in
            let client = try await SocketClient(port: server.port)
            await client.ask(then: SocketClient.frame(SocketClient.text, Array("early".utf8)))
            return await client.isClosed()
        }

        #expect(isClosed)
    }
}
