import ChatCore
import HTTPAPI
import LiveChat
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import WebServer

/// Live connections as browsers make them: they send no header with a socket or a stream, and close in their own ways.
@Suite(.hangGuard) struct BrowserConnectionTests {
    private static func parts(_ authentication: AuthenticationSettings? = nil) -> ServerParts {
        var parts = authentication.map { ServerParts($0) } ?? ServerParts()
        parts.live = LiveSettings(heartbeat: .seconds(900))
        parts.settings.connections.socket = SocketSettings(
            pingInterval: .seconds(900), missedPingLimit: 1_000_000, pingWindow: .seconds(900),
            closeTimeout: .seconds(900))
        return parts
    }

    private static func ticket(
        _ server: RunningServer, _ headers: [(name: String, value: String)]
    ) async throws -> String {
        try #require(try await server.send("POST", "/v1/feed/ticket", "{}", headers: headers).field("ticket"))
    }

    private static func socket(_ server: RunningServer, of user: String) async throws -> SocketClient {
        let client = try await SocketClient(port: server.port)
        await client.ask("GET /v1/socket HTTP/1.1", changing: ["X-Nexus-User": user])
        #expect(await client.reply()?.status == 101)
        while server.people.presence(of: UserID(rawValue: user)).status != .online { await shortPause() }
        return client
    }

    @Test func aTicketOpensOneStreamForItsMaker() async throws {
        let forge = try TokenForge()
        try await withServer(Self.parts(try forge.settings([.ec]))) { server in
            let ticket = try await Self.ticket(server, try await forge.bearer("bob"))
            let stream = try await FeedReader(server, "?ticket=\(ticket)")
            let first = try await stream.next("stream")

            // As a browser does that connects again.
            let again = try await server.send("GET", "/v1/feed?ticket=\(ticket)")
            let unknown = try await server.send("GET", "/v1/feed?ticket=unknown")
            let bare = try await server.send("GET", "/v1/feed")

            #expect(stream.status == 200 && first != nil)
            #expect(server.people.presence(of: "bob").status == .online)
            #expect(statuses(again, unknown, bare) == [401, 401, 401])
            #expect(
                [again, unknown, bare].map { $0.field("code") } == [
                    "ticket_invalid", "ticket_invalid", "token_required",
                ])
        }
    }

    @Test func aTicketIsForOneUserAndForNoOtherRoute() async throws {
        try await withServer(Self.parts()) { server in
            let bob = [(name: "X-Nexus-User", value: "bob")]
            let ticket = try await Self.ticket(server, bob)

            let other = try await server.send("GET", "/v1/sync?ticket=unknown", headers: bob)
            let foreign = try await server.send(
                "GET", "/v1/feed?ticket=\(ticket)", headers: [(name: "X-Nexus-User", value: "ada")])
            let used = try await SocketClient(port: server.port)
            await used.ask("GET /v1/socket?ticket=\(ticket) HTTP/1.1")

            #expect(statuses(other, foreign) == [400, 403])
            #expect(other.field("field") == "ticket")
            #expect(foreign.field("code") == "foreign_user")
            #expect(await used.reply()?.status == 401)
        }
    }

    @Test func aStreamOfATicketEndsWithTheToken() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        var parts = Self.parts(try forge.settings([.ec]))
        parts.live = LiveSettings(heartbeat: .milliseconds(20))
        parts.now = clock.now
        try await withServer(parts) { server in
            let ticket = try await Self.ticket(server, try await forge.bearer("bob"))
            let stream = try await FeedReader(server, "?ticket=\(ticket)")
            #expect(try await stream.next("heartbeat") != nil)

            clock.advance(by: .seconds(3_600))
            let end = try await stream.next("end")

            #expect(end?.text == #"{"reason":"token_expired"}"#)
        }
    }

    @Test func refusedTicketsAreCounted() async throws {
        let registry = MetricRegistry()
        var parts = Self.parts()
        parts.metrics = registry
        let reply = try await withServer(parts) { try await $0.send("GET", "/v1/feed?ticket=unknown") }

        #expect(reply.status == 401)
        #expect(try PrometheusText(registry.text()).samples[#"nexus_live_refused_total{code="ticket_invalid"}"#] == 1)
    }

    /// A browser that loses the connection before the first frame must not lose what happens meanwhile.
    @Test func theFirstEventHasTheCursorAtWhichTheStreamBegins() async throws {
        let (first, latest) = try await withServer(Self.parts()) { server in
            let stream = try await FeedReader(server, of: "bob")
            return (try await stream.next(), try await server.store.latestChange())
        }

        #expect(first?.name == "stream")
        #expect(first?.id == latest.description)
    }

    /// `close()` of a page sends no code, `close(4321)` its own; a page that is left sends 1001.
    @Test(arguments: [[], [0x03, 0xE8], [0x03, 0xE9], [0x10, 0xE1]] as [[UInt8]])
    func aPersonWhoseClientClosesTheSocketIsOfflineAtOnce(payload: [UInt8]) async throws {
        try await withServer(Self.parts()) { server in
            let client = try await Self.socket(server, of: "bob")

            await client.send(SocketClient.close, payload)

            while server.people.presence(of: "bob").status != .offline { await shortPause() }
        }
    }

    /// No time passes here, so nobody gets offline by it.
    @Test func aPersonWhoseConnectionBreaksOffIsOnlineForAWhile() async throws {
        let registry = MetricRegistry()
        var parts = Self.parts()
        parts.metrics = registry
        let status = try await withServer(parts) { server in
            let client = try await Self.socket(server, of: "bob")
            await client.finish()
            #expect(await client.isClosed())
            while try PrometheusText(registry.text()).samples[#"nexus_live_connections{kind="socket"}"#] != 0 {
                await shortPause()
            }
            return server.people.presence(of: "bob").status
        }

        #expect(status == .online)
    }
}
