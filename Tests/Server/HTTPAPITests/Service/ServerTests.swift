import Assistant
import Foundation
import HTTPAPI
import ServerTestSupport
import ServiceLifecycle
import TestSupport
import Testing
import Transport
import WebServer

struct ServerTests {
    @Test func tellsThatItLives() async throws {
        let reply = try await withServer {
            try await $0.send("GET", "/health", headers: [("X-Request-Id", "abc-1")])
        }

        #expect(reply.status == 200)
        #expect(reply.text == #"{"status":"ok"}"#)
        #expect(reply.headers["X-Request-Id"] == "abc-1")
        #expect(reply.headers["Cache-Control"] == "no-store")
        #expect(reply.headers["Date"] == "Thu, 23 Oct 2025 10:30:00 GMT")
    }

    @Test func makesARequestIDWhereNoneOrABadOneIsGiven() async throws {
        let (none, bad) = try await withServer { server in
            (
                try await server.send("GET", "/health"),
                try await server.send("GET", "/health", headers: [("X-Request-Id", "two words")])
            )
        }

        #expect([none, bad].map { $0.headers["X-Request-Id"] } == ["id-1", "id-2"])
    }

    @Test(arguments: [
        (true, 200, #"{"checks":[{"name":"store","ready":true}],"embedding":[],"notes":[],"status":"ready"}"#),
        (
            false, 503,
            #"{"checks":[{"detail":"loading","name":"index","ready":false}],"embedding":[],"notes":[],"status":"not_ready"}"#
        ),
    ])
    func tellsWhetherItIsReady(isReady: Bool, status: Int, body: String) async throws {
        var parts = ServerParts()
        if !isReady {
            parts.readiness = ReadinessReport(checks: [.init(name: "index", isReady: false, detail: "loading")])
        }

        let reply = try await withServer(parts) { try await $0.send("GET", "/ready") }

        #expect(reply.status == status)
        #expect(reply.text == body)
    }

    @Test(arguments: ["/", "/nothing", "/v2/ask", "/operator", "/v10/ask"])
    func knowsNoOtherPaths(path: String) async throws {
        let reply = try await withServer { try await $0.send("POST", path, "{}") }

        #expect(reply.status == 404)
        #expect(
            reply.text == #"{"code":"not_found","detail":"there is nothing at this path","status":404,"#
                + #""title":"Not Found","type":"about:blank"}"#)
    }

    @Test(arguments: [
        ("GET", "/v1/ask", "POST"), ("DELETE", "/v1/conversations", "GET, POST"),
        ("POST", "/v1/conversations/ragQuery", "GET, PATCH"), ("PATCH", "/health", "GET"),
        ("OPTIONS", "/v1/conversations/c/messages/m", "DELETE, GET, PATCH"),
    ])
    func namesTheMethodsOfAPath(method: String, path: String, allowed: String) async throws {
        let reply = try await withServer { try await $0.send(method, path) }

        #expect(reply.status == 405)
        #expect(reply.headers["Allow"] == allowed)
        #expect(reply.field("code") == "method_not_allowed")
    }

    @Test func saysThatAPortIsInUse() async throws {
        try await withServer { running in
            var parts = ServerParts()
            parts.settings.port = running.port
            let services = try parts.services(store: running.store) { _ in }

            await #expect(throws: WebServerError.portInUse(host: "127.0.0.1", port: running.port)) {
                try await HTTPAPIServer(settings: parts.settings, services: services).run()
            }
        }
    }

    @Test(arguments: [("192.0.2.1", "Cannot assign requested address"), ("nowhere.invalid", "no such host")])
    func saysThatAnAddressCannotBeListenedOn(host: String, reason: String) async throws {
        var parts = ServerParts()
        parts.settings.host = host
        let services = try parts.services(store: InMemoryStore()) { _ in }

        await #expect(throws: WebServerError.cannotListen(host: host, port: 0, reason: reason)) {
            try await HTTPAPIServer(settings: parts.settings, services: services).run()
        }
    }

    @Test func stopsWithAnOpenStream() async throws {
        var parts = ServerParts()
        parts.settings.shutdownGrace = .milliseconds(20)
        parts.answering = StubAnswering([.delta("Fri")], ending: .hang)
        let answering = parts.answering

        let body = try await withServer(parts) { server in
            let response = try await server.stream(
                "/ragQuery", #"{"data":{"question":"q"}}"#, headers: [("Accept", "text/event-stream")])
            #expect(response.status == 200)
            return response.body
        }

        // The server has stopped here; the stream that it cut off was given up.
        var cutOff = answering.cutOff.makeAsyncIterator()
        #expect(await cutOff.next() != nil)
        await #expect(throws: TransportError.self) { _ = try await body.collect() }
    }

    @Test func aServerThatStopsSaysSoWhileItStillAnswers() async throws {
        var parts = ServerParts()
        parts.settings.drainDuration = .seconds(60)
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let services = try parts.services(store: InMemoryStore()) { continuation.yield($0) }
        let server = HTTPAPIServer(settings: parts.settings, services: services)
        let group = ServiceGroup(configuration: .init(services: [.init(service: server)], logger: services.logger))
        let running = Task { try await group.run() }
        var iterator = ports.makeAsyncIterator()
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let request = HTTPExchangeRequest(
            method: "GET", url: "http://127.0.0.1:\(try #require(await iterator.next()))/ready", headers: [:],
            body: nil)
        #expect(try await transport.send(request).status == 200)

        await group.triggerGracefulShutdown()
        var reply = try await transport.send(request)
        while reply.status == 200 { reply = try await transport.send(request) }

        #expect(reply.status == 503)
        #expect(String(decoding: reply.body, as: UTF8.self).contains(#""detail":"stopping""#))
        running.cancel()
        _ = await running.result
    }

    @Test func answersManyAtOnce() async throws {
        let statuses = try await withServer { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 { group.addTask { try await server.send("GET", "/health").status } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }

        #expect(statuses == Array(repeating: 200, count: 20))
    }
}
