import Foundation
import Synchronization
import TestSupport
import Testing

/// A live chat whose server is killed again and again while people write.
@Suite(.serialized, .hangGuard) struct LiveChatKillTests {
    /// `NEXUS_KILLS` sets how often the server is killed; by hand 200.
    private static let killCount = ProcessInfo.processInfo.environment["NEXUS_KILLS"].flatMap { Int($0) } ?? 3
    private static let writers = ["ada", "cy", "dan", "eve"]
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    /// A client that follows the feed across connections.
    private final class Follower: Sendable {
        struct State {
            var cursor: String
            var position: Int
            var ids: [String] = []
            var sequence: [Int] = []
            /// Frames that do not begin where the one before ended.
            var gapCount = 0
            var resyncCount = 0
        }

        let state: Mutex<State>

        init(cursor: String) throws {
            let position = try #require(cursor.split(separator: "-").last.flatMap { Int($0) })
            state = Mutex(State(cursor: cursor, position: position))
        }

        var cursor: String { state.withLock { $0.cursor } }

        func take(_ event: [String: Any]) {
            let isFrame = event["event"] as? String == "frame"
            let isResync = event["event"] as? String == "resync"
            let (start, end) = (event["prev"] as? Int, event["pos"] as? Int)
            let cursor = event["cursor"] as? String
            let messages = (event["changes"] as? [[String: Any]] ?? []).compactMap { change -> (String, Int)? in
                guard let message = change["message"] as? [String: Any], let id = message["id"] as? String,
                    let seq = message["seq"] as? Int
                else { return nil }
                return (id, seq)
            }
            state.withLock { state in
                if isResync { state.resyncCount += 1 }
                if isFrame, start != state.position { state.gapCount += 1 }
                state.cursor = cursor ?? state.cursor
                // A heartbeat moves the cursor, too.
                state.position = end ?? cursor?.split(separator: "-").last.flatMap { Int($0) } ?? state.position
                state.ids += messages.map(\.0)
                state.sequence += messages.map(\.1)
            }
        }

        /// Follows until a message came, or the server is gone.
        func follow(_ server: NexusServer, until id: String?) async {
            _ = try? await server.follow(cursor, user: "bob") { event in
                take(event)
                return id.map { wanted in state.withLock { $0.ids.contains(wanted) } } ?? false
            }
        }
    }

    /// What the writers know: the messages that were acknowledged, and how far each has come.
    private final class Ledger: Sendable {
        struct State {
            var acknowledged: [String] = []
            var next = [String: Int]()
        }

        let state = Mutex(State())

        /// Posts until the server is gone; a message without an acknowledgement is sent again by the next call.
        func write(as user: String, to server: NexusServer, in place: String) async {
            while true {
                let number = state.withLock { $0.next[user, default: 0] }
                let id = "\(user)-\(number)"
                let message = ["id": id, "text": "message \(id)", "senderId": user, "localId": "local-\(id)"]
                let reply = try? await server.send(
                    "POST", "/v1/conversations/\(place)/messages", message, user: user)
                guard let reply, [200, 201].contains(reply.status) else { return }
                state.withLock { state in
                    state.acknowledged.append(id)
                    state.next[user] = number + 1
                }
            }
        }

        var count: Int { state.withLock { $0.acknowledged.count } }
    }

    private static func play(
        _ server: NexusServer, _ ledger: Ledger, _ follower: Follower, in place: String, killAfter count: Int
    ) async {
        let goal = ledger.count + count
        await withTaskGroup(of: Void.self) { group in
            for user in writers { group.addTask { await ledger.write(as: user, to: server, in: place) } }
            group.addTask { await follower.follow(server, until: nil) }
            while ledger.count < goal, server.process.isRunning { try? await Task.sleep(for: .milliseconds(2)) }
            server.process.signal(SIGKILL)
        }
        _ = await server.process.result()
    }

    @Test func nothingIsLostOrShownTwiceWhenTheServerIsKilledUnderLoad() async throws {
        let binary = try NexusBinary()
        var server = try await NexusServer(binary, Self.local)
        let people = (Self.writers + ["bob"]).map { ["userId": $0] }
        let made = try await server.send(
            "POST", "/v1/conversations", ["id": "dock", "name": "Dock", "members": people], user: "ada")
        try #require(made.status == 201)
        let sync = try await server.send("GET", "/v1/sync", user: "bob")
        let follower = try Follower(cursor: try #require(sync.json["cursor"] as? String))
        let ledger = Ledger()
        for round in 0..<Self.killCount {
            // Killed at another point of the load each time.
            await Self.play(server, ledger, follower, in: "dock", killAfter: 5 + round * 7 % 31)
            server = try await NexusServer(binary, Self.local)
        }
        let last = ["id": "end", "text": "the end", "senderId": "ada", "localId": "local-end"]
        let reply = try await server.send("POST", "/v1/conversations/dock/messages", last, user: "ada")
        await follower.follow(server, until: "end")
        let history = try await Self.history(of: "dock", on: server)
        _ = await server.stop()

        let seen = follower.state.withLock { $0 }
        let acknowledged = ledger.state.withLock { $0.acknowledged } + ["end"]
        #expect(acknowledged.count >= Self.killCount * 5)
        #expect(Set(acknowledged).subtracting(history).isEmpty)
        #expect(Set(acknowledged).subtracting(seen.ids).isEmpty)
        #expect(seen.ids.count == Set(seen.ids).count)
        // Also what was stored without an acknowledgement is shown once, in its place.
        #expect(Set(seen.ids) == Set(history))
        #expect(seen.sequence == Array(1...history.count))
        #expect(reply.json["seq"] as? Int == history.count)
        #expect(seen.gapCount == 0 && seen.resyncCount == 0)
    }

    private static func history(of place: String, on server: NexusServer) async throws -> [String] {
        var ids: [String] = []
        while true {
            let path = "/v1/conversations/\(place)/messages?limit=200" + (ids.last.map { "&before=\($0)" } ?? "")
            let page = try await server.send("GET", path, user: "bob")
            let found = try #require(page.json["messages"] as? [[String: Any]], "\(page.json)")
                .compactMap { $0["id"] as? String }
            guard !found.isEmpty else { return ids }
            ids += found
        }
    }
}
