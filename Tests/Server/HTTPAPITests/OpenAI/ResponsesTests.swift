import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Prompting
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// `POST /v1/responses`.
struct ResponsesTests {
    private static let path = "/v1/responses"
    private static let question = #"{"model":"nexus","input":"When?"}"#
    private static let annotations =
        #""annotations":[{"end_index":10,"start_index":7,"title":"Ben, 2025-10-23, Team","type":"url_citation","#
        + #""url":"nexus://conversations/team/messages/m1"}]"#
    private static let part =
        #"{\#(annotations),"logprobs":[],"text":"Friday [1]\#(Sample.sourceListJSON)","type":"output_text"}"#

    private func send(_ body: String, _ parts: ServerParts = ServerParts()) async throws -> Reply {
        try await withServer(parts) { try await $0.send("POST", Self.path, body) }
    }

    private var answering: ServerParts {
        var parts = ServerParts()
        parts.answering = StubAnswering(Sample.events)
        return parts
    }

    private static func message(_ status: String, _ content: String) -> String {
        #"{"content":[\#(content)],"id":"msg_id-2","role":"assistant","status":"\#(status)","type":"message"}"#
    }

    /// A response with the fields that tell something.
    private static func response(_ status: String, _ output: String, _ usage: String, _ end: String) -> String {
        let details = status == "incomplete" ? #"{"reason":"max_output_tokens"}"# : "null"
        let cited = end.isEmpty ? "" : #""citations":[\#(end)],"#
        let sources = end.isEmpty ? "" : #""sources":[\#(Sample.sourceJSON())],"#
        return #"{\#(cited)"conversation":null,"created_at":1761215400,"error":null,"id":"resp_id-2","#
            + #""incomplete_details":\#(details),"instructions":null,"metadata":{},"model":"nexus","object":"response","#
            + #""output":[\#(output)],"parallel_tool_calls":true,"previous_response_id":null,\#(sources)"#
            + #""status":"\#(status)","store":true,"temperature":1,"text":{"format":{"type":"text"}},"tool_choice":"auto","#
            + #""tools":[],"top_p":1,"truncation":"disabled","usage":\#(usage)}"#
    }

    /// The sample's answer was cut off.
    private static let whole = response(
        "incomplete", message("incomplete", part),
        #"{"input_tokens":10,"input_tokens_details":{"cached_tokens":0},"output_tokens":3,"#
            + #""output_tokens_details":{"reasoning_tokens":0},"total_tokens":13}"#,
        #"{"conversationId":"team","end":10,"messageId":"m1","number":1,"start":7}"#)

    @Test func answersWithCitationsAndUsage() async throws {
        let parts = answering

        let reply = try await send(Self.question, parts)

        #expect(reply.status == 200)
        #expect(reply.text == Self.whole)
        #expect(parts.answering.requests.map(\.question) == ["When?"])
        #expect(parts.answering.requests.map(\.turnID) == ["id-2"])
        #expect(parts.answering.requests.map(\.isKept) == [true])
    }

    @Test func streamsEventsInOrder() async throws {
        let reply = try await send(Self.question.dropLast() + #","stream":true}"#, answering)

        let place = #""content_index":0,"#
        let item = #""item_id":"msg_id-2","#
        let begun = Self.response("in_progress", "", "null", "")
        let list = Sample.sourceListJSON
        let events: [(String, (Int) -> String)] = [
            ("created", { #"{"response":\#(begun),"sequence_number":\#($0),"# }),
            ("in_progress", { #"{"response":\#(begun),"sequence_number":\#($0),"# }),
            (
                "output_item.added",
                { #"{"item":\#(Self.message("in_progress", "")),"output_index":0,"sequence_number":\#($0),"# }
            ),
            (
                "content_part.added",
                {
                    #"{\#(place)\#(item)"output_index":0,"part":{"annotations":[],"logprobs":[],"text":"","#
                        + #""type":"output_text"},"sequence_number":\#($0),"#
                }
            ),
            ("output_text.delta", { Self.delta("Friday", $0) }), ("output_text.delta", { Self.delta(" [1]", $0) }),
            ("output_text.delta", { Self.delta(list, $0) }),
            (
                "output_text.annotation.added",
                {
                    let annotation = Self.annotations.dropFirst(#""annotations":["#.count).dropLast()
                    return #"{"annotation":\#(annotation),"annotation_index":0,\#(place)\#(item)"output_index":0,"#
                        + #""sequence_number":\#($0),"#
                }
            ),
            (
                "output_text.done",
                {
                    #"{\#(place)\#(item)"logprobs":[],"output_index":0,"sequence_number":\#($0),"#
                        + #""text":"Friday [1]\#(list)","#
                }
            ),
            (
                "content_part.done",
                { #"{\#(place)\#(item)"output_index":0,"part":\#(Self.part),"sequence_number":\#($0),"# }
            ),
            (
                "output_item.done",
                {
                    #"{"item":\#(Self.message("incomplete", Self.part)),"output_index":0,"sequence_number":\#($0),"#
                }
            ),
            ("incomplete", { #"{"response":\#(Self.whole),"sequence_number":\#($0),"# }),
        ]
        let wanted = events.enumerated().map { number, event in
            "event: response.\(event.0)\ndata: \(event.1(number))\"type\":\"response.\(event.0)\"}\n\n"
        }
        #expect(reply.headers["Content-Type"] == "text/event-stream")
        #expect(reply.text == wanted.joined())
    }

    private static func delta(_ text: String, _ number: Int) -> String {
        #"{"content_index":0,"delta":"\#(text)","item_id":"msg_id-2","logprobs":[],"output_index":0,"#
            + #""sequence_number":\#(number),"#
    }

    @Test func aFailureAfterTheFirstEventIsAnEvent() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering(
            [.retrieved([]), .delta("Fri")], ending: .failure(ModelServiceError.busy(retryAfter: nil)))

        let reply = try await send(Self.question.dropLast() + #","stream":true}"#, parts)

        let last = reply.text.components(separatedBy: "\n\n").dropLast().last ?? ""
        #expect(last.hasPrefix("event: response.failed\n"))
        #expect(last.contains(#""error":{"code":"server_error","message":"the model service is too busy"}"#))
        #expect(last.contains(#""id":"resp_id-2""#) && last.contains(#""status":"failed""#))
        #expect(last.hasSuffix(#""sequence_number":5,"type":"response.failed"}"#))
    }

    @Test func aFailureBeforeTheFirstEventIsAStatus() async throws {
        var parts = ServerParts()
        parts.answering = StubAnswering([], ending: .failure(ModelServiceError.unauthorized(status: 401)))

        let reply = try await send(Self.question.dropLast() + #","stream":true}"#, parts)

        #expect(reply.status == 502 && reply.text.hasPrefix(#"{"error":{"code":"model_unauthorized""#))
    }

    @Test func readsTheMessagesBeforeTheQuestion() async throws {
        let parts = answering
        let body = #"""
            {"model":"nexus","instructions":"Obey.","topK":7,"include":[],"tools":[],"reasoning":{"effort":"none"},
            "text":{"verbosity":"low"},"metadata":{"a":"b"},"max_output_tokens":9,"temperature":0,"input":[
            {"role":"system","content":"Obey."},{"type":"message","role":"user","content":[{"type":"input_text","text":"q1"}]},
            {"type":"reasoning","id":"rs_1","summary":[]},
            {"id":"msg_1","type":"message","role":"assistant","status":"completed","content":[{"type":"output_text",
            "text":"a1 [1]\n\n- [1] Ben, 2025-10-23, Team","annotations":[]}]},
            {"role":"user","content":"q2"},{"role":"assistant","content":"a2"},{"role":"user","content":"q3"}]}
            """#

        let reply = try await send(body, parts)

        #expect(reply.status == 200)
        #expect(reply.text.contains(#""instructions":"Obey.","metadata":{"a":"b"}"#))
        #expect(parts.answering.requests.map(\.question) == ["q3"])
        #expect(
            parts.answering.requests.first?.history == [
                Exchange(question: "q1", answer: "a1 [1]"), Exchange(question: "q2", answer: "a2"),
            ])
        #expect(parts.answering.requests.first?.limit == 7)
    }

    @Test(arguments: [
        (#""tools":[{"type":"function","name":"f"}]"#, "unsupported_value", "tools"),
        (#""tools":[{"type":"web_search"}]"#, "unsupported_value", "tools"),
        (#""background":true"#, "unsupported_value", "background"),
        (#""prompt":{"id":"p"}"#, "unsupported_value", "prompt"),
        (#""text":{"format":{"type":"json_schema","name":"n","schema":{}}}"#, "unsupported_value", "text.format"),
        (#""top_logprobs":2"#, "unsupported_value", "top_logprobs"), (#""stream":"yes""#, "invalid_field", "stream"),
        (#""store":1"#, "invalid_field", "store"), (#""metadata":[]"#, "invalid_field", "metadata"),
        (#""instructions":["a"]"#, "invalid_field", "instructions"),
        (#""conversation":{"id":"t"},"previous_response_id":"resp_x""#, "invalid_field", "conversation"),
        (#""previous_response_id":"resp_x""#, "previous_response_not_found", "previous_response_id"),
        (#""previous_response_id":"x""#, "previous_response_not_found", "previous_response_id"),
    ])
    func refusesWhatItDoesNotDo(field: String, code: String, param: String) async throws {
        try await expectRefusal(Self.question.dropLast() + "," + field + "}", code, param)
    }

    @Test(arguments: [
        ("7", "invalid_field", "input"), ("[]", "invalid_field", "input"), ("null", "invalid_field", "input"),
        (#"[{"role":"assistant","content":"a"}]"#, "invalid_field", "input"),
        (#"[{"role":"tool","content":"a"}]"#, "invalid_field", "input[0].role"),
        (#"[{"type":"function_call_output","call_id":"c","output":"o"}]"#, "unsupported_value", "input[0].type"),
        (#"[{"type":"item_reference","id":"msg_1"}]"#, "unsupported_value", "input[0].type"),
        (
            #"[{"role":"user","content":[{"type":"input_image","image_url":"x"}]}]"#, "unsupported_value",
            "input[0].content[0].type"
        ),
    ])
    func refusesInput(input: String, code: String, param: String) async throws {
        try await expectRefusal(#"{"model":"nexus","input":\#(input)}"#, code, param)
    }

    private func expectRefusal(_ body: String, _ code: String, _ param: String) async throws {
        let reply = try await send(body, answering)

        #expect(reply.status == 400)
        #expect(reply.text.hasPrefix(#"{"error":{"code":"\#(code)","message":""#), "\(reply.text)")
        #expect(reply.text.hasSuffix(#","param":"\#(param)","type":"invalid_request_error"}}"#), "\(reply.text)")
    }

    @Test func aPromptOfAProgramIsNoQuestion() async throws {
        let parts = answering
        let input =
            #"### Task:\nFind a title.\n### Output:\n{ \"title\": \"…\" }\n<chat_history>\nUSER: Who?\n</chat_history>"#

        let reply = try await send(#"{"model":"nexus","input":"\#(input)"}"#, parts)

        #expect(reply.text.contains(#""text":"{\"title\":\"Who\"}""#) && reply.text.contains(#""store":false"#))
        #expect(parts.answering.requests.isEmpty)
    }

    // MARK: Responses that follow others

    /// A server whose answers come from a model.
    private func withModel<Value: Sendable>(
        _ model: FakeLanguageModel, _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        let searching = StubSearching(.success([Sample.hit]))
        parts.real = (
            searching,
            AnswerService(
                searching: searching,
                session: ModelSession(
                    model: model, prompts: try PromptLibrary(overrides: nil), now: { Sample.now }, logger: parts.logger),
                turns: parts.store)
        )
        return try await withServer(parts) { server in
            // Turns are shown and continued only while their messages can be read.
            _ = try await server.send(
                "POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"},{"userId":"ben"}]}"#)
            _ = try await server.send(
                "POST", "/v1/conversations/team/messages",
                #"{"id":"m1","senderId":"ben","text":"The launch is on Friday."}"#)
            return try await body(server)
        }
    }

    @Test func aStreamedTextIsFinalAndItsAddedCitationsAreEmptyRanges() async throws {
        let (streamed, whole) = try await withModel(
            FakeLanguageModel(replies: [.text("The launch is on Friday."), .text("The launch is on Friday.")])
        ) { server in
            (
                try await Self.ask(server, "When is the launch?", with: #","stream":true"#),
                try await Self.ask(server, "When is the launch?")
            )
        }

        let list = #"\n\n- [1] Ben, 2025-10-23, Team"#
        #expect(streamed.text.contains(#""text":"The launch is on Friday.\#(list)""#))
        #expect(streamed.text.contains(#/"end_index":24,"score":[0-9.]+,"start_index":24,"support":"supported"/#))
        #expect(whole.text.contains(#""text":"The launch is on Friday [1].\#(list)""#))
        #expect(whole.text.contains(#/"end_index":27,"score":[0-9.]+,"start_index":24,/#))
    }

    private static func ask(
        _ server: RunningServer, _ question: String, after previous: String? = nil, with more: String = "",
        as user: String? = nil
    ) async throws -> Reply {
        let follows = previous.map { #","previous_response_id":"\#($0)""# } ?? ""
        return try await server.send(
            "POST", path, #"{"model":"nexus","input":"\#(question)"\#(follows)\#(more)}"#,
            headers: user.map { [("X-Nexus-User", $0)] } ?? [])
    }

    private static func id(_ reply: Reply) -> String { reply.field("id") ?? "" }

    @Test func aResponseFollowsAnotherInAThread() async throws {
        let model = FakeLanguageModel(
            replies: [
                .text("On Friday [1]."), .text("Rewritten?"), .text("Ben [1]."), .text("Rewritten?"), .text("Yes [1]."),
            ])

        let (turns, threads, last) = try await withModel(model) { server in
            let first = try await Self.ask(server, "When is the launch?")
            let none = try await server.send("GET", "/v1/threads")
            #expect(none.text == #"{"threads":[]}"#)
            let second = try await Self.ask(server, "Who moved it?", after: Self.id(first))
            let third = try await Self.ask(server, "Really?", after: Self.id(second))
            #expect(statuses(first, second, third) == [200, 200, 200], "\(first.text) \(second.text) \(third.text)")
            return (
                try await server.store.turns(of: "ada", limit: 9), try await server.send("GET", "/v1/threads"), third
            )
        }

        #expect(turns.map(\.question) == ["Really?", "Who moved it?", "When is the launch?"])
        #expect(Set(turns.map(\.threadID)).count == 1 && turns[0].threadID != nil)
        #expect(turns.map(\.historyIDs.count) == [2, 1, 0])
        #expect(threads.text.contains(#""title":"When is the launch?""#))
        #expect(last.text.contains(#""conversation":{"id":"\#(turns[0].threadID?.rawValue ?? "")"}"#))
        let prompt = model.requests.last?.messages.map(\.content).joined() ?? ""
        #expect(prompt.contains("When is the launch?") && prompt.contains("Who moved it?"))
    }

    @Test func anEarlierResponseIsFollowedWithoutThoseAfterIt() async throws {
        let model = FakeLanguageModel(replies: [.text("Friday [1].")])

        let turns = try await withModel(model) { server in
            let first = try await Self.ask(server, "When is the launch?")
            _ = try await Self.ask(server, "And the landing?", after: Self.id(first))
            let other = try await Self.ask(server, "Who moved it?", after: Self.id(first))
            #expect(other.status == 200 && other.text.contains(#""conversation":null"#))
            return try await server.store.turns(of: "ada", limit: 9)
        }

        #expect(turns.map(\.question) == ["Who moved it?", "And the landing?", "When is the launch?"])
        #expect(turns[0].threadID == nil && turns[0].historyIDs == [turns[2].id])
    }

    @Test func onlyTheAskersOwnStoredResponsesAreFollowed() async throws {
        let model = FakeLanguageModel(replies: [.text("Friday [1].")])

        let (foreign, notStored, kept, threads) = try await withModel(model) { server in
            let first = try await Self.ask(server, "When is the launch?")
            let unstored = try await Self.ask(server, "When is the launch?", with: #","store":false"#)
            #expect(unstored.text.contains(#""store":false"#))
            return (
                try await Self.ask(server, "Who?", after: Self.id(first), as: "ben"),
                try await Self.ask(server, "Who?", after: Self.id(unstored)),
                try await Self.ask(server, "Who?", after: Self.id(first), with: #","store":false"#),
                try await server.send("GET", "/v1/threads")
            )
        }

        #expect(statuses(foreign, notStored, kept) == [400, 400, 200])
        for reply in [foreign, notStored] { #expect(reply.text.contains("previous_response_not_found")) }
        #expect(threads.text == #"{"threads":[]}"#)
    }

    @Test func aStoredResponseIsReadAndDeletedByItsAskerAlone() async throws {
        let model = FakeLanguageModel(
            replies: [.text("On Friday [1]."), .text("Rewritten?"), .text("Ben [1].")])

        try await withModel(model) { server in
            let asked = try await Self.ask(server, "When is the launch?", with: #","instructions":"Be brief.""#)
            let followed = try await Self.ask(server, "Who moved it?", after: Self.id(asked))
            let path = Self.path + "/" + Self.id(followed)
            let get = { (path: String, user: String) in
                try await server.send("GET", path, headers: [("X-Nexus-User", user)])
            }

            let kept = try await get(path, "ada")
            // The numbers of tokens are not kept, and messages are shown as they are now.
            for field in Self.parsed(followed).keys where !["usage", "sources", "output"].contains(field) {
                let (was, now) = (Self.parsed(followed)[field] as? NSObject, Self.parsed(kept)[field] as? NSObject)
                #expect(was == now, "\(field)")
            }
            #expect(kept.status == 200 && kept.text.contains(#""usage":null"#))
            #expect(kept.text.contains(#""text":"Ben [1].\n\n- [1] ben, 2025-10-23, team","type":"output_text""#))
            #expect(
                kept.text.contains(
                    #/\{"end_index":7,"score":[0-9.]+,"start_index":4,"support":"partly","title":"ben, 2025-10-23, team",/#
                ))
            #expect(kept.text.contains(#""number":1,"rank":1,"#) && kept.text.contains(#""status":"completed""#))
            #expect(kept.text.contains(#""previous_response_id":"\#(Self.id(asked))""#))
            let input = try await get(path + "/input_items?limit=5&order=asc", "ada")
            let item = #"{"content":[{"text":"Who moved it?","type":"input_text"}],"id":"msg_in_"#
            #expect(input.text.hasPrefix(#"{"data":[\#(item)"#) && input.text.contains(#""has_more":false"#))
            let turn = Self.id(followed).dropFirst("resp_".count)
            let rest = try await get(path + "/input_items?after=msg_in_\(turn)", "ada")
            #expect(rest.text == #"{"data":[],"first_id":null,"has_more":false,"last_id":null,"object":"list"}"#)

            for (path, user) in [(path, "ben"), (path + "/input_items", "ben"), (Self.path + "/resp_x", "ada")] {
                let foreign = try await get(path, user)
                #expect(foreign.status == 404 && foreign.text.contains(#""code":"response_not_found""#))
            }
            let refused = [
                try await get(path + "?stream=true", "ada"), try await get(path + "/input_items?limit=0", "ada"),
            ]
            #expect(refused.map(\.status) == [400, 400])
            let foreign = try await server.send("DELETE", path, headers: [("X-Nexus-User", "ben")])
            #expect(foreign.status == 404)

            let deleted = try await server.send("DELETE", path)
            #expect(deleted.text == #"{"deleted":true,"id":"\#(Self.id(followed))","object":"response"}"#)
            #expect(try await get(path, "ada").status == 404)
            #expect(try await server.store.turns(of: "ada", limit: 9).map(\.question) == ["When is the launch?"])
        }
    }

    /// The answer, the citations and the sources are those that the asker may see now.
    @Test func aStoredResponseShowsNothingOfWhatItsAskerMayNoLongerRead() async throws {
        let model = FakeLanguageModel(replies: [.text("On Friday [1].")])

        let (reply, input) = try await withModel(model) { server in
            let asked = try await Self.ask(server, "When is the launch?")
            try await server.store.removeMember("ada", from: "team", at: Sample.now)
            return (
                try await server.send("GET", Self.path + "/" + Self.id(asked)),
                try await server.send("GET", Self.path + "/" + Self.id(asked) + "/input_items")
            )
        }

        #expect(reply.status == 200 && reply.text.contains(#""incomplete_details":{"reason":"content_filter"}"#))
        #expect(reply.text.contains(#""text":"","type":"output_text""#))
        #expect(reply.text.contains(#""citations":[]"#) && reply.text.contains(#""sources":[]"#))
        #expect(!reply.text.contains("Friday"))
        #expect(input.text.contains("When is the launch?"))
    }

    private static func parsed(_ reply: Reply) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any]) ?? [:]
    }

    @Test func aConversationIsAThread() async throws {
        let model = FakeLanguageModel(replies: [.text("Friday [1].")])

        let (turns, foreign) = try await withModel(model) { server in
            let thread = try await server.send("POST", "/v1/threads", "{}").field("id") ?? ""
            for conversation in [#""\#(thread)""#, #"{"id":"\#(thread)"}"#] {
                let reply = try await Self.ask(server, "When?", with: #","conversation":\#(conversation)"#)
                #expect(
                    reply.status == 200 && reply.text.contains(#""conversation":{"id":"\#(thread)"}"#), "\(reply.text)")
            }
            return (
                try await server.store.turns(of: "ada", in: ThreadID(rawValue: thread), before: nil, limit: 9),
                try await Self.ask(server, "When?", with: #","conversation":"\#(thread)""#, as: "ben")
            )
        }

        #expect(turns.count == 2)
        #expect(foreign.status == 404 && foreign.text.contains("thread_not_found"))
    }
}
