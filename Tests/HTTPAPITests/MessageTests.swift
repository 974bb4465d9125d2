import ChatCore
import Foundation
import HTTPAPI
import Testing
import Transport

struct MessageTests {
    private static let path = "/v1/conversations/team/messages"

    private func withTeam<Value: Sendable>(_ body: (RunningServer) async throws -> Value) async throws -> Value {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            return try await body(server)
        }
    }

    @Test func storesAMessageOnceAndWakesTheWorker() async throws {
        let message = #"{"id":"m1","senderId":"ben","text":"Hello","timestamp":"2025-10-23T12:30:00+02:00"}"#
        let (first, again, other, stored) = try await withTeam { server in
            (
                try await server.send("POST", Self.path, message), try await server.send("POST", Self.path, message),
                try await server.send("POST", Self.path, message.replacing("Hello", with: "Bye")),
                try await server.store.teamMessages()
            )
        }

        #expect(statuses(first, again, other) == [201, 200, 409])
        #expect(first.text == #"{"messageId":"m1","status":"inserted"}"#)
        #expect(again.text == #"{"messageId":"m1","status":"unchanged"}"#)
        #expect(other.field("code") == "conflict")
        #expect(
            stored == [
                Message(
                    key: MessageKey(conversationID: "team", messageID: "m1"), senderID: "ben", senderName: "ben",
                    text: "Hello", timestamp: Sample.now)
            ])
    }

    @Test func knowsAMessageAgainThatComesWithoutATime() async throws {
        let (first, again) = try await withTeam { server in
            (
                try await server.send("POST", Self.path, #"{"id":"m1","text":"a","timestamp":1000}"#),
                try await server.send("POST", Self.path, #"{"id":"m1","text":"a"}"#)
            )
        }

        #expect(first.text == #"{"messageId":"m1","status":"inserted"}"#)
        #expect(again.text == #"{"messageId":"m1","status":"unchanged"}"#)
    }

    @Test func knowsAMessageAgainAfterItsSenderWasRenamed() async throws {
        let message = #"{"id":"m1","senderId":"ben","text":"a"}"#
        let (first, again) = try await withTeam { server in
            let first = try await server.send("POST", Self.path, message)
            _ = try await server.send("PUT", "/v1/conversations/team/members/ben", #"{"name":"Benny"}"#)
            return (first, try await server.send("POST", Self.path, message))
        }

        #expect(first.text == #"{"messageId":"m1","status":"inserted"}"#)
        #expect(again.text == #"{"messageId":"m1","status":"unchanged"}"#)
    }

    @Test(arguments: ["", "%00", "m1%00"])
    func refusesPagesBeforeWhatCannotBeAnID(before: String) async throws {
        let reply = try await withTeam { try await $0.send("GET", Self.path + "?before=" + before) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == "before must have 1 to 256 bytes and no control characters")
    }

    @Test func readsAndShowsEveryFieldOfAMessage() async throws {
        let body = #"""
            {"id":"m1","senderId":"ada","senderName":"Ada L.","text":"x","kind":"bot","timestamp":1761215400123,
             "replyTo":"m0","threadRoot":"m00","attachments":[{"name":"a.png","type":"image/png","caption":"cat"}],
             "reactions":[{"emoji":"👍","userIds":["ben"]}],"extra":{"b":[1,2.5,null],"a":true},"localId":"l1"}
            """#

        let (posted, shown) = try await withTeam { server in
            (try await server.send("POST", Self.path, body), try await server.send("GET", Self.path + "/m1"))
        }

        #expect(posted.status == 201)
        #expect(
            shown.text == #"{"attachments":[{"caption":"cat","name":"a.png","type":"image/png"}],"#
                + #""conversationId":"team","extra":{"a":true,"b":[1,2.5,null]},"id":"m1","kind":"bot","#
                + #""localId":"l1","reactions":[{"emoji":"👍","userIds":["ben"]}],"replyTo":"m0","senderId":"ada","#
                + #""senderName":"Ada L.","text":"x","threadRoot":"m00","timestamp":"2025-10-23T10:30:00.123Z"}"#)
    }

    @Test func fillsInWhatAMessageDoesNotSay() async throws {
        let stored = try await withTeam { server in
            _ = try await server.send("POST", Self.path, #"{"text":"Hi"}"#)
            return try await server.store.teamMessages()
        }

        #expect(stored.map(\.senderID) == ["ada"])
        #expect(stored.map(\.senderName) == ["Ada"])
        #expect(stored.map(\.timestamp) == [Sample.now])
        #expect(stored.first?.key.messageID.rawValue.hasPrefix("id-") == true)
    }

    @Test func takesABatchWithOneOutcomeEach() async throws {
        let batch = #"""
            {"messages":[{"id":"m1","text":"a"},{"id":"m2"},{"id":"m3","text":"c","topic":1},{"id":"m1","text":"z"},
             7,{"id":"m4","text":"d","kind":"song"}]}
            """#

        let (reply, stored) = try await withTeam { server in
            (try await server.send("POST", Self.path, batch), try await server.store.teamMessages())
        }

        #expect(reply.status == 200)
        #expect(
            reply.text == #"{"outcomes":[{"messageId":"m1","status":"inserted"},"#
                + #"{"field":"messages[1].text","reason":"is missing","status":"invalid"},"#
                + #"{"messageId":"m3","status":"inserted"},{"messageId":"m1","status":"conflict"},"#
                + #"{"field":"messages[4]","reason":"must be an object, not a number","status":"invalid"},"#
                + #"{"field":"messages[5].kind","reason":"must be one of text, system, bot, assistant","status":"invalid"}]}"#
        )
        #expect(stored.map(\.key.messageID) == ["m1", "m3"])
    }

    @Test func refusesBatchesOfTooMany() async throws {
        let items = Array(repeating: "{}", count: 1_001).joined(separator: ",")

        let reply = try await withTeam { try await $0.send("POST", Self.path, #"{"messages":[\#(items)]}"#) }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == "messages must have at most 1000 items")
    }

    @Test(arguments: [
        (#"{}"#, "text is missing"), (#"{"text":" "}"#, "text must not be empty"),
        (#"{"text":["x"]}"#, "text must be a string, not an array"),
        (#"{"text":"x","extra":[1]}"#, "extra must be an object, not an array"),
        (#"{"text":"x","attachments":[{}]}"#, "attachments[0].name is missing"),
        (
            #"{"text":"x","reactions":[{"emoji":"a","userIds":[1]}]}"#,
            "reactions[0].userIds[0] must be a string, not a number"
        ),
    ])
    func refusesBadMessages(body: String, detail: String) async throws {
        let (reply, stored) = try await withTeam { server in
            (try await server.send("POST", Self.path, body), try await server.store.teamMessages())
        }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
        #expect(stored.isEmpty)
    }

    @Test func refusesATextOfAMegabyte() async throws {
        let body = #"{"text":"\#(String(repeating: "x", count: 1 << 20))"}"#

        let (reply, alive) = try await withTeam { server in
            (try await server.send("POST", Self.path, body), try await server.send("GET", Self.path))
        }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == "text must have at most 262144 bytes")
        #expect(alive.text == #"{"messages":[]}"#)
    }

    @Test func refusesBodiesBeyondTheLimit() async throws {
        let body = #"{"text":"\#(String(repeating: "x", count: 9 << 20))"}"#

        let reply = try await withTeam { try await $0.send("POST", Self.path, body) }

        #expect(reply.status == 413)
        #expect(reply.field("detail") == "the body must have at most 8388608 bytes")
    }

    @Test func listsMessagesNewestFirst() async throws {
        let (newest, older, standard, unknown, bad) = try await withTeam { server in
            let items = (1...60).map { #"{"id":"m\#($0)","text":"t"}"# }.joined(separator: ",")
            _ = try await server.send("POST", Self.path, #"{"messages":[\#(items)]}"#)
            return (
                try await server.send("GET", Self.path + "?limit=2"),
                try await server.send("GET", Self.path + "?limit=2&before=m3"),
                try await server.send("GET", Self.path),
                try await server.send("GET", Self.path + "?before=nothing"),
                try await server.send("GET", Self.path + "?limit=0")
            )
        }

        #expect(Self.ids(newest.text) == ["m60", "m59"])
        #expect(newest.field("next") == "m59")
        #expect(Self.ids(older.text) == ["m2", "m1"])
        #expect(older.field("next") == nil)
        #expect(Self.ids(standard.text).count == 50)
        #expect(standard.field("next") == "m11")
        #expect(unknown.status == 404)
        #expect(unknown.field("code") == "message_not_found")
        #expect(bad.field("detail") == "limit must lie in 1...200")
    }

    private static func ids(_ text: String) -> [String] {
        text.split(separator: #""id":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }

    @Test func editsAndDeletesAMessage() async throws {
        let (edited, deleted, again, gone, posted) = try await withTeam { server in
            _ = try await server.send("POST", Self.path, #"{"id":"m1","text":"a"}"#)
            return (
                try await server.send("PATCH", Self.path + "/m1", #"{"text":"b"}"#),
                try await server.send("DELETE", Self.path + "/m1"),
                try await server.send("DELETE", Self.path + "/m1"), try await server.send("GET", Self.path + "/m1"),
                try await server.send("POST", Self.path, #"{"id":"m1","text":"a"}"#)
            )
        }

        #expect(statuses(edited, deleted, again, gone) == [200, 204, 204, 404])
        #expect(edited.field("text") == "b")
        #expect(edited.field("editedAt") == "2025-10-23T10:30:00.000Z")
        #expect(posted.status == 409)
        #expect(posted.field("code") == "message_deleted")
    }

    @Test(arguments: ["GET", "PATCH", "DELETE"])
    func knowsNoOtherMessages(method: String) async throws {
        let reply = try await withTeam {
            try await $0.send(method, Self.path + "/nothing", method == "PATCH" ? #"{"text":"b"}"# : nil)
        }

        #expect(reply.status == 404)
        #expect(reply.field("code") == "message_not_found")
    }
}
