import Assistant
import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct ConversationAssistantTests {
    private static let path = "/v1/conversations/team/assistant"
    private static let summary = "/v1/conversations/team/summary"
    private static let ben = [(name: "X-Nexus-User", value: "ben")]

    private func parts(_ replies: FakeLanguageModel.Reply...) -> (ServerParts, FakeLanguageModel) {
        let model = FakeLanguageModel(replies: replies)
        var parts = ServerParts()
        parts.model = model
        return (parts, model)
    }

    /// Ada and Ben talk in `team`, Eve alone in `den`.
    private func furnish(_ server: RunningServer) async throws {
        let eve = [(name: "X-Nexus-User", value: "eve")]
        let team = #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#
        _ = try await server.send("POST", "/v1/conversations", team)
        _ = try await server.send(
            "POST", "/v1/conversations", #"{"id":"den","members":[{"userId":"eve"}]}"#, headers: eve)
        for (id, sender, text) in [("m1", "ada", "Lunch at noon?"), ("m2", "ben", "Ben brings bread.")] {
            let body = #"{"id":"\#(id)","senderId":"\#(sender)","text":"\#(text)"}"#
            let headers = [(name: "X-Nexus-User", value: sender)]
            let reply = try await server.send(
                "POST", "/v1/conversations/team/messages", body, headers: headers)
            #expect(reply.status == 201)
        }
        _ = try await server.send(
            "POST", "/v1/conversations/den/messages", #"{"id":"m1","senderId":"eve","text":"canary"}"#, headers: eve)
    }

    private func json(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any])
    }

    @Test func offersPromptsToMembers() async throws {
        let (own, foreign, unknown) = try await withServer { server in
            try await furnish(server)
            return (
                try await server.send("GET", Self.path + "/suggestions"),
                try await server.send("GET", Self.path + "/suggestions", headers: [("X-Nexus-User", "eve")]),
                try await server.send("GET", "/v1/conversations/nowhere/assistant/suggestions")
            )
        }

        #expect(statuses(own, foreign, unknown) == [200, 403, 403])
        let suggestions = try #require(try json(own)["suggestions"] as? [[String: String]])
        #expect(suggestions.map { $0["id"] } == ["summary", "action-items", "decisions", "deadlines"])
        #expect(suggestions.first?["title"] == "Summarize thread")
        #expect(suggestions.first?["text"]?.hasPrefix("Summarize this conversation") == true)
        #expect(foreign.text == unknown.text)
    }

    @Test func answersAndKeepsTheExchangeOfEachPerson() async throws {
        let (parts, model) = parts(.text("Ben brings bread [2]."), .text("Noon [1]."))

        let replies = try await withServer(parts) { server in
            try await furnish(server)
            return [
                try await server.send("POST", Self.path, #"{"text":"Who brings what to the lunch?"}"#),
                try await server.send("POST", Self.path, #"{"text":"When is the lunch of the team?"}"#),
                try await server.send("GET", Self.path),
                try await server.send("GET", Self.path + "?limit=1"),
                try await server.send("GET", Self.path, headers: Self.ben),
                try await server.send("DELETE", Self.path, headers: Self.ben),
                try await server.send("DELETE", Self.path),
                try await server.send("GET", Self.path),
            ]
        }

        #expect(replies.map(\.status) == [200, 200, 200, 200, 200, 204, 204, 200])
        let answer = try json(replies[0])
        #expect(answer["answer"] as? String == "Ben brings bread [1].")
        let citations = try #require(answer["citations"] as? [[String: Any]])
        #expect(citations.map { $0["messageId"] as? String } == ["m2"])
        #expect((answer["coverage"] as? [String: Int]) == ["messageCount": 2, "summarizedCount": 0, "writtenCount": 0])
        let turns = try #require(try json(replies[2])["turns"] as? [[String: Any]])
        #expect(
            turns.map { $0["question"] as? String } == [
                "When is the lunch of the team?", "Who brings what to the lunch?",
            ])
        #expect(turns.map { $0["answer"] as? String } == ["Noon [1].", "Ben brings bread [1]."])
        let sources = try #require(turns[1]["sources"] as? [[String: Any]])
        #expect(sources.map { $0["messageId"] as? String } == ["m2"])
        #expect(sources.map { $0["excerpt"] as? String } == ["Ben brings bread."])
        #expect(sources.map { $0["number"] as? Int } == [1])
        let cited = try #require(turns[1]["citations"] as? [[String: Any]])
        #expect(cited.map { $0["messageId"] as? String } == ["m2"])
        #expect(cited.map { $0["start"] as? Int } == [17])
        #expect(turns[1]["noAnswerReason"] as? String == "none")
        #expect(turns[0]["turnId"] as? String != nil && turns[0]["threadId"] as? String != nil)
        #expect(replies[3].field("next") == turns[0]["turnId"] as? String)
        #expect(replies[4].text == #"{"turns":[]}"#)
        #expect(replies[7].text == #"{"turns":[]}"#)
        #expect(model.requests.map(\.messages.count) == [2, 4])
    }

    /// A retry is answered the same, until a message that was read for it is another one.
    @Test(arguments: [path, summary], ["PATCH", "DELETE"])
    func aRepeatedRequestReplaysNothingThatChangedSince(route: String, method: String) async throws {
        let (parts, model) = parts(.text("Ben brings bread [2]."), .text("They meet [1]."))
        let body = route == Self.path ? #"{"text":"Who brings what to the lunch?"}"# : "{}"
        let key = [(name: "Idempotency-Key", value: "k1"), (name: "X-Nexus-User", value: "ada")]

        let (first, again, behind, later) = try await withServer(parts) { server in
            try await furnish(server)
            let first = try await server.send("POST", route, body, headers: key)
            let again = try await server.send("POST", route, body, headers: key)
            // What came later was not read.
            _ = try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"id":"m3","senderId":"ben","text":"And butter."}"#,
                headers: Self.ben)
            let behind = try await server.send("POST", route, body, headers: key)
            // It is cited by neither answer for sure, but both read it.
            let change = try await server.send(
                method, "/v1/conversations/team/messages/m1", method == "PATCH" ? #"{"text":"Lunch at one?"}"# : nil,
                headers: [(name: "X-Nexus-User", value: "ada")])
            #expect((200..<300).contains(change.status))
            return (first, again, behind, try await server.send("POST", route, body, headers: key))
        }

        #expect(statuses(first, again, behind, later) == [200, 200, 200, 200])
        for replayed in [again, behind] {
            #expect(replayed.text == first.text)
            #expect(replayed.headers["Idempotency-Replayed"] == "true")
        }
        #expect(later.headers["Idempotency-Replayed"] == nil)
        #expect(model.requests.count == 2)
    }

    @Test func anEditedSourceIsWithheldFromTheExchangeAndItsExport() async throws {
        let (parts, _) = parts(.text("Ben brings bread [2]."))

        let (list, export, title) = try await withServer(parts) { server in
            try await furnish(server)
            _ = try await server.send("POST", Self.path, #"{"text":"Who brings what to the lunch?"}"#)
            _ = try await server.send(
                "PATCH", "/v1/conversations/team/messages/m2", #"{"text":"Ben brings cake."}"#, headers: Self.ben)
            let list = try await server.send("GET", Self.path)
            let turns = try json(list)["turns"] as? [[String: Any]]
            let thread = try #require(turns?.first?["threadId"] as? String)
            let export = try await server.send("GET", "/v1/threads/\(thread)/export")
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ada", headers: Self.ben)
            return (list, export, try await server.send("GET", "/v1/threads/\(thread)"))
        }

        #expect(list.text.contains(#""redactedReason":"source_edited""#))
        for reply in [list, export] {
            #expect(reply.text.contains("Who brings what to the lunch?"))
            #expect(!reply.text.contains("bread"))
        }
        #expect(export.text.contains("was edited"))
        // Who left keeps no title made of a question about the conversation.
        #expect(title.status == 200 && title.field("title") == "")
    }

    @Test func streamsTheAnswer() async throws {
        let (parts, _) = parts(.events([.delta("Ben brings"), .delta(" bread [2]."), .finished(.stop, nil)]))

        let text = try await withServer(parts) { server in
            try await furnish(server)
            let response = try await server.stream(
                Self.path, #"{"text":"Who brings what?"}"#, headers: [(name: "Accept", value: "text/event-stream")])
            #expect(response.status == 200)
            var data = Data()
            for try await chunk in response.body { data.append(chunk) }
            return String(decoding: data, as: UTF8.self)
        }

        let events = text.matches(of: #/event: (\w+)/#).map { String($0.1) }
        #expect(events.first == "retrieval" && events.filter { $0 == "delta" }.count > 1)
        #expect(events.suffix(3) == ["citation", "support", "done"])
        #expect(text.contains(#"data: {"sources":[]}"#))
    }

    @Test func summarizesWithFilters() async throws {
        let (parts, model) = parts(.text("They eat [1]."))

        let replies = try await withServer(parts) { server in
            try await furnish(server)
            var replies: [Reply] = []
            for body in [
                nil, "{}", #"{"senderId":"ben"}"#, #"{"after":"m1","unread":true}"#, #"{"threadId":"m1"}"#,
                #"{"since":"2030-01-01T00:00:00Z"}"#, #"{"unread":true}"#, #"{"after":"m9"}"#, #"{"threadId":"m9"}"#,
                #"{"unread":1}"#, #"{"since":"soon"}"#, #"{"timeZone":"Nowhere"}"#, "[]",
            ] {
                replies.append(try await server.send("POST", Self.summary, body))
            }
            replies.append(try await server.send("GET", Self.path))
            return replies
        }

        #expect(replies.map(\.status) == [200, 200, 200, 200, 200, 200, 400, 404, 404, 400, 400, 400, 400, 200])
        let counts = try replies[0...5].map { try (json($0)["coverage"] as? [String: Int])?["messageCount"] }
        #expect(counts == [2, 2, 1, 1, 1, 0])
        #expect(replies[6].field("field") == "unread")
        #expect(replies[5].field("noAnswerReason") == "nothing_in_scope")
        #expect(replies[13].text == #"{"turns":[]}"#)
        // The model is not asked to summarize nothing.
        #expect(model.requests.count == 5)
    }

    @Test func aForeignConversationEntersNoPrompt() async throws {
        let (parts, model) = parts(.text("Yes [1]."))

        let replies = try await withServer(parts) { server in
            try await furnish(server)
            var replies: [Reply] = []
            for id in ["den", "nowhere"] {
                let path = "/v1/conversations/\(id)"
                replies += [
                    try await server.send("POST", path + "/assistant", #"{"text":"What?"}"#),
                    try await server.send("POST", path + "/summary", "{}"),
                    try await server.send("GET", path + "/assistant"),
                    try await server.send("DELETE", path + "/assistant"),
                ]
            }
            return replies
        }

        #expect(replies.allSatisfy { $0.status == 403 && $0.field("code") == "conversation_forbidden" })
        #expect(replies.allSatisfy { !$0.text.contains("canary") })
        #expect(model.requests.isEmpty)
    }

    @Test func saysWhatFailed() async throws {
        let (failing, _) = parts(.failure(after: [], .failed(status: 500)), .text(""))
        var (slow, model) = parts(.silence(after: []))
        slow.settings.answerTimeout = .milliseconds(500)

        let replies = try await withServer(failing) { server in
            try await furnish(server)
            return [
                try await server.send("POST", Self.path, #"{"text":"What?"}"#),
                try await server.send("POST", Self.summary, "{}"),
                try await server.send("POST", Self.path, #"{"text":" "}"#),
                try await server.send("POST", Self.path, "{}"),
            ]
        }
        let late = try await withServer(slow) { server in
            try await furnish(server)
            return try await server.send("POST", Self.summary, "{}")
        }
        let modelless = try await withServer { server in
            try await furnish(server)
            return (
                try await server.send("POST", Self.summary, "{}"),
                try await server.send("POST", Self.path, #"{"text":"Bread?"}"#)
            )
        }

        // A question is answered by quoting, a summary cannot be.
        #expect(replies.map(\.status) == [200, 502, 400, 400])
        #expect(replies[0].text.contains(#""notices":["model_unavailable"]"#))
        #expect(late.status == 504)
        // On a busy machine the time may be over before the model is asked.
        if !model.requests.isEmpty { await model.aborted() }
        #expect(modelless.0.status == 503)
        #expect(modelless.0.field("code") == "model_not_configured")
        #expect(modelless.1.status == 200)
        #expect(modelless.1.text.contains(#""notices":["extractive"]"#))
    }

    /// The limit of an answer counts from the last part on.
    @Test func tellsHowFarASummaryIs() async throws {
        let model = FakeLanguageModel(contextTokenCount: 4_096, replies: [.text("- Some of it [1]")])
        var parts = ServerParts()
        parts.model = model

        let text = try await withServer(parts) { server in
            try await furnish(server)
            for batch in 0..<3 {
                let messages = (0..<40).map { number in
                    #"{"id":"b\#(batch)n\#(number)","senderId":"ada","text":"\#(String(repeating: "word ", count: 30))"}"#
                }
                _ = try await server.send(
                    "POST", "/v1/conversations/team/messages", #"{"messages":[\#(messages.joined(separator: ","))]}"#)
            }
            let response = try await server.stream(
                Self.summary, "{}", headers: [(name: "Accept", value: "text/event-stream")])
            var data = Data()
            for try await chunk in response.body { data.append(chunk) }
            return String(decoding: data, as: UTF8.self)
        }

        let events = text.matches(of: #/event: (\w+)/#).map { String($0.1) }
        let progress = text.matches(of: #/event: progress\ndata: \{"part":(\d+),"parts":(\d+)\}/#)
        #expect(progress.map { String($0.1) } == progress.indices.map { String($0 + 1) })
        #expect(Set(progress.map { String($0.2) }) == [String(progress.count)])
        #expect(progress.count == model.requests.count - 1 && progress.count > 1)
        #expect(events.dropFirst(progress.count).first == "retrieval" && events.suffix(2) == ["citation", "done"])
    }
}
