import Foundation
import TestSupport
import Testing

/// Notifications, own settings and receipts through the program.
@Suite(.serialized, .hangGuard) struct NotificationServerTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    /// The direct conversation of Ada and Bob, with messages of Ada.
    private static func furnish(_ server: NexusServer, _ texts: String...) async throws -> String {
        let opened = try await server.send("POST", "/v1/direct", ["with": "bob"], user: "ada")
        let path = "/v1/conversations/\(try #require(opened.json["id"] as? String))"
        for (place, text) in texts.enumerated() {
            let message = ["id": "m\(place + 1)", "text": text, "senderId": "ada"]
            let reply = try await server.send("POST", path + "/messages", message, user: "ada")
            #expect(reply.status == 201, "\(reply.json)")
        }
        return path
    }

    private static func list(_ reply: (status: Int, json: [String: Any]), _ name: String) -> [[String: Any]] {
        reply.json[name] as? [[String: Any]] ?? []
    }

    /// The changes of these types in events.
    private static func changes(_ events: [[String: Any]], _ types: Set<String>) -> [[String: Any]] {
        events.flatMap { $0["changes"] as? [[String: Any]] ?? [] }
            .filter { types.contains($0["type"] as? String ?? "") }
    }

    private static func holds(_ type: String) -> ([String: Any]) -> Bool { { !changes([$0], [type]).isEmpty } }

    @Test func notificationsComeInTheFeedAndGoOnAllDevices() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let path = try await Self.furnish(server)
        let sync = try await server.send("GET", "/v1/sync", user: "bob")
        let start = try #require(sync.json["cursor"] as? String)
        for (id, text) in [("m1", "a secret for Bob"), ("m2", "another one"), ("m3", "the last one")] {
            _ = try await server.send(
                "POST", path + "/messages", ["id": id, "text": text, "senderId": "ada"], user: "ada")
        }
        let came = try await server.follow(start, user: "bob", until: Self.holds("notification"))
        let listed = try await server.send("GET", "/v1/notifications", user: "bob")
        let newest = try await server.send("GET", "/v1/notifications?limit=1", user: "bob")
        let foreign = try await server.exchange("GET", "/v1/notifications", user: "eve").body
        let foreignSync = try await server.exchange("GET", "/v1/sync", user: "eve").body
        let known = Self.list(listed, "notifications")
        let ids = known.compactMap { $0["id"] as? Int }
        let end = try #require((try await server.send("GET", "/v1/sync", user: "bob")).json["cursor"] as? String)

        _ = try await server.send("POST", "/v1/notifications/dismiss", ["ids": ids], user: "eve")
        let kept = try await server.send("GET", "/v1/notifications", user: "bob")
        let dismissed = try await server.send(
            "POST", "/v1/notifications/dismiss", ["ids": Array(ids.prefix(1))], user: "bob")
        let gone = try await server.follow(end, user: "bob", until: Self.holds("notifications"))
        _ = try await server.send("POST", path + "/read", ["upTo": "m1"], user: "bob")
        let unread = try await server.send("GET", "/v1/notifications", user: "bob")
        let all = try await server.send("POST", "/v1/notifications/dismiss", ["all": true], user: "bob")
        let left = try await server.send("GET", "/v1/sync", user: "bob")
        let bad = try await server.send("POST", "/v1/notifications/dismiss", ["ids": ["x"]], user: "bob")
        let none = try await server.send("POST", "/v1/notifications/dismiss", [:] as [String: Any], user: "bob")
        _ = await server.stop()

        #expect(Self.list(sync, "notifications").isEmpty)
        let first = Self.changes(came, ["notification"]).first?["notification"] as? [String: Any]
        #expect(first?["text"] as? String == "a secret for Bob" && first?["kind"] as? String == "direct")
        #expect(first?["quiet"] as? Bool == false && first?["seq"] as? Int == 1)
        #expect(known.map { $0["messageId"] as? String } == ["m3", "m2", "m1"])
        #expect(Self.list(newest, "notifications").map { $0["messageId"] as? String } == ["m3"])
        for body in [foreign, foreignSync] { #expect(!String(decoding: body, as: UTF8.self).contains("m1")) }
        #expect(Self.list(kept, "notifications").count == 3)
        #expect(dismissed.status == 204 && all.status == 204)
        let rest = Self.changes(gone, ["notifications"]).first?["notifications"] as? [[String: Any]]
        #expect(rest?.map { $0["messageId"] as? String } == ["m2", "m1"])
        #expect(Self.list(unread, "notifications").map { $0["messageId"] as? String } == ["m2"])
        #expect(Self.list(left, "notifications").isEmpty)
        #expect(bad.status == 400 && none.status == 400)
    }

    @Test func settingsBelongToThePersonAndAreChecked() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let standard = try await server.send("GET", "/v1/settings", user: "bob")
        let start = try #require((try await server.send("GET", "/v1/sync", user: "bob")).json["cursor"] as? String)
        let wanted: [String: Any] = [
            "timeZone": "Europe/Berlin", "quietHours": ["start": "00:00", "end": "23:59"], "hideLastSeen": true,
        ]
        let set = try await server.send("PUT", "/v1/settings", wanted, user: "bob")
        let events = try await server.follow(start, user: "bob", until: Self.holds("settings"))
        let shown = try await server.send("GET", "/v1/settings", user: "bob")
        let other = try await server.send("GET", "/v1/settings", user: "ada")
        let synced = try await server.send("GET", "/v1/sync", user: "bob")
        var refusals: [Int] = []
        for body in [
            ["timeZone": "Mars/Olympus"], ["quietHours": ["start": "22:00"]],
            ["quietHours": ["start": "22:00", "end": "22:00"]], ["quietHours": ["start": "7", "end": "9"]],
            ["hideEverything": true],
        ] as [[String: Any]] {
            refusals.append(try await server.send("PUT", "/v1/settings", body, user: "bob").status)
        }
        _ = await server.stop()

        #expect(standard.json["hideReadReceipts"] as? Bool == false && standard.json["quietHours"] == nil)
        for settings in [
            set.json, shown.json, synced.json["settings"] as? [String: Any] ?? [:],
            Self.changes(events, ["settings"]).first?["settings"] as? [String: Any] ?? [:],
        ] {
            #expect(settings["timeZone"] as? String == "Europe/Berlin")
            #expect(settings["quietHours"] as? [String: String] == ["start": "00:00", "end": "23:59"])
            #expect(settings["hideLastSeen"] as? Bool == true && settings["hideReadReceipts"] as? Bool == false)
        }
        #expect(other.json["hideLastSeen"] as? Bool == false)
        #expect(refusals == [400, 400, 400, 400, 400])
    }

    @Test func aMessageSaysHowFarItHasCome() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local)
        let path = try await Self.furnish(server, "one", "two")
        func statuses(_ user: String) async throws -> [String?] {
            Self.list(try await server.send("GET", path + "/messages", user: user), "messages")
                .map { $0["status"] as? String }
        }
        func receipts(_ user: String) async throws -> (status: Int, json: [String: Any]) {
            try await server.send("GET", path + "/messages/m1/receipts", user: user)
        }
        let sent = try await statuses("ada")
        let sync = try await server.send("GET", "/v1/sync", user: "ada")
        let start = try #require(sync.json["cursor"] as? String)
        _ = try await server.send("POST", "/v1/feed/ack", ["cursor": start], user: "bob")
        let told = try await server.follow(start, user: "ada", until: Self.holds("receipt"))
        let delivered = try await statuses("ada")
        _ = try await server.send("POST", path + "/read", ["upTo": "m1"], user: "bob")
        let read = try await statuses("ada")
        let named = try await receipts("ada")
        _ = try await server.send("PUT", "/v1/settings", ["hideReadReceipts": true], user: "bob")
        let hidden = try await receipts("ada")
        let own = try await receipts("bob")
        let list = try await server.send("GET", path + "/receipts", user: "ada")
        let after = try await statuses("ada")
        let one = try await server.send("GET", path + "/messages/m1", user: "ada")
        let others = try await statuses("bob")
        let foreign = try await receipts("eve")
        _ = await server.stop()

        #expect(sent == ["sent", "sent"] && delivered == ["delivered", "delivered"])
        let receipt = Self.changes(told, ["receipt"]).first?["receipt"] as? [String: Any]
        #expect(receipt?["userId"] as? String == "bob" && receipt?["deliveredSeq"] as? Int == 2)
        #expect(read == ["delivered", "read"])
        #expect(named.json["readCount"] as? Int == 1 && named.json["memberCount"] as? Int == 1)
        #expect((named.json["readBy"] as? [[String: String]])?.map { $0["userId"] } == ["bob"])
        #expect(hidden.json["readCount"] as? Int == 0 && hidden.json["deliveredCount"] as? Int == 1)
        #expect(own.json["readCount"] as? Int == 1)
        #expect(Self.list(list, "receipts").map { $0["readSeq"] as? Int } == [0, 0])
        #expect(after == ["delivered", "delivered"] && one.json["status"] as? String == "delivered")
        #expect(others == [nil, nil])
        #expect(foreign.status == 403)
    }
}
