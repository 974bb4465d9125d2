import Assistant
import ChatCore
import Foundation
import HTTPAPI
import LiveChat
import MessageStore
import SQLiteStore
import ServerTestSupport
import Telemetry
import TestSupport
import Testing
import Transport
import WebServer

/// Sockets and streams of the feed with what is not in the log: presence, typing, answers, limits and ends.
@Suite(.hangGuard) struct LiveConnectionTests {
    private static let team = #"{"id":"team","members":[{"userId":"ada"},{"userId":"bob"}]}"#

    /// Parts with live sockets; pings and limits are far away.
    private static func parts(_ live: LiveSettings = LiveSettings(heartbeat: .seconds(900))) -> ServerParts {
        var parts = ServerParts()
        parts.live = live
        parts.settings.connections.socket = SocketSettings(
            pingInterval: .seconds(900), missedPingLimit: 1_000_000, pingWindow: .seconds(900),
            closeTimeout: .seconds(900))
        return parts
    }

    private static func user(_ name: String) -> [(name: String, value: String)] {
        [(name: "X-Nexus-User", value: name)]
    }

    /// Opens a socket of a user; nil with the refusal if it is refused.
    private static func socket(
        _ server: RunningServer, fields: [String: String?]
    ) async throws -> (client: SocketClient, reply: Reply?) {
        let client = try await SocketClient(port: server.port)
        await client.ask("GET /v1/socket HTTP/1.1", changing: fields)
        return (client, await client.reply())
    }

    private static func socket(_ server: RunningServer, of user: String) async throws -> SocketClient {
        let (client, reply) = try await socket(server, fields: ["X-Nexus-User": user])
        #expect(reply?.status == 101)
        return client
    }

    /// Returns the next text message that is of this type; nil if the socket is closed before.
    private static func message(_ type: String, on client: SocketClient) async -> String? {
        while let frame = await client.frame() {
            if frame.opcode == SocketClient.close { return nil }
            if frame.opcode == SocketClient.text, frame.text.contains(#""type":"\#(type)""#) { return frame.text }
        }
        return nil
    }

    /// Waits until the session of a socket has begun, which an answer shows.
    private static func begin(_ client: SocketClient) async throws {
        await client.send(text: #"{"type":"bad"}"#)
        #expect(await message("error", on: client)?.contains("invalid_field") == true)
    }

    /// Returns the close frame.
    private static func ending(of client: SocketClient) async -> SocketClient.Frame? {
        while let frame = await client.frame() {
            if frame.opcode == SocketClient.close { return frame }
        }
        return nil
    }

    @Test func aClientOfAStreamSaysAndHearsWhatASocketDoes() async throws {
        try await withServer(Self.parts()) { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            let ada = try await Self.socket(server, of: "ada")
            try await Self.begin(ada)
            let bob = try await FeedReader(server, of: "bob")
            let stream = try await bob.stream()
            func say(_ rest: String, as user: String = "bob") async throws -> Reply {
                try await server.send(
                    "POST", "/v1/feed/say", #"{"stream":"\#(stream)",\#(rest)}"#, headers: Self.user(user))
            }

            let watching = try await say(#""type":"watch","userIds":["ada","stranger"]"#)
            let presence = try await bob.next("presence")
            let opening = try await say(#""type":"open","conversationId":"team""#)
            await ada.send(text: #"{"type":"typing","conversationId":"team"}"#)
            let typing = try await bob.next("typing")
            await ada.send(text: #"{"type":"open","conversationId":"team"}"#)
            // An answer shows that the message before it was taken.
            await ada.send(text: #"{"type":"bad"}"#)
            let error = await Self.message("error", on: ada)
            let speaking = try await say(#""type":"typing","conversationId":"team""#)
            let heard = await Self.message("typing", on: ada)
            let away = try await say(#""type":"active","active":false"#)
            let foreign = try await say(#""type":"active""#, as: "ada")
            let unusable = try await say(#""type":"bad""#)
            let forbidden = try await say(#""type":"open","conversationId":"other""#)

            #expect(!stream.isEmpty)
            #expect(statuses(watching, opening, speaking, away) == [204, 204, 204, 204])
            #expect(presence?.text.contains(#""userId":"ada""#) == true)
            #expect(presence?.text.contains("stranger") == false)
            #expect(presence?.text.contains(#""status":"online""#) == true)
            #expect(typing?.text.contains(#""milliseconds":6000"#) == true)
            #expect(error?.contains("invalid_field") == true)
            #expect(heard?.contains(#""userId":"bob""#) == true)
            #expect(server.people.presence(of: "bob").status == .away)
            #expect(statuses(foreign, unusable, forbidden) == [404, 400, 403])
            #expect(foreign.field("code") == "stream_not_found")
        }
    }

    @Test func aStreamIsALeaseThatEndsWithIt() async throws {
        try await withServer(Self.parts()) { server in
            var bob: FeedReader? = try await FeedReader(server, of: "bob")
            let stream = try await bob?.stream() ?? ""
            #expect(server.people.presence(of: "bob").status == .online)

            bob = nil
            while server.people.presence(of: "bob").status != .offline { await shortPause() }
            let late = try await server.send(
                "POST", "/v1/feed/say", #"{"stream":"\#(stream)","type":"active"}"#, headers: Self.user("bob"))

            #expect(late.field("code") == "stream_not_found")
        }
    }

    @Test func anAnswerInAThreadIsSeenOnTheAskersDevicesAndNowhereElse() async throws {
        var parts = Self.parts()
        parts.answering = StubAnswering(Sample.events)
        try await withServer(parts) { server in
            let thread = try await server.send("POST", "/v1/threads", "{}", headers: Self.user("ada")).field("id") ?? ""
            let phone = try await Self.socket(server, of: "ada")
            let desk = try await FeedReader(server, of: "ada")
            let bob = try await Self.socket(server, of: "bob")
            try await Self.begin(phone)
            try await Self.begin(bob)
            _ = try await desk.stream()
            let question = #"{"question":"When?","threadId":"\#(thread)"}"#
            let answer = try await server.send("POST", "/v1/ask", question, headers: Self.user("ada"))
            var texts: [String] = []
            var last: [String: Any] = [:]
            while last["done"] == nil, let event = try await desk.next("delta") {
                last = event.fields
                #expect(last["threadId"] as? String == thread)
                #expect(last["start"] as? Int == texts.joined().unicodeScalars.count)
                texts.append(last["text"] as? String ?? "")
            }
            let onPhone = await Self.message("delta", on: phone)
            await bob.send(text: #"{"type":"bad"}"#)
            let first = await bob.frame()

            #expect(answer.status == 200)
            #expect(texts.joined() == "Friday [1]")
            #expect(last["done"] as? Bool == true && last["turnId"] as? String == "turn-1")
            #expect(onPhone?.contains("Friday") == true)
            #expect(first?.text.contains(#""type":"error""#) == true)
        }
    }

    @Test func anAnswerThatFailsEndsWithoutATurn() async throws {
        var parts = Self.parts()
        parts.answering = StubAnswering(
            [.retrieved([]), .delta("Fri")], ending: .failure(ModelServiceError.incompleteReply))
        try await withServer(parts) { server in
            let thread = try await server.send("POST", "/v1/threads", "{}", headers: Self.user("ada")).field("id") ?? ""
            let desk = try await FeedReader(server, of: "ada")
            _ = try await desk.stream()
            _ = try await server.send(
                "POST", "/v1/ask", #"{"question":"When?","threadId":"\#(thread)"}"#, headers: Self.user("ada"))
            var text = ""
            var last: [String: Any] = [:]
            while last["done"] == nil, let event = try await desk.next("delta") {
                last = event.fields
                text += last["text"] as? String ?? ""
            }

            #expect(text == "Fri")
            #expect(last["done"] as? Bool == false && last["turnId"] == nil)
        }
    }

    @Test func aPersonHasALimitedNumberOfConnections() async throws {
        let limits = LiveSettings(connectionsPerUser: 1, heartbeat: .seconds(900))
        try await withServer(Self.parts(limits)) { server in
            let first = try await Self.socket(server, of: "ada")
            try await Self.begin(first)
            let second = try await Self.socket(server, fields: ["X-Nexus-User": "ada"]).reply
            let stream = try await server.send("GET", "/v1/feed", headers: Self.user("ada"))
            let other = try await Self.socket(server, fields: ["X-Nexus-User": "bob"]).reply
            await first.send(SocketClient.close, [0x03, 0xE8])
            var again = 429
            while again == 429 {
                again = try await Self.socket(server, fields: ["X-Nexus-User": "ada"]).reply?.status ?? 0
            }

            #expect(second?.status == 429 && second?.field("code") == "too_many_connections")
            #expect(stream.status == 429)
            #expect(other?.status == 101)
            #expect(again == 101)
        }
    }

    @Test func thereIsALimitForAllAndOneForHandshakes() async throws {
        let full = try await withServer(Self.parts(LiveSettings(connectionLimit: 1, heartbeat: .seconds(900)))) {
            let first = try await FeedReader($0, of: "ada")
            _ = try await first.stream()
            return try await Self.socket($0, fields: ["X-Nexus-User": "bob"]).reply
        }
        let replies = try await withServer(Self.parts(LiveSettings(handshakesPerMinute: 1))) { server in
            var replies: [Reply?] = []
            for user in ["ada", "ada", "bob"] {
                replies.append(try await server.send("POST", "/v1/feed/ticket", "{}", headers: Self.user(user)))
            }
            for user in ["ada", "ada", "bob"] {
                replies.append(try await Self.socket(server, fields: ["X-Nexus-User": user]).reply)
            }
            return replies
        }

        #expect(full?.status == 503 && full?.field("code") == "no_more_connections")
        #expect(replies.map { $0?.status } == [200, 429, 200, 101, 429, 101])
        #expect(replies[1]?.field("code") == "too_many_handshakes")
        #expect(replies[4]?.headers["Retry-After"] != nil)
    }

    @Test func metricsCountConnectionsFramesAndRefusals() async throws {
        let registry = MetricRegistry()
        var parts = Self.parts()
        parts.metrics = registry
        try await withServer(parts) { server in
            let ada = try await Self.socket(server, of: "ada")
            let bob = try await FeedReader(server, of: "bob")
            _ = try await bob.stream()
            _ = try await Self.socket(server, fields: ["X-Nexus-User": "eve", "Sec-WebSocket-Version": "8"])
            await ada.send(text: #"{"type":"bad"}"#)
            #expect(await Self.message("error", on: ada) != nil)
            func samples() throws -> [String: Double] { try PrometheusText(registry.text()).samples }

            while try samples()[#"nexus_live_frames_total{kind="socket"}"#] ?? 0 < 1 { await shortPause() }
            while try samples()[#"nexus_live_frames_total{kind="stream"}"#] ?? 0 < 1 { await shortPause() }
            let now = try samples()
            #expect(now[#"nexus_live_connections{kind="socket"}"#] == 1)
            #expect(now[#"nexus_live_connections{kind="stream"}"#] == 1)
            #expect(now[#"nexus_live_bytes_total{kind="socket"}"#] ?? 0 > 20)
            #expect(now[#"nexus_live_refused_total{code="upgrade_required"}"#] == 1)
            #expect(!registry.text().contains(#""ada""#) && !registry.text().contains(#""eve""#))
            await ada.send(SocketClient.close, [0x03, 0xE8])
            while try samples()[#"nexus_live_connections{kind="socket"}"#] != 0 { await shortPause() }
        }
    }

    @Test func anErasedPersonIsDisconnected() async throws {
        try await withServer(Self.parts()) { server in
            let ada = try await Self.socket(server, of: "ada")
            let desk = try await FeedReader(server, of: "ada")
            let bob = try await Self.socket(server, of: "bob")
            _ = try await desk.stream()
            try await Self.begin(ada)
            try await Self.begin(bob)

            server.people.forget("ada")
            let ending = await Self.ending(of: ada)
            let end = try await desk.next("end")
            let rest = try await desk.next()
            try await Self.begin(bob)

            #expect(ending?.code == 3003 && ending?.reason == "user_erased")
            #expect(end?.text == #"{"reason":"user_erased"}"#)
            #expect(rest == nil)
        }
    }

    /// Parts that tell callers apart, with intervals so short that each is over soon.
    private static func shortParts(_ forge: TokenForge, _ clock: ManualNow) throws -> ServerParts {
        var parts = ServerParts(try forge.settings([.ec]))
        parts.live = LiveSettings(heartbeat: .milliseconds(20))
        parts.now = clock.now
        parts.settings.connections.socket = SocketSettings(
            pingInterval: .milliseconds(20), missedPingLimit: 1_000_000, closeTimeout: .seconds(900))
        return parts
    }

    @Test func aConnectionEndsWithItsToken() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        try await withServer(try Self.shortParts(forge, clock)) { server in
            let token = try await forge.bearer("ada")
            let (socket, reply) = try await Self.socket(server, fields: ["Authorization": token[0].value])
            let desk = try await FeedReader(server, headers: token)
            let ticket = try await server.send("POST", "/v1/feed/ticket", "{}", headers: token).field("ticket") ?? ""
            let tab = try await SocketClient(port: server.port)
            await tab.ask("GET /v1/socket?ticket=\(ticket) HTTP/1.1")
            let tabReply = await tab.reply()
            let heartbeat = try await desk.next("heartbeat")

            clock.advance(by: .seconds(3_600))
            let endings = [await Self.ending(of: socket), await Self.ending(of: tab)]
            let end = try await desk.next("end")

            #expect(reply?.status == 101 && tabReply?.status == 101)
            #expect(heartbeat != nil)
            #expect(endings.map { $0?.code } == [3000, 3000])
            #expect(endings.map { $0?.reason } == ["token_expired", "token_expired"])
            #expect(end?.text == #"{"reason":"token_expired"}"#)
        }
    }

    /// What is sent to a stream does not put off the check.
    @Test func aBusyStreamEndsWhenItsKeyIsRevoked() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        let folder = FileManager.default.temporaryDirectory.appending(path: "busy-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        var parts = try Self.shortParts(forge, clock)
        parts.stored = store
        parts.live = LiveSettings(heartbeat: .milliseconds(300))
        _ = try await store.store([.of("busy", ["ada"])], source: "api", mode: .posting, at: Sample.now)
        try await withServer(parts) { server in
            let headers = try await server.key(.readAsUser) + Self.user("ada")
            let keys = try await store.keys()
            let desk = try await FeedReader(server, headers: headers)
            let posting = Task {
                var count = 0
                while !Task.isCancelled {
                    count += 1
                    _ = try await store.accept(
                        [.short("busy", MessageID(rawValue: "m\(count)"))], source: "api", mode: .posting,
                        at: Sample.now)
                    server.feed.follow(nil, try await store.latestChange())
                    await shortPause()
                }
            }
            let frame = try await desk.next("frame")
            for key in keys { _ = try await store.revokeKey(key.id, at: clock.now()) }
            let end = try await desk.next("end")
            posting.cancel()
            _ = await posting.result

            #expect(frame != nil)
            #expect(end?.text == #"{"reason":"key_invalid"}"#)
        }
        await store.close()
    }

    @Test func aKeyThatReadsOnlyListens() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        try await withServer(try Self.shortParts(forge, clock)) { server in
            let key = try await server.key(.readAsUser)
            let ticket = try await server.send("POST", "/v1/feed/ticket", "{}", headers: key + Self.user("ada"))
                .field("ticket")
            let tab = try await SocketClient(port: server.port)
            await tab.ask("GET /v1/socket?ticket=\(ticket ?? "") HTTP/1.1")
            let (socket, _) = try await Self.socket(
                server, fields: ["Authorization": key[0].value, "X-Nexus-User": "ada"])

            #expect(await tab.reply()?.status == 101)
            for client in [socket, tab] {
                for type in ["active", "ack", "open"] { await client.send(text: #"{"type":"\#(type)"}"#) }
                await client.send(text: #"{"type":"typing"}"#)
                let error = await Self.message("error", on: client)
                #expect(error?.contains(#""code":"role_required""#) == true, "\(error ?? "-")")
                await client.send(text: #"{"type":"watch","userIds":["ada"]}"#)
                #expect(await Self.message("presence", on: client)?.contains(#""userId":"ada""#) == true)
            }
        }
    }

    @Test func aConnectionEndsWhenTheAccountIsDisabled() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        let parts = try Self.shortParts(forge, clock)
        try await withServer(parts) { server in
            let token = try await forge.bearer("ada")
            let (socket, reply) = try await Self.socket(server, fields: ["Authorization": token[0].value])
            let desk = try await FeedReader(server, headers: token)
            #expect(try await desk.next("heartbeat") != nil)
            #expect(await Self.message("heartbeat", on: socket) != nil)
            let account = Account(userID: "ada", createdAt: clock.now())
            _ = try await parts.accounts.acceptAccount(account, at: clock.now())
            #expect(try await server.send("GET", "/v1/conversations", headers: token).status == 200)

            _ = try await parts.accounts.changeAccount("ada", role: nil, isDisabled: true)
            let ending = await Self.ending(of: socket)
            let end = try await desk.next("end")
            let refused = try await server.send("GET", "/v1/conversations", headers: token)

            #expect(reply?.status == 101)
            #expect(ending?.code == 3000 && ending?.reason == "session_ended")
            #expect(end?.text == #"{"reason":"session_ended"}"#)
            #expect(refused.status == 403 && refused.field("code") == "account_disabled")
        }
    }

    @Test func aConnectionEndsWhenItsKeyIsRevoked() async throws {
        let forge = try TokenForge()
        let clock = ManualNow(Sample.now)
        try await withServer(try Self.shortParts(forge, clock)) { server in
            let key = try await server.key(.readAsUser)
            let headers = key + Self.user("ada")
            let (socket, reply) = try await Self.socket(
                server, fields: ["Authorization": key[0].value, "X-Nexus-User": "ada"])
            let desk = try await FeedReader(server, headers: headers)
            #expect(try await desk.next("heartbeat") != nil)
            #expect(await Self.message("heartbeat", on: socket) != nil)

            for key in try await server.store.keys() {
                _ = try await server.store.revokeKey(key.id, at: clock.now())
            }
            let ending = await Self.ending(of: socket)
            let end = try await desk.next("end")

            #expect(reply?.status == 101)
            #expect(ending?.code == 3000 && ending?.reason == "key_invalid")
            #expect(end?.text == #"{"reason":"key_invalid"}"#)
        }
    }
}
