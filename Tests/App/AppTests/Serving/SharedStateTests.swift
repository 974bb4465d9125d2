import Foundation
import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

/// Two processes on one database: what they share besides messages.
@Suite(.hangGuard) struct SharedStateTests {
    private func withNodes(
        _ arguments: [String] = [], _ body: (NexusServer, NexusServer, String) async throws -> Void
    ) async throws {
        try await PostgresServer.shared().withDatabase { address in
            let settings =
                [
                    "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive", "--set",
                    "store.url=\(address)",
                ] + arguments
            let binaries = [try NexusBinary(), try NexusBinary()]
            let first = try await NexusServer(binaries[0], settings)
            let second = try await NexusServer(binaries[1], settings)
            try await body(first, second, address)
            for server in [first, second] {
                server.process.signal(SIGTERM)
                _ = await server.process.result()
            }
        }
    }

    @Test func aMessageThatIsSentToBothNodesIsStoredOnce() async throws {
        try await withNodes { first, second, address in
            let members: [String: Any] = ["id": "pier", "members": [["userId": "ada"]]]
            #expect(try await first.send("POST", "/v1/conversations", members, user: "ada").status == 201)
            let path = "/v1/conversations/pier/messages"
            for (number, nodes) in [[first, second], [second, first], [first, first]].enumerated() {
                let body = ["text": "berth \(number)"]
                let replies = [
                    try await nodes[0].send("POST", path, body, user: "ada", idempotencyKey: "k-\(number)"),
                    try await nodes[1].send("POST", path, body, user: "ada", idempotencyKey: "k-\(number)"),
                ]
                #expect(replies.map(\.status) == [201, 201])
                #expect(replies[0].json["id"] as? String == replies[1].json["id"] as? String)
            }
            let stored = try await PostgresServer.shared().number("SELECT COUNT(*) FROM messages", in: address)
            #expect(stored == 3)
        }
    }

    /// The first attempt dies with its node, after which the key is free.
    @Test func aKeyOfANodeThatWasKilledBecomesFree() async throws {
        try await withNodes { first, second, address in
            let members: [String: Any] = ["id": "pier", "members": [["userId": "ada"]]]
            #expect(try await first.send("POST", "/v1/conversations", members, user: "ada").status == 201)
            // With one key: those of a dictionary have no order, and another order is another body.
            let (path, body) = ("/v1/conversations/pier/messages", ["text": "berth"])
            let made = try await first.send("POST", path, body, user: "ada", idempotencyKey: "k")
            #expect(made.status == 201)
            // As if it had not finished.
            _ = try await PostgresServer.shared().number(
                "UPDATE kept_responses SET ends_at = NULL, status = NULL RETURNING 1", in: address)
            let early = try await second.send("POST", path, body, user: "ada", idempotencyKey: "k")
            #expect(early.status == 409)
            #expect(early.json["code"] as? String == "idempotency_key_in_work")

            first.process.signal(SIGKILL)
            var code: String?
            repeat {
                let reply = try await second.send("POST", path, body, user: "ada", idempotencyKey: "k")
                code = reply.json["code"] as? String
                try await Task.sleep(for: .milliseconds(100))
            } while code == "idempotency_key_in_work"
        }
    }

    /// One node leads at a time: not one that cannot renew its lease, and another one when the first has died.
    @Test func whoCannotRenewItsLeaseDoesNotLead() async throws {
        func hasSaid(_ text: String, _ server: NexusServer, count: Int = 1) -> Bool {
            server.process.errorText.ranges(of: text).count >= count
        }
        let (leads, leadsNoMore) = ("This node leads", "This node does not lead any more")
        try await PostgresServer.shared().withDatabase { address in
            let settings = [
                "--log-level", "info", "--set", "embedding.provider=builtin", "--set", "chat.provider=extractive",
                "--set", "store.url=\(address)",
            ]
            let first = try await NexusServer(try NexusBinary(), settings)
            while !hasSaid(leads, first) { await shortPause() }
            let second = try await NexusServer(try NexusBinary(), settings)

            let connection = try LibpqConnection(address)
            defer { connection.close() }
            try connection.run("SET idle_in_transaction_session_timeout = 0; BEGIN; LOCK TABLE leases")
            // The database does not refuse the renewal, and does not answer.
            while !hasSaid(leadsNoMore, first) { await shortPause() }
            #expect(!hasSaid(leads, second))
            try connection.run("COMMIT")
            while !hasSaid(leads, first, count: 2), !hasSaid(leads, second) { await shortPause() }

            let (leader, other) = hasSaid(leads, second) ? (second, first) : (first, second)
            let count = other.process.errorText.ranges(of: leads).count
            leader.process.signal(SIGKILL)
            while !hasSaid(leads, other, count: count + 1) { await shortPause() }
            other.process.signal(SIGTERM)
            for server in [leader, other] { _ = await server.process.result() }
        }
    }

    @Test func ticketsOfBothNodesCountTogether() async throws {
        try await withNodes(["--set", "limits.live-handshakes-per-minute=5"]) { first, second, _ in
            var statuses: [Int] = []
            let start = ContinuousClock.now
            while statuses.last != 429, statuses.count < 40 {
                let node = statuses.count % 2 == 0 ? first : second
                statuses.append(try await node.send("POST", "/v1/feed/ticket", [String: String](), user: "ada").status)
            }
            let most = mostAllowed(5, in: .seconds(60), during: start.duration(to: .now))
            #expect((5...most).contains(statuses.filter { $0 == 200 }.count), "\(statuses)")
        }
    }
}
