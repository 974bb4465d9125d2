import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The Model Context Protocol at `/mcp`, message by message.
struct MCPTests {
    private static let team = #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#

    private func exchange(
        _ body: String, _ parts: ServerParts = ServerParts(), headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            for (index, text) in ["one", "two", "three", "four", "five"].enumerated() {
                let message =
                    #"{"id":"m\#(index + 1)","senderId":"ben","text":"\#(text)","timestamp":\#(index * 1_000)}"#
                _ = try await server.send("POST", "/v1/conversations/team/messages", message)
            }
            return try await server.send("POST", "/mcp", body, headers: headers)
        }
    }

    private func call(_ name: String, _ arguments: String) -> String {
        #"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\#(name)","arguments":\#(arguments)}}"#
    }

    private func object(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any])
    }

    private func result(_ reply: Reply) throws -> [String: Any] {
        #expect(reply.status == 200)
        let object = try object(reply)
        #expect(object["id"] as? Int == 7)
        return try #require(object["result"] as? [String: Any], "\(reply.text)")
    }

    private func text(_ result: [String: Any]) throws -> String {
        let content = try #require(result["content"] as? [[String: String]])
        #expect(content.map { $0["type"] } == ["text"])
        return try #require(content.first?["text"])
    }

    private func isError(_ result: [String: Any]) -> Bool? { result["isError"] as? Bool }

    /// Returns the code of an error of JSON-RPC.
    private func code(_ reply: Reply) throws -> Int? { (try object(reply)["error"] as? [String: Any])?["code"] as? Int }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
        ("2031-01-01", "2025-11-25"),
    ])
    func aVersionIsAgreedUpon(wanted: String, agreed: String) async throws {
        let params = #"{"protocolVersion":"\#(wanted)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}"#
        let reply = try await exchange(#"{"jsonrpc":"2.0","id":7,"method":"initialize","params":\#(params)}"#)

        let result = try result(reply)
        #expect(result["protocolVersion"] as? String == agreed)
        #expect((result["capabilities"] as? [String: Any])?.keys.sorted() == ["resources", "tools"])
        let info = try #require(result["serverInfo"] as? [String: String])
        #expect(info["name"] == "nexus" && info["title"] == "Nexus" && info["version"] == "9.8.7")
    }

    @Test func theToolsAreListedWithTheirSchemas() async throws {
        let reply = try await exchange(#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#)

        let tools = try #require(try result(reply)["tools"] as? [[String: Any]])
        #expect(
            tools.compactMap { $0["name"] as? String } == [
                "search_messages", "ask", "read_timeline", "list_conversations", "get_conversation",
                "summarize_conversation",
                "list_action_items", "list_decisions", "list_deadlines", "post_message",
            ])
        let required = tools.map { ($0["inputSchema"] as? [String: Any])?["required"] as? [String] ?? [] }
        #expect(
            required == [
                ["query"], ["question"], ["subject"], [], ["conversationId"], ["conversationId"], [], [], [],
                ["conversationId", "text"],
            ])
        let readOnly = tools.filter { ($0["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true }
        #expect(readOnly.count == tools.count - 2)
        for tool in tools {
            #expect((tool["outputSchema"] as? [String: Any])?["type"] as? String == "object")
        }
        #expect(!reply.text.contains("$ref"))
    }

    @Test func anArgumentThatAToolDoesNotKnowIsRefused() async throws {
        let reply = try await exchange(call("search_messages", #"{"query":"launch","userId":"eve"}"#))

        let result = try result(reply)
        #expect(isError(result) == true)
        #expect(try text(result).hasPrefix("invalid_field: userId is not known here"))
    }

    @Test func messagesAreFoundForTheOneWhoAsks() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([Sample.hit]))

        let reply = try await exchange(call("search_messages", #"{"query":"launch","topK":3}"#), parts)

        let result = try result(reply)
        #expect(isError(result) == false)
        let structured = try #require(result["structuredContent"] as? [String: Any])
        let results = try #require(structured["results"] as? [[String: Any]])
        let found = try #require(results.first)
        #expect(found["text"] as? String == "The launch is on Friday.")
        // What a model does not need costs it nothing.
        #expect(
            found.keys.sorted() == [
                "conversationId", "conversationName", "messageId", "senderName", "text", "timestamp",
            ])
        let lines = try text(result).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].contains(lines[1]) && lines[1] == lines[3])
        #expect(lines[2].contains(#""messageId":"m1""#))
        #expect(
            parts.searching.requests == [
                SearchRequest(
                    question: "launch", scope: SearchScope(asker: "ada", conversations: .all), limit: 3,
                    askedAt: Sample.now)
            ])
    }

    @Test func aLongMessageIsFoundByTheSentencesThatMatter() async throws {
        var message = Sample.message
        message.text = String(repeating: "The launch is on Friday. ", count: 40)
        let hit = Hit(message: message, conversation: Sample.hit.conversation, rank: 1, relevance: 0.75)
        var parts = ServerParts()
        parts.searching = StubSearching(.success([hit]))

        let result = try result(try await exchange(call("search_messages", #"{"query":"launch"}"#), parts))

        let results = (result["structuredContent"] as? [String: Any])?["results"] as? [[String: Any]]
        let found = try #require(results?.first)
        let text = try #require(found["text"] as? String)
        #expect(text.count <= 300 && message.text.contains(text))
        #expect(found["isPart"] as? Bool == true)
    }

    @Test func aQuestionIsAnswered() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)

        let result = try result(try await exchange(call("ask", #"{"question":"When?"}"#), parts))

        #expect(isError(result) == false)
        #expect((result["structuredContent"] as? [String: Any])?["answer"] as? String == "Friday [1]")
        #expect(try text(result).contains(Sample.answerJSON()))
        #expect(parts.answering.requests.map(\.scope.asker) == ["ada"])
    }

    @Test func conversationsAreListedPageByPage() async throws {
        let first = try result(try await exchange(call("list_conversations", #"{"limit":1}"#)))
        let rest = try result(try await exchange(call("list_conversations", #"{"after":"team"}"#)))
        let foreign = try result(
            try await exchange(call("list_conversations", "{}"), headers: [("X-Nexus-User", "eve")]))

        func ids(_ result: [String: Any]) -> [String]? {
            let page = result["structuredContent"] as? [String: Any]
            return (page?["conversations"] as? [[String: Any]])?.compactMap { $0["id"] as? String }
        }
        #expect([ids(first), ids(rest), ids(foreign)] == [["team"], [], []])
    }

    @Test func itemsAreListedForThoseWhoSeeTheirConversation() async throws {
        for tool in ["list_action_items", "list_decisions", "list_deadlines"] {
            let own = try result(try await exchange(call(tool, #"{"conversationId":"team"}"#)))
            #expect(isError(own) == false)
            #expect((own["structuredContent"] as? [String: Any])?["items"] as? [String] == [])
            let all = try result(try await exchange(call(tool, "{}")))
            #expect(isError(all) == false)
            let foreign = try result(
                try await exchange(call(tool, #"{"conversationId":"team"}"#), headers: [("X-Nexus-User", "eve")]))
            #expect(try text(foreign).hasPrefix("conversation_forbidden: "))
        }
    }

    @Test func aConversationIsSummarized() async throws {
        var parts = ServerParts()
        parts.model = FakeLanguageModel(replies: [.text("Five numbers [2].")])

        let result = try result(
            try await exchange(call("summarize_conversation", #"{"conversationId":"team"}"#), parts))

        let answer = try #require(result["structuredContent"] as? [String: Any])
        #expect(answer["answer"] as? String == "Five numbers [1].")
        let sources = try #require(answer["sources"] as? [[String: Any]])
        #expect(sources.map { $0["number"] as? Int } == [1])
        #expect(sources.map { $0["messageId"] as? String } == ["m2"])
    }

    @Test func aMessageIsAResourceForThoseWhoMaySeeIt() async throws {
        func read(_ uri: String, as user: String = "ada") async throws -> Reply {
            try await exchange(
                #"{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"\#(uri)"}}"#,
                headers: [("X-Nexus-User", user)])
        }
        let list = try result(try await exchange(#"{"jsonrpc":"2.0","id":7,"method":"resources/list"}"#))
        #expect((list["resources"] as? [Any])?.isEmpty == true)
        let templates = try result(
            try await exchange(#"{"jsonrpc":"2.0","id":7,"method":"resources/templates/list"}"#))
        #expect(
            (templates["resourceTemplates"] as? [[String: String]])?.first?["uriTemplate"]
                == "nexus://conversations/{conversationId}/messages/{messageId}")

        let found = try result(try await read("nexus://conversations/team/messages/m2"))
        let content = try #require((found["contents"] as? [[String: String]])?.first)
        #expect(content["mimeType"] == "application/json")
        #expect(content["text"]?.contains(#""text":"two""#) == true)
        for (uri, user) in [
            ("nexus://conversations/team/messages/m2", "eve"), ("nexus://conversations/team/messages/m9", "ada"),
            ("nexus://conversations/other/messages/m2", "ada"), ("nexus://conversations/team", "ada"),
            ("https://example.com", "ada"), ("nexus://conversations/%ZZ/messages/m2", "ada"),
        ] {
            #expect(try code(try await read(uri, as: user)) == -32_002, "\(uri)")
        }
    }

    @Test(arguments: [
        (#""limit":2"#, ["m4", "m5"]), (#""before":"m3""#, ["m1", "m2"]),
        (#""around":"m3","limit":3"#, ["m2", "m3", "m4"]), (#""around":"m1","limit":3"#, ["m1", "m2", "m3"]),
        (#""around":"m5","limit":1"#, ["m5"]),
    ]) func aConversationIsReadInOrder(more: String, ids: [String]) async throws {
        let result = try result(
            try await exchange(call("get_conversation", #"{"conversationId":"team",\#(more)}"#)))

        let structured = try #require(result["structuredContent"] as? [String: Any])
        let messages = try #require(structured["messages"] as? [[String: Any]])
        #expect(messages.compactMap { $0["id"] as? String } == ids)
        #expect((structured["conversation"] as? [String: Any])?["id"] as? String == "team")
    }

    @Test(arguments: [
        ("get_conversation", #"{"conversationId":"team"}"#, "conversation_forbidden"),
        ("get_conversation", #"{"conversationId":"unknown"}"#, "conversation_forbidden"),
        ("get_conversation", #"{"conversationId":"team","around":"m1"}"#, "conversation_forbidden"),
        ("get_conversation", #"{}"#, "invalid_field"), ("search_messages", #"{"query":1}"#, "invalid_field"),
        ("ask", #"{"question":" "}"#, "invalid_field"), ("ask", "[]", "invalid_field"),
    ]) func whatGoesWrongInAToolIsAResultThatSaysSo(tool: String, arguments: String, code: String) async throws {
        let reply = try await exchange(call(tool, arguments), headers: [("X-Nexus-User", "eve")])

        let result = try result(reply)
        #expect(isError(result) == true)
        #expect(try text(result).hasPrefix(code + ": "))
        #expect(result["structuredContent"] == nil)
    }

    @Test func anUnknownMessageInTheMiddleIsTold() async throws {
        let reply = try await exchange(call("get_conversation", #"{"conversationId":"team","around":"m9"}"#))

        #expect(try text(try result(reply)).hasPrefix("message_not_found: "))
    }

    @Test(arguments: [
        ("{", 400, -32_700), ("[]", 400, -32_600), ("1", 400, -32_600), ("{}", 400, -32_600),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, 400, -32_600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, 400, -32_600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, 400, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, 400, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":3}"#, 400, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe"}"#, 200, -32_601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"drop"}}"#, 200, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, 200, -32_602),
    ]) func whatIsNoCallIsRefused(body: String, status: Int, code: Int) async throws {
        let reply = try await exchange(body)

        #expect(reply.status == status)
        #expect(try self.code(reply) == code)
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"[{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}]"#,
    ]) func whatWantsNoAnswerIsTaken(body: String) async throws {
        let reply = try await exchange(body)

        #expect(reply.status == 202)
        #expect(reply.text == "")
    }

    @Test func aBatchIsAnsweredInOrderWhereTheVersionKnowsBatches() async throws {
        let batch =
            #"[{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},3,"#
            + #"{"jsonrpc":"2.0","id":2,"method":"initialize"},"# + call("ask", #"{"question":"q"}"#) + "]"
        let reply = try await exchange(batch)

        #expect(
            reply.text
                == #"[{"id":"a","jsonrpc":"2.0","result":{}},"#
                + #"{"error":{"code":-32600,"message":"the message must be an object"},"id":null,"jsonrpc":"2.0"},"#
                + #"{"error":{"code":-32601,"message":"there is no such method"},"id":2,"jsonrpc":"2.0"},"#
                + #"{"error":{"code":-32602,"message":"ask cannot be part of a batch"},"id":7,"jsonrpc":"2.0"}]"#)
        let newer = try await exchange(batch, headers: [("MCP-Protocol-Version", "2025-06-18")])
        #expect(newer.status == 400)
        #expect(try code(newer) == -32_600)
        let pings = Array(repeating: #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, count: 11).joined(separator: ",")
        #expect(try await exchange("[\(pings)]").status == 400)
    }

    @Test func anUnknownVersionIsRefusedWithTheOnesThatAreSpoken() async throws {
        let ping = #"{"jsonrpc":"2.0","id":"a","method":"ping"}"#

        let reply = try await exchange(ping, headers: [("MCP-Protocol-Version", "2031-01-01")])

        #expect(reply.status == 400)
        #expect(
            reply.text.contains(
                #""data":{"requested":"2031-01-01","supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]}"#)
        )
        #expect(try object(reply)["id"] as? String == "a")
        #expect(try await exchange(ping, headers: [("MCP-Protocol-Version", "2025-06-18")]).status == 200)
    }

    @Test(arguments: [
        ("http://localhost:6274", 200), ("http://127.0.0.1", 200), ("http://[::1]:80", 200),
        ("http://evil.example", 403), ("null", 403), ("http://localhost.evil.example", 403),
        ("https://chat.example.com", 200), ("http://chat.example.com", 403), ("https://chat.example.com:8443", 403),
    ]) func pagesOfOtherSitesAreRefused(origin: String, status: Int) async throws {
        var parts = ServerParts()
        parts.settings.crossOrigins = ["https://chat.example.com"]
        let reply = try await exchange(
            #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, parts,
            headers: [("Origin", origin)])

        #expect(reply.status == status)
        if status == 403 { #expect(reply.field("code") == "origin_forbidden") }
    }

    @Test(arguments: ["GET", "DELETE"]) func thereIsNoStreamAndNoSession(method: String) async throws {
        let reply = try await withServer { try await $0.send(method, "/mcp") }

        #expect(reply.status == 405)
        #expect(reply.headers["Allow"] == "POST")
    }
}
