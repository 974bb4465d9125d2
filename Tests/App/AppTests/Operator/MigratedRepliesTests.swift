import Foundation
import PostgresTestSupport
import TestSupport
import Testing
import Transport

/// A workspace that was used, and moves to PostgreSQL and back: each reply of the API stays the same.
@Suite(.hangGuard) struct MigratedRepliesTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]
    private static let people = ["ada", "bob", "eve"]

    /// Routes whose replies name the server, the time or the log.
    private static let leftOut: Set<String> = [
        "/metrics", "/v1/status", "/v1/feed", "/v1/socket", "/health", "/healthz", "/ready", "/readyz", "/openapi.json",
        "/v1/push/key", "/v1/session/oidc/start", "/v1/models",
    ]

    /// Fields that name the log, or the time of the request.
    private static let changing: Set<String> = [
        "cursor", "nextCursor", "cursors", "epoch", "queryTime", "pos", "prev", "next", "now", "traceId", "requestId",
        "serverTime", "ts",
    ]

    private func use(_ server: NexusServer) async throws -> [String: [String]] {
        func send(_ method: String, _ path: String, _ body: [String: Any]? = nil, by user: String) async throws
            -> [String: Any]
        {
            let reply = try await server.send(method, path, body, user: user)
            #expect((200..<300).contains(reply.status), "\(method) \(path): \(reply.status) \(reply.json)")
            return reply.json
        }
        let members = Self.people.map { ["userId": $0] }
        for id in ["pier", "yard", "gone"] {
            _ = try await send("POST", "/v1/conversations", ["id": id, "name": id, "members": members], by: "ada")
        }
        let messages = "/v1/conversations/pier/messages"
        for number in 0..<12 {
            let person = Self.people[number % 3]
            let body: [String: Any] = ["id": "m\(number)", "text": "@bob berth \(number) is free on Monday"]
            _ = try await send("POST", messages, body, by: person)
        }
        _ = try await send("POST", messages, ["id": "reply", "text": "which one?", "replyTo": "m3"], by: "bob")
        _ = try await send("PATCH", "\(messages)/m3", ["text": "berth 3 is taken"], by: "ada")
        _ = try await send("PUT", "\(messages)/m4/reactions/%F0%9F%91%8D", [:], by: "ada")
        for id in ["m11", "m5"] { _ = try await send("DELETE", "\(messages)/\(id)", by: "eve") }
        var files: [String] = []
        for (number, name) in ["kept", "deleted"].enumerated() {
            let file = try await upload("the crane stands in \(name) street", to: server)
            files.append(file)
            let body: [String: Any] = ["id": "f\(number)", "text": "see the plan", "attachments": [file]]
            _ = try await send("POST", messages, body, by: "ada")
        }
        _ = try await send("DELETE", "\(messages)/f1", by: "ada")
        let asked = try await send("POST", "/v1/ask", ["question": "Which berth is free?"], by: "ada")
        let thread = try await send("POST", "/v1/threads", ["title": "Berths"], by: "ada")
        _ = try await send("DELETE", "/v1/conversations/gone/members/eve", by: "ada")
        return [
            "conversation": ["pier", "yard", "gone"],
            "message": (0..<12).map { "m\($0)" } + ["reply", "f0", "f1"], "file": files, "user": Self.people,
            "member": Self.people, "turn": [asked["turnId"] as? String].compactMap { $0 },
            "thread": [thread["id"] as? String ?? thread["threadId"] as? String].compactMap { $0 },
        ]
    }

    private func upload(_ text: String, to server: NexusServer) async throws -> String {
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let response = try await transport.send(
            HTTPExchangeRequest(
                method: "POST", url: server.url + "/v1/files?name=plan.txt",
                headers: ["X-Nexus-User": "ada", "Content-Type": "application/octet-stream"], body: Data(text.utf8),
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
        await transport.shutdown()
        let json = try JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return try #require(json?["id"] as? String)
    }

    /// Returns the paths of all routes that read, with each combination of values.
    private func paths(_ server: NexusServer, _ found: [String: [String]]) async throws -> [String] {
        let routes = try #require(
            try await server.send("GET", "/openapi.json").json["paths"] as? [String: [String: Any]])
        var paths: [String] = []
        for (path, methods) in routes where methods["get"] != nil && !Self.leftOut.contains(path) {
            var filled = [path]
            while let open = filled.first?.firstIndex(of: "{"), let close = filled.first?.firstIndex(of: "}") {
                let name = String(filled[0][filled[0].index(after: open)..<close])
                filled = filled.flatMap { path in
                    (found[name] ?? ["unknown"]).map { path.replacing("{\(name)}", with: $0) }
                }
            }
            paths += filled
        }
        return paths.sorted()
    }

    /// Returns the replies to all reads of all people, without what names the log.
    private func replies(_ server: NexusServer, _ paths: [String]) async throws -> [String: String] {
        var replies: [String: String] = [:]
        for person in Self.people {
            for path in paths {
                let (status, body) = try await server.exchange("GET", path, user: person)
                replies["\(person) \(path)"] = "\(status) \(Self.text(body))"
            }
            let found = try await server.exchange("POST", "/v1/search", ["query": "which berth is free?"], user: person)
            replies["\(person) search"] = "\(found.status) \(Self.text(found.body))"
        }
        return replies
    }

    private static func text(_ body: Data) -> String {
        guard let json = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed),
            let data = try? JSONSerialization.data(
                withJSONObject: unchanging(json), options: [.sortedKeys, .fragmentsAllowed])
        else { return String(decoding: body, as: UTF8.self) }
        return String(decoding: data, as: UTF8.self)
    }

    private static func unchanging(_ value: Any) -> Any {
        if let object = value as? [String: Any] {
            return object.filter { !changing.contains($0.key) }.mapValues(unchanging)
        }
        return (value as? [Any])?.map(unchanging) ?? value
    }

    @Test func everyReplyIsTheSameAfterAMigration() async throws {
        try await PostgresServer.shared().withDatabase { address in
            let (binary, node, back) = (try NexusBinary(), try NexusBinary(), try NexusBinary())
            let first = try await NexusServer(binary, Self.local)
            let found = try await use(first)
            #expect(found.values.allSatisfy { !$0.isEmpty })
            _ = await first.stop()
            #expect(try await binary.run(["ingest"] + Self.local).status == 0)
            let again = try await NexusServer(binary, Self.local)
            let paths = try await paths(again, found)
            let wanted = try await replies(again, paths)
            #expect(wanted.values.contains { $0.hasPrefix("200") && $0.contains("berth 3 is taken") })
            _ = await again.stop()

            let there = try await binary.run(["migrate", "--from", binary.data.path, "--to", address])
            try #require(there.status == 0, "\(there.errors)")
            let second = try await NexusServer(node, Self.local + ["--set", "store.url=\(address)"])
            try await compare(try await replies(second, paths), wanted)
            _ = await second.stop()

            let home = try await back.run(["migrate", "--from", address, "--to", back.data.path])
            try #require(home.status == 0, "\(home.errors)")
            let third = try await NexusServer(back, Self.local)
            try await compare(try await replies(third, paths), wanted)
            _ = await third.stop()
        }
    }

    private func compare(_ found: [String: String], _ wanted: [String: String]) async throws {
        for (request, reply) in wanted { #expect(found[request] == reply, "\(request)") }
    }
}
