import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Revision 2026-07-28 of the Model Context Protocol, without a handshake.
@Suite(.hangGuard) struct MCPRevisionTests {
    private typealias Headers = [(name: String, value: String)]
    private static let prefix = "io.modelcontextprotocol/"

    private func meta(_ version: String = "2026-07-28", capabilities: String = "{}") -> String {
        #""_meta":{"\#(Self.prefix)protocolVersion":"\#(version)","\#(Self.prefix)clientCapabilities":\#(capabilities)}"#
    }

    private func message(_ method: String, _ params: String = "", meta: String? = nil) -> String {
        let more = params.isEmpty ? "" : params + ","
        return #"{"jsonrpc":"2.0","id":7,"method":"\#(method)","params":{\#(more)\#(meta ?? self.meta())}}"#
    }

    private func headers(
        _ method: String, name: String? = nil, version: String = "2026-07-28", accept: String = "application/json"
    ) -> Headers {
        [("MCP-Protocol-Version", version), ("Mcp-Method", method), ("Accept", accept)]
            + (name.map { [("Mcp-Name", $0)] } ?? [])
    }

    private func exchange(_ body: String, _ headers: Headers, _ parts: ServerParts = ServerParts()) async throws
        -> Reply
    {
        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"}]}"#)
            let said = #"{"id":"m 1","senderId":"ada","text":"one","timestamp":1000}"#
            _ = try await server.send("POST", "/v1/conversations/team/messages", said)
            return try await server.send("POST", "/mcp", body, headers: headers)
        }
    }

    private func object(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any])
    }

    private func code(_ reply: Reply) throws -> Int? { (try object(reply)["error"] as? [String: Any])?["code"] as? Int }

    private func result(_ reply: Reply) throws -> [String: Any] {
        #expect(reply.status == 200, "\(reply.text)")
        let result = try #require(try object(reply)["result"] as? [String: Any], "\(reply.text)")
        #expect(result["resultType"] as? String == "complete")
        let meta = try #require(result["_meta"] as? [String: [String: String]])
        #expect(meta[Self.prefix + "serverInfo"]?["name"] == "nexus")
        return result
    }

    @Test func aServerSaysWhatItIs() async throws {
        let result = try result(try await exchange(message("server/discover"), headers("server/discover")))

        #expect(
            result["supportedVersions"] as? [String] == ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
        #expect((result["capabilities"] as? [String: Any])?.keys.sorted() == ["resources", "tools"])
        #expect(result["protocolVersion"] == nil)
    }

    @Test(arguments: ["tools/list", "resources/list", "resources/templates/list"])
    func listsMayBeKept(method: String) async throws {
        let result = try result(try await exchange(message(method), headers(method)))

        #expect(result["cacheScope"] as? String == "public")
        #expect((result["ttlMs"] as? Int ?? 0) > 0)
    }

    @Test func whatAPersonReadsIsNotKept() async throws {
        let uri = "nexus://conversations/team/messages/m%201"
        let result = try result(
            try await exchange(
                message("resources/read", #""uri":"\#(uri)""#), headers("resources/read", name: uri)))

        #expect(result["cacheScope"] as? String == "private" && result["ttlMs"] as? Int == 0)
    }

    @Test func aToolIsCalled() async throws {
        let body = message("tools/call", #""name":"list_conversations","arguments":{}"#)
        for name in ["list_conversations", "=?base64?bGlzdF9jb252ZXJzYXRpb25z?="] {
            let result = try result(try await exchange(body, headers("tools/call", name: name)))
            #expect(result["isError"] as? Bool == false && result["ttlMs"] == nil)
        }
    }

    @Test(arguments: [nil, "Mcp-Method", "Mcp-Name", "MCP-Protocol-Version"])
    func aHeaderThatIsMissingOrDiffersIsRefused(missing: String?) async throws {
        let body = message("tools/call", #""name":"list_conversations","arguments":{}"#)
        var given = headers("tools/call", name: "list_conversations")
        if let missing { given.removeAll { $0.name == missing } } else { given[3].value = "ask" }

        let reply = try await exchange(body, given)

        #expect(reply.status == 400)
        #expect(try code(reply) == -32_020)
    }

    @Test func aVersionInTheMessageThatDiffersFromTheHeaderIsRefused() async throws {
        let body = message("tools/list", meta: meta("2025-11-25"))
        #expect(try code(try await exchange(body, headers("tools/list"))) == -32_020)
    }

    @Test(arguments: [#""_meta":{}"#, #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#])
    func aRequestThatSaysNothingOfItsClientIsRefused(meta: String) async throws {
        let reply = try await exchange(message("tools/list", meta: meta), headers("tools/list"))

        #expect(reply.status == 400)
        #expect(try code(reply) == -32_602)
    }

    @Test func anUnknownVersionGetsTheKnownOnes() async throws {
        let reply = try await exchange(
            message("tools/list", meta: meta("2031-01-01")), headers("tools/list", version: "2031-01-01"))

        #expect(reply.status == 400)
        #expect(try code(reply) == -32_022)
        #expect(reply.text.contains(#""requested":"2031-01-01","supported":["2026-07-28""#))
    }

    @Test(arguments: ["initialize", "ping", "no/such"]) func otherMethodsAreNotFound(method: String) async throws {
        let reply = try await exchange(message(method), headers(method))

        #expect(reply.status == 404)
        #expect(try code(reply) == -32_601)
    }

    @Test func olderRevisionsDoNotKnowTheNewMethods() async throws {
        let body = #"{"jsonrpc":"2.0","id":7,"method":"server/discover"}"#
        let reply = try await exchange(body, [("MCP-Protocol-Version", "2025-11-25")])

        #expect(reply.status == 200)
        #expect(try code(reply) == -32_601)
    }

    @Test func anUnknownMessageHasTheCodeOfTheRevision() async throws {
        let uri = "nexus://conversations/team/messages/none"
        let reply = try await exchange(
            message("resources/read", #""uri":"\#(uri)""#), headers("resources/read", name: uri))
        #expect(try code(reply) == -32_602)
    }

    @Test func aClientThatTakesStreamsGetsTheHeadAtOnce() async throws {
        var parts = ServerParts()
        let answering = StubAnswering(ending: .hang)
        parts.answering = answering
        try await withServer(parts) { server in
            let given = headers("tools/call", name: "ask", accept: "application/json, text/event-stream")
            let body = message("tools/call", #""name":"ask","arguments":{"question":"When?"}"#)
            let response = try await server.stream("/mcp", body, headers: given)
            #expect(response.status == 200)
            #expect(response.headers["Content-Type"] == "text/event-stream")
        }
    }

    @Test func aStreamEndsWithTheResult() async throws {
        let given = headers("tools/call", name: "list_conversations", accept: "application/json, text/event-stream")
        let reply = try await exchange(message("tools/call", #""name":"list_conversations","arguments":{}"#), given)

        let lines = reply.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == ":" && lines.count { $0 == "event: message" } == 1)
        let data = try #require(lines.first { $0.hasPrefix("data: ") })
        let answer = Reply(status: 200, headers: [], text: String(data.dropFirst(6)))
        #expect(try result(answer)["isError"] as? Bool == false)
    }
}
