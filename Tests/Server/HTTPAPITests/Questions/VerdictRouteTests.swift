import ChatCore
import Foundation
import NexusModel
import Retrieval
import ServerTestSupport
import TestSupport
import Testing

/// `POST /v1/timeline/verdicts`, and what it does to timelines over HTTP and MCP.
struct VerdictRouteTests {
    private static func hit(_ id: MessageID, _ text: String, rank: Int) -> Hit {
        let message = Message(
            key: MessageKey(conversationID: "team", messageID: id), senderID: "ben", senderName: "Ben", text: text,
            timestamp: Sample.now + .seconds((rank - 9) * 3_600))
        return Hit(message: message, conversation: Sample.hit.conversation, rank: rank, relevance: 0.75)
    }

    private static let hits = [
        hit("m1", "Hello. The launch is on 12 November.", rank: 1),
        hit("m2", "The launch is moved to 20 November.", rank: 2),
    ]

    /// Runs a server whose search finds two messages of Ben in a conversation of Ada, Ben and Cem.
    private func withTeam<Value: Sendable>(_ body: (RunningServer) async throws -> Value) async throws -> Value {
        var parts = ServerParts()
        parts.searching = StubSearching(.success(Self.hits))
        return try await withServer(parts) { server in
            _ = try await server.store.store(
                [.of("team", ["ada", "ben", "cem"], name: "Team")], source: "api", mode: .posting, at: Sample.now)
            _ = try await server.store.accept(
                Self.hits.map(\.message), source: "api", mode: .posting, at: Sample.now)
            return try await body(server)
        }
    }

    private func headers(_ user: String) -> [(name: String, value: String)] {
        [(name: "X-Nexus-User", value: user)]
    }

    private static func verdict(_ word: String, _ rest: String = "") -> String {
        #"{"verdict":"\#(word)","message":{"conversationId":"team","messageId":"m1"},"#
            + #""replacedBy":{"conversationId":"team","messageId":"m2"}\#(rest)}"#
    }

    private func say(_ body: String, _ server: RunningServer, as user: String = "ada") async throws -> Int {
        try await server.send("POST", "/v1/timeline/verdicts", body, headers: headers(user)).status
    }

    private func timeline(_ server: RunningServer, as user: String = "ada") async throws -> ChatTimeline {
        let reply = try await server.send("POST", "/v1/timeline", #"{"subject":"launch"}"#, headers: headers(user))
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(ChatTimeline.self, from: Data(reply.text.utf8))
    }

    @Test func aPersonCorrectsATimelineAndTakesItBack() async throws {
        try await withTeam { server in
            let newer = MessagePlace(conversationId: "team", messageId: "m2")
            #expect(try await timeline(server).entries.map(\.replacedBy) == [nil, newer])

            #expect(try await say(Self.verdict("holds"), server) == 204)

            for user in ["ada", "ben"] {
                let entries = try await timeline(server, as: user).entries
                #expect(entries.map(\.replacedBy) == [nil, nil])
                #expect(entries.first?.replaces == nil && entries.first?.verdict == nil)
                let verdict = try #require(entries.last?.verdict)
                #expect(verdict.verdict == "holds" && !verdict.isReplaced && verdict.newer == newer)
                #expect(verdict.userId == "ada" && verdict.userName == "Name of ada")
                #expect(entries.last?.states.map(\.isReplaced) == [nil])
            }

            #expect(try await say(Self.verdict("replaced"), server, as: "ben") == 204)
            #expect(try await timeline(server).entries.last?.replacedBy == newer)
            #expect(try await timeline(server).entries.last?.verdict?.userId == "ben")

            #expect(try await say(Self.verdict("none"), server, as: "ben") == 204)
            #expect(try await timeline(server).entries.last?.verdict?.userId == "ada")
            #expect(try await say(Self.verdict("none"), server) == 204)
            #expect(try await timeline(server).entries.map(\.replacedBy) == [nil, newer])
        }
    }

    @Test func aVerdictOnAnotherSentenceLeavesThisOneAlone() async throws {
        try await withTeam { server in
            #expect(try await say(Self.verdict("holds", #","start":0,"end":6"#), server) == 204)
            let other = try await timeline(server)
            #expect(other.entries.last?.replacedBy != nil && other.entries.last?.verdict == nil)

            #expect(try await say(Self.verdict("holds", #","start":7,"end":36"#), server) == 204)
            let corrected = try #require(try await timeline(server).entries.last)
            #expect(corrected.replacedBy == nil)
            #expect(corrected.verdict?.start == corrected.start && corrected.verdict?.end == corrected.end)
            #expect(corrected.verdict?.start == 7)
        }
    }

    @Test func theToolOfAssistantsFollows() async throws {
        try await withTeam { server in
            #expect(try await say(Self.verdict("holds"), server) == 204)
            let call =
                #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_timeline","#
                + #""arguments":{"subject":"launch"}}}"#

            let reply = try await server.send("POST", "/mcp", call, headers: headers("ben"))

            #expect(reply.status == 200)
            #expect(!reply.text.contains(#"replacedBy"#) && reply.text.contains(#"holds"#), "\(reply.text)")
        }
    }

    @Test func whoReadsNotBothMessagesLearnsNothing() async throws {
        try await withTeam { server in
            let foreign = try await server.send(
                "POST", "/v1/timeline/verdicts", Self.verdict("holds"), headers: headers("eve"))
            #expect(foreign.status == 403 && foreign.text.contains("conversation_forbidden"))
            try await server.store.removeMember("cem", from: "team", at: Sample.now)
            #expect(try await say(Self.verdict("holds"), server, as: "cem") == 403)
            let missing = #"{"verdict":"holds","message":{"conversationId":"team","messageId":"m1"},"#
            #expect(
                try await say(
                    missing + #""replacedBy":{"conversationId":"team","messageId":"none"}}"#, server) == 404)
            #expect(
                try await say(
                    missing + #""replacedBy":{"conversationId":"secret","messageId":"m1"}}"#, server) == 403)
            #expect(try await timeline(server).entries.last?.replacedBy != nil)
        }
    }

    @Test(arguments: [
        (verdict("maybe"), "verdict"), (verdict("holds", #","start":3"#), "end"),
        (verdict("holds", #","end":3"#), "start"), (verdict("holds", #","start":3,"end":3"#), "end"),
        (verdict("holds", #","start":-1,"end":3"#), "start"), (verdict("holds", #","start":0,"end":37"#), "end"),
        (#"{"message":{"conversationId":"team","messageId":"m1"}}"#, "verdict"),
        (#"{"verdict":"holds","message":{"conversationId":"team","messageId":"m1"}}"#, "replacedBy"),
        (#"{"verdict":"holds","message":"m1","replacedBy":"m2"}"#, "message"),
        (
            #"{"verdict":"replaced","message":{"conversationId":"team","messageId":"m2"},"#
                + #""replacedBy":{"conversationId":"team","messageId":"m1"}}"#, "replacedBy"
        ),
    ])
    func aWrongVerdictIsRefused(body: String, field: String) async throws {
        let reply = try await withTeam { server in
            try await server.send("POST", "/v1/timeline/verdicts", body, headers: headers("ada"))
        }

        #expect(reply.status == 400, "\(reply.text)")
        #expect(reply.text.contains(field), "\(reply.text)")
    }
}
