import Foundation
import TestSupport
import Testing

/// A live chat through the program: lists, receipts, and the feed across restarts.
@Suite(.serialized, .hangGuard) struct LiveChatServerTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    private static func ids(_ event: [String: Any]) -> [String] {
        let changes = event["changes"] as? [[String: Any]] ?? []
        return changes.compactMap { ($0["message"] as? [String: Any])?["id"] as? String }
    }

    private static func holds(_ id: String) -> ([String: Any]) -> Bool { { ids($0).contains(id) } }

    /// Opens the direct conversation of Ada and Bob.
    private static func direct(_ server: NexusServer) async throws -> String {
        let opened = try await server.send("POST", "/v1/direct", ["with": "bob"], user: "ada")
        let again = try await server.send("POST", "/v1/direct", ["with": "ada"], user: "bob")
        #expect(opened.status == 201 && again.status == 200)
        let id = try #require(opened.json["id"] as? String)
        #expect(again.json["id"] as? String == id)
        return id
    }

    private static func post(
        _ id: String, _ text: String, in conversation: String, to server: NexusServer
    ) async throws -> [String: Any] {
        let message = ["id": id, "text": text, "senderId": "ada", "localId": "local-\(id)"]
        let reply = try await server.send(
            "POST", "/v1/conversations/\(conversation)/messages", message, user: "ada")
        #expect([200, 201].contains(reply.status), "\(reply.json)")
        return reply.json
    }

    @Test func aFeedGoesOnWhereItWasAfterTheServerIsKilled() async throws {
        let binary = try NexusBinary()
        var server = try await NexusServer(binary, Self.local)
        let place = try await Self.direct(server)
        let sync = try await server.send("GET", "/v1/sync", user: "bob")
        var cursor = try #require(sync.json["cursor"] as? String)
        var frames: [[String: Any]] = []
        for round in 0..<5 {
            let id = "m\(round)"
            let reply = try await Self.post(id, "message \(round)", in: place, to: server)
            #expect(reply["seq"] as? Int == round + 1)
            let read = try await server.follow(cursor, user: "bob", until: Self.holds(id))
            frames += read.filter { $0["event"] as? String == "frame" }
            cursor = try #require(read.last?["cursor"] as? String)

            server.process.signal(SIGKILL)
            _ = await server.process.result()
            server = try await NexusServer(binary, Self.local)
            // The client does not know whether the last message arrived, and sends it again.
            #expect(
                try await Self.post(id, "message \(round)", in: place, to: server)["status"] as? String == "unchanged")
        }
        let last = try await Self.post("end", "the end", in: place, to: server)
        let rest = try await server.follow(cursor, user: "bob", until: Self.holds("end"))
        frames += rest.filter { $0["event"] as? String == "frame" }
        _ = await server.stop()

        #expect(last["seq"] as? Int == 6)
        #expect(frames.flatMap(Self.ids) == ["m0", "m1", "m2", "m3", "m4", "end"])
        let ends = frames.map { $0["pos"] as? Int }
        let starts = frames.map { $0["prev"] as? Int }
        #expect(Array(starts.dropFirst()) == Array(ends.dropLast()))
    }

    @Test func aListHasWhatIsUnreadAndReceiptsSayWhoRead() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let place = try await Self.direct(server)
        let path = "/v1/conversations/\(place)"
        _ = try await Self.post("m1", "one", in: place, to: server)
        _ = try await Self.post("m2", "two for @bob", in: place, to: server)
        func entry(_ user: String) async throws -> [String: Any] {
            let list = try await server.send("GET", "/v1/conversations", user: user).json["conversations"]
            return (list as? [[String: Any]])?.first ?? [:]
        }

        let unread = try await entry("bob")
        let own = try await entry("ada")
        let read = try await server.send("POST", path + "/read", ["messageIds": ["m1", "m2"]], user: "bob")
        let after = try await entry("bob")
        let receipts = try await server.send("GET", path + "/receipts", user: "ada")
        _ = try await server.send("POST", path + "/unread", ["from": "m2"], user: "bob")
        let back = try await entry("bob")
        let history = try await server.send("GET", path + "/messages", user: "bob")
        let foreign = try await server.send("POST", path + "/read", ["upTo": "m1"], user: "eve")
        let empty = try await server.send("POST", path + "/read", [:] as [String: Any], user: "bob")
        let renamed = try await server.send("PUT", path + "/name", ["name": "x"], user: "ada")
        let liked = try await server.send("PUT", path + "/messages/m1/reactions/%F0%9F%91%8D", user: "bob")
        let foreignLike = try await server.send("PUT", path + "/messages/m1/reactions/x", user: "eve")
        _ = await server.stop()

        #expect(unread["unreadCount"] as? Int == 2 && unread["mentionCount"] as? Int == 1)
        #expect(unread["firstUnreadId"] as? String == "m1")
        #expect((unread["lastMessage"] as? [String: Any])?["text"] as? String == "two for @bob")
        #expect(own["unreadCount"] as? Int == 0)
        #expect(read.json["readSeq"] as? Int == 2)
        #expect(after["unreadCount"] as? Int == 0)
        let known = receipts.json["receipts"] as? [[String: Any]] ?? []
        #expect(known.map { $0["readSeq"] as? Int } == [0, 2])
        #expect(back["unreadCount"] as? Int == 1)
        let sequence = (history.json["messages"] as? [[String: Any]] ?? []).map { $0["seq"] as? Int }
        #expect(sequence == [2, 1])
        #expect(foreign.status == 403 && empty.status == 400)
        #expect(renamed.status == 204)
        #expect((liked.json["reactions"] as? [[String: Any]])?.count == 1)
        #expect(foreignLike.status == 403)
    }

    @Test func aFeedShowsNobodyWhatIsForeignAndEndsForAForeignLog() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let place = try await Self.direct(server)
        let start = try #require(
            try await server.send("GET", "/v1/sync", user: "eve").json["cursor"] as? String)
        _ = try await Self.post("m1", "nothing for Eve", in: place, to: server)
        _ = try await server.send(
            "POST", "/v1/conversations", ["id": "own", "name": "Own", "members": [["userId": "eve"]]], user: "eve")

        let seen = try await server.follow(start, user: "eve") { $0["changes"] != nil }
        let lost = try await server.follow("1-1", user: "eve") { _ in false }
        let bad = try await server.send("GET", "/v1/feed?cursor=x", user: "eve")
        let acknowledged = try await server.send(
            "POST", "/v1/feed/ack", ["cursor": seen.last?["cursor"] ?? ""], user: "eve")
        let tooFar = try await server.send("POST", "/v1/feed/ack", ["cursor": "1-1"], user: "eve")
        _ = await server.stop()

        let changes = seen.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
        #expect(changes.map { $0["type"] as? String } == ["conversation"])
        #expect(!"\(seen)".contains("nothing for Eve") && !"\(seen)".contains(place))
        #expect(lost.map { $0["event"] as? String } == ["stream", "resync"])
        #expect(bad.status == 400)
        #expect(acknowledged.status == 204 && tooFar.status == 410)
    }

    @Test func aStreamHearsOfThreadsAndAnswersAndEndsWithItsPerson() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let (events, event) = AsyncStream<String>.makeStream()
        let following = Task {
            defer { event.finish() }
            _ = try await server.follow(nil, user: "bob") { found in
                let types = (found["changes"] as? [[String: Any]] ?? []).compactMap { $0["type"] as? String }
                event.yield(([found["event"] as? String ?? ""] + types).joined(separator: " "))
                return false
            }
        }
        var iterator = events.makeAsyncIterator()
        func next(_ wanted: String) async -> Bool {
            while let found = await iterator.next(isolation: #isolation) {
                if found == wanted { return true }
            }
            return false
        }

        #expect(await next("stream"))
        let thread = try await server.send("POST", "/v1/threads", [:] as [String: Any], user: "bob").json["id"]
        #expect(await next("frame threads"))
        let asked = try await server.send(
            "POST", "/v1/ask", ["question": "Where is the boat?", "threadId": thread ?? ""], user: "bob")
        #expect(asked.status == 200)
        #expect(await next("delta"))
        let erased = try await binary.run(["erase", "--user", "bob", "--yes", "--json"])
        #expect(erased.status == 0, "\(erased.errors)")
        #expect(await next("end"))
        try await following.value
        _ = await server.stop()
    }
}
