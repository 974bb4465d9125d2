import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The routes of what is taken out of conversations.
struct ItemTests {
    private static let found = """
        {"items": [
          {"message": 1, "task": "Send the plan to the pier", "assignee": "Ben", "deadline": "by Friday",
           "priority": "high", "quote": "send the plan to the pier by Friday"},
          {"message": 2, "task": "Paint the boat", "assignee": null, "deadline": null, "priority": "low",
           "quote": "somebody has to paint the boat"}
        ]}
        """

    private static let team = """
        {"id":"team","timeZone":"Europe/Berlin","members":[{"userId":"ada","name":"Ada"},{"userId":"ben","name":"Ben"}]}
        """

    /// A server with a conversation of two messages, whose model says `replies`.
    private func withTeam<Value: Sendable>(
        _ replies: [String], _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        parts.extractionModel = FakeLanguageModel(replies: replies.map { .text($0) })
        return try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", Self.team)
            for (id, time, text) in [
                ("m1", "2025-10-22T08:00:00Z", "Ben, send the plan to the pier by Friday"),
                ("m2", "2025-10-22T09:00:00Z", "and somebody has to paint the boat"),
            ] {
                let body = #"{"id":"\#(id)","senderId":"ada","text":"\#(text)","timestamp":"\#(time)"}"#
                _ = try await server.send("POST", "/v1/conversations/team/messages", body)
            }
            return try await body(server)
        }
    }

    private func items(_ reply: Reply) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any]
        return try #require(object?["items"] as? [[String: Any]], "\(reply.text)")
    }

    private func texts(_ reply: Reply, _ field: String = "task") throws -> [String] {
        try items(reply).map { $0[field] as? String ?? "-" }
    }

    private let list = "/v1/conversations/team/action-items"

    @Test func extractsActionItemsOnce() async throws {
        let (first, second, listed) = try await withTeam([Self.found]) { server in
            (
                try await server.send("POST", list + "/extract"),
                try await server.send("POST", list + "/extract", "{}"),
                try await server.send("GET", list)
            )
        }

        #expect(statuses(first, second, listed) == [200, 200, 200])
        let item = try #require(try items(first).first)
        #expect(item["task"] as? String == "Send the plan to the pier")
        #expect(item["assignee"] as? String == "Ben" && item["assigneeId"] as? String == "ben")
        #expect(item["deadline"] as? String == "2025-10-24T21:59:59.000Z")
        #expect(item["priority"] as? String == "high" && item["status"] as? String == "open")
        #expect(item["messageId"] as? String == "m1" && item["conversationId"] as? String == "team")
        #expect(item["quote"] as? String == "send the plan to the pier by Friday")
        #expect(try items(first)[1]["assignee"] is NSNull)
        #expect(first.field("addedCount") == "2" && second.field("addedCount") == "0")
        #expect(first.field("messageCount") == "2" && second.field("messageCount") == "0")
        #expect(try texts(second) == texts(first) && texts(listed) == texts(first))
    }

    @Test func countsThoseOfTheList() async throws {
        let found = #"""
            {"items":[
              {"message":1,"what":"The plan is due","when":"by Friday","whose":null,"supersedes":null,"quote":"by Friday"},
              {"message":2,"what":"The boat is due","when":null,"whose":null,"supersedes":1,"quote":"paint the boat"}]}
            """#
        let reply = try await withTeam([found]) {
            try await $0.send("POST", "/v1/conversations/team/deadlines/extract")
        }

        #expect(try texts(reply, "what") == ["The boat is due"])
        #expect(try texts(reply, "when") == ["2025-10-24T21:59:59.000Z"])
        #expect(reply.field("addedCount") == "1" && reply.field("removedCount") == "0")
    }

    @Test func changesAndDismissesAnItem() async throws {
        let (changed, refused, done, gone, left) = try await withTeam([Self.found]) { server in
            let found = try await server.send("POST", list + "/extract")
            let ids = try items(found).compactMap { $0["id"] as? String }
            let change = #"{"task":"Send it","assignee":"Ada","deadline":null}"#
            return (
                try await server.send("PATCH", "\(list)/\(ids[0])", change),
                try await server.send("PATCH", "\(list)/\(ids[0])", #"{"assignee":"Zoe"}"#),
                try await server.send("PATCH", "\(list)/\(ids[0])", #"{"status":"done"}"#),
                try await server.send("DELETE", "\(list)/\(ids[1])"), try await server.send("GET", list)
            )
        }

        #expect(statuses(changed, refused, done, gone, left) == [200, 400, 200, 204, 200])
        #expect(changed.field("task") == "Send it" && changed.field("assigneeId") == "ada")
        #expect(changed.text.contains(#""deadline":null"#))
        #expect(refused.field("field") == "assignee")
        #expect(done.field("status") == "done" && done.field("task") == "Send it")
        #expect(try texts(left) == ["Send it"])
    }

    @Test func aDateIsDueAtTheEndOfItsDay() async throws {
        let replies = try await withTeam([Self.found]) { server in
            let found = try await server.send("POST", list + "/extract")
            let id = try #require(try items(found).first?["id"] as? String)
            var replies: [Reply] = []
            for change in [
                #"{"deadline":"2026-12-01"}"#, #"{"due":"2026-12-01","timeZone":"Asia/Tokyo"}"#,
                #"{"due":"2026-12-01T10:30:00Z","allDay":false}"#, #"{"due":"2026-12-01","allDay":false}"#,
                #"{"due":"2026-12-01T10:30:00Z","allDay":true}"#, #"{"allDay":true}"#, #"{"due":"2026-13-01"}"#,
            ] {
                replies.append(try await server.send("PATCH", "\(list)/\(id)", change))
            }
            return [found] + replies
        }

        #expect(try items(replies[0]).map { $0["allDay"] as? Bool } == [true, false])
        #expect(replies.dropFirst().map(\.status) == [200, 200, 200, 400, 400, 400, 400])
        let dues = ["2026-12-01T22:59:59.000Z", "2026-12-01T14:59:59.000Z", "2026-12-01T10:30:00.000Z"]
        #expect(replies[1...3].map { $0.field("deadline") } == dues)
        #expect(replies[1...3].map { $0.field("due") } == dues)
        #expect(replies[1...3].map { $0.text.contains(#""allDay":true"#) } == [true, true, false])
        #expect(replies[4...7].map { $0.field("field") } == ["due", "due", "allDay", "due"])
    }

    @Test func aChangeTakesTheSameNamesForAllKindsAliasesAndNoUnknownFields() async throws {
        let replies = try await withTeam([Self.found]) { server in
            _ = try await server.send(
                "PUT", "/v1/conversations/team/members/ben", #"{"name":"Ben","aliases":["Benny"]}"#)
            let found = try await server.send("POST", list + "/extract")
            let id = try #require(try items(found).first?["id"] as? String)
            var replies: [Reply] = []
            for change in [
                #"{"text":"Send it","person":"Benny"}"#, #"{"personId":"ada"}"#, #"{"assignee":"Nobody"}"#,
                #"{"stauts":"done"}"#, #"{"task":"a","text":"b"}"#,
            ] {
                replies.append(try await server.send("PATCH", "\(list)/\(id)", change))
            }
            return replies
        }

        #expect(replies.map(\.status) == [200, 200, 400, 400, 400])
        #expect(replies[0].field("task") == "Send it" && replies[0].field("text") == "Send it")
        #expect(replies[0].field("assigneeId") == "ben" && replies[0].field("personId") == "ben")
        #expect(replies[1].field("assigneeId") == "ada")
        #expect(replies[2...4].map { $0.field("field") } == ["assignee", "stauts", "text"])
    }

    @Test func listsAcrossConversationsByAssignee() async throws {
        let ben = [(name: "X-Nexus-User", value: "ben")]
        let eve = [(name: "X-Nexus-User", value: "eve")]
        let replies = try await withTeam([Self.found]) { server in
            _ = try await server.send("POST", list + "/extract")
            return [
                try await server.send("GET", "/v1/action-items?assignee=me", headers: ben),
                try await server.send("GET", "/v1/action-items?assignee=me"),
                try await server.send("GET", "/v1/action-items?assignee=ben"),
                try await server.send("GET", "/v1/action-items?status=done"),
                try await server.send("GET", "/v1/action-items", headers: eve),
            ]
        }
        let first = try await withTeam([Self.found]) { server in
            _ = try await server.send("POST", list + "/extract")
            let page = try await server.send("GET", "/v1/action-items?limit=1")
            return (page, try await server.send("GET", "/v1/action-items?limit=1&after=\(page.field("next") ?? "")"))
        }

        #expect(replies.map(\.status) == [200, 200, 200, 200, 200])
        let plan = "Send the plan to the pier"
        #expect(try replies.map { try texts($0) } == [[plan], [], [plan], [], []])
        #expect(try texts(first.0) == [plan] && texts(first.1) == ["Paint the boat"])
        #expect(first.1.field("next") == nil)
    }

    @Test func decisionsAreFoundByTheirWordsTheValidOnesFirst() async throws {
        let reply = """
            {"items": [
              {"message": 1, "decision": "The plan goes to the pier", "decidedBy": "Ada", "supersedes": null,
               "quote": "send the plan to the pier"},
              {"message": 2, "decision": "The plan goes to the boat", "decidedBy": "Ada", "supersedes": 1,
               "quote": "somebody has to paint the boat"}
            ]}
            """
        let (extracted, found, none) = try await withTeam([reply]) { server in
            (
                try await server.send("POST", "/v1/conversations/team/decisions/extract"),
                try await server.send("GET", "/v1/decisions?q=where+do+plans+go"),
                try await server.send("GET", "/v1/decisions?q=salary")
            )
        }

        #expect(statuses(extracted, found, none) == [200, 200, 200])
        #expect(try texts(found, "decision") == ["The plan goes to the boat", "The plan goes to the pier"])
        #expect(try items(found)[0]["supersededBy"] is NSNull)
        #expect(try items(found)[1]["supersededBy"] as? String == items(found)[0]["id"] as? String)
        #expect(try items(found)[1]["decidedAt"] as? String == "2025-10-22T08:00:00.000Z")
        #expect(try items(none).isEmpty)
    }

    @Test func deadlinesHaveADate() async throws {
        let reply = """
            {"items": [{"message": 1, "what": "The plan", "when": "by Friday", "whose": "Ben", "quote": "by Friday"},
              {"message": 2, "what": "The boat", "when": "some day", "whose": null, "quote": "paint the boat"}]}
            """
        let extracted = try await withTeam([reply]) {
            try await $0.send("POST", "/v1/conversations/team/deadlines/extract", #"{"timeZone":"Asia/Tokyo"}"#)
        }

        #expect(try texts(extracted, "what") == ["The plan"])
        #expect(try items(extracted)[0]["when"] as? String == "2025-10-24T14:59:59.000Z")
        #expect(extracted.text.contains(#""faults":{"bad_date":1}"#))
    }

    @Test func judgesUnreadMessages() async throws {
        let reply = """
            {"items": [{"message": 1, "score": 0.2, "reason": "greeting"},
              {"message": 2, "score": 0.9, "reason": "the boat waits"}]}
            """
        let ben = [(name: "X-Nexus-User", value: "ben")]
        let path = "/v1/conversations/team/priorities"
        let (all, later, own, wrong) = try await withTeam([reply]) { server in
            (
                try await server.send("POST", path, #"{"since":"2025-10-22T00:00:00Z"}"#, headers: ben),
                try await server.send("POST", path, #"{"after":"m1"}"#, headers: ben),
                try await server.send("POST", path, #"{"after":"m1"}"#),
                try await server.send("POST", path, "{}")
            )
        }

        #expect(statuses(all, later, own, wrong) == [200, 200, 200, 400])
        let ids = all.text.matches(of: /"messageId":"(m\d)"/).map { String($0.1) }
        #expect(ids == ["m2", "m1"])
        #expect(all.text.contains(#""reason":"the boat waits","score":0.9"#))
        #expect(later.text.matches(of: /"messageId":"(m\d)"/).map { String($0.1) } == ["m2"])
        #expect(own.text == #"{"messages":[]}"#)
    }

    @Test func aUselessModelIsAnErrorAndNothingIsLost() async throws {
        let (useless, again) = try await withTeam(["I cannot do that.", "Really not.", Self.found]) { server in
            (try await server.send("POST", list + "/extract"), try await server.send("POST", list + "/extract"))
        }

        #expect(statuses(useless, again) == [502, 200])
        #expect(useless.field("code") == "model_invalid_reply")
        #expect(try texts(again).count == 2)
    }
}
