import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
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
            shown.text == #"{"attachments":[{"caption":"cat","mediaType":"image/png","name":"a.png","#
                + #""type":"image/png"}],"#
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
            {"messages":[{"id":"m1","text":"a"},{"id":"m2"},{"id":"m3","text":"c"},{"id":"m1","text":"z"},
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
        #expect(alive.text == #"{"hasNewer":false,"hasOlder":false,"messages":[]}"#)
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

    @Test func pagesBeginBeforeAfterAndAroundAMessage() async throws {
        let replies = try await withTeam { server in
            let items = (1...9).map { #"{"id":"m\#($0)","text":"t"}"# }.joined(separator: ",")
            _ = try await server.send("POST", Self.path, #"{"messages":[\#(items)]}"#)
            let queries = [
                "limit=2", "limit=2&before=m4", "limit=2&before=m1", "limit=2&after=m4", "limit=2&after=m7",
                "limit=2&after=m9", "limit=5&around=m5", "limit=5&around=m1", "limit=1&around=m5",
                "limit=2&around=unread", "around=none", "around=m1&before=m2",
            ]
            var replies: [Reply] = []
            for query in queries { replies.append(try await server.send("GET", Self.path + "?" + query)) }
            return replies
        }

        func shown(_ reply: Reply) -> String {
            let flags = ["hasOlder", "hasNewer"].filter { reply.text.contains(#""\#($0)":true"#) }
            return (Self.ids(reply.text) + flags + [reply.field("next")].compactMap(\.self)).joined(separator: " ")
        }
        #expect(
            replies.prefix(10).map(shown) == [
                "m9 m8 hasOlder m8", "m3 m2 hasOlder hasNewer m2", "hasNewer", "m6 m5 hasOlder hasNewer m6",
                "m9 m8 hasOlder", "hasOlder", "m7 m6 m5 m4 m3 hasOlder hasNewer", "m5 m4 m3 m2 m1 hasNewer",
                "m5 hasOlder hasNewer", "m9 m8 hasOlder",
            ])
        #expect(replies.suffix(2).map(\.status) == [404, 400])
    }

    @Test func aPageBeginsWithTheFirstMessageFromATimeOn() async throws {
        let replies = try await withTeam { server in
            // The messages m1, m2, … are of the hours from noon on.
            let items = (1...9).map { #"{"id":"m\#($0)","text":"t","timestamp":"2026-09-01T\#(11 + $0):00:00Z"}"# }
            let sent = try await server.send("POST", Self.path, #"{"messages":[\#(items.joined(separator: ","))]}"#)
            #expect(sent.status < 300, "\(sent.text)")
            let queries = [
                "limit=5&at=2026-09-01T16:00:00Z", "limit=5&at=2026-09-01T15:00:00.001Z", "limit=3&at=0",
                "limit=3&at=2026-09-01T23:00:00Z", "limit=2&at=2026-09-01T14:30:00%2B02:00",
                "limit=20&at=1788264000000", "at=tomorrow", "at=2026-09-01", "at=2026-09-01T16:00:00Z&before=m2", "at=",
            ]
            var replies: [Reply] = []
            for query in queries { replies.append(try await server.send("GET", Self.path + "?" + query)) }
            return replies
        }

        func shown(_ reply: Reply) -> String {
            let flags = ["hasOlder", "hasNewer"].filter { reply.text.contains(#""\#($0)":true"#) }
            return (Self.ids(reply.text) + flags + [reply.field("firstId")].compactMap(\.self)).joined(separator: " ")
        }
        #expect(
            replies.prefix(6).map(shown) == [
                "m7 m6 m5 m4 m3 hasOlder hasNewer m5", "m7 m6 m5 m4 m3 hasOlder hasNewer m5", "m3 m2 m1 hasNewer m1",
                "m9 m8 m7 hasOlder", "m3 m2 hasOlder hasNewer m2", "m9 m8 m7 m6 m5 m4 m3 m2 m1 m1",
            ])
        #expect(replies.suffix(4).map(\.status) == [400, 400, 400, 400])
        #expect(replies.suffix(4).allSatisfy { $0.field("field") == "at" })
    }

    @Test func repliesAreCountedListedAndShownToThoseWhoSeeThem() async throws {
        let (root, first, rest, foreign, unknown) = try await withTeam { server in
            let items =
                #"{"id":"m1","text":"t"},{"id":"m2","text":"t","replyTo":"m1"},"#
                + #"{"id":"m3","text":"t","threadRoot":"m1","replyTo":"m2"},{"id":"m4","text":"t"}"#
            _ = try await server.send("POST", Self.path, #"{"messages":[\#(items)]}"#)
            let replies = Self.path + "/m1/replies"
            return (
                try await server.send("GET", Self.path + "/m1"), try await server.send("GET", replies + "?limit=1"),
                try await server.send("GET", replies + "?after=m2"),
                try await server.send("GET", replies, headers: [("X-Nexus-User", "eve")]),
                try await server.send("GET", Self.path + "/none/replies")
            )
        }

        #expect(root.text.contains(#""replyCount":2"#) && root.text.contains(#""lastReplyAt":"2025-"#))
        #expect(Self.ids(first.text) == ["m2"] && first.field("next") == "m2")
        #expect(first.text.contains(#""replyCount":1"#))
        #expect(Self.ids(rest.text) == ["m3"] && rest.field("next") == nil)
        #expect(foreign.status == 403 && unknown.status == 404)
    }

    @Test func repliesToADeletedMessageAreListed() async throws {
        let (list, all, foreign) = try await withTeam { server in
            let items =
                #"{"id":"m1","text":"t"},{"id":"m2","text":"t","replyTo":"m1"},"#
                + #"{"id":"m3","text":"t","threadRoot":"m1","replyTo":"m2"}"#
            _ = try await server.send("POST", Self.path, #"{"messages":[\#(items)]}"#)
            _ = try await server.send("DELETE", Self.path + "/m1")
            let replies = Self.path + "/m1/replies"
            return (
                try await server.send("GET", replies), try await server.send("GET", Self.path),
                try await server.send("GET", replies, headers: [("X-Nexus-User", "eve")])
            )
        }

        #expect(list.status == 200 && Self.ids(list.text) == ["m2", "m3"])
        #expect(Self.ids(all.text) == ["m3", "m2"] && all.text.contains(#""threadRoot":"m1""#))
        #expect(foreign.status == 403)
    }

    @Test func theFormsOfOneEmojiInAPostedMessageAreOneReaction() async throws {
        let message = try await withTeam { server in
            let hearts = [("\u{2764}", "ben"), ("\u{2764}\u{FE0F}", "ben"), ("\u{2764}\u{FE0E}", "ada")]
                .map { #"{"emoji":"\#($0)","userIds":["\#($1)"]}"# }.joined(separator: ",")
            _ = try await server.send("POST", Self.path, #"{"id":"m1","text":"t","reactions":[\#(hearts)]}"#)
            return try await server.send("GET", Self.path + "/m1")
        }

        #expect(message.text.contains("\"reactions\":[{\"emoji\":\"\u{2764}\u{FE0F}\",\"userIds\":[\"ben\",\"ada\"]}]"))
    }

    @Test func reactionsAreShortenedAndListedWithNames() async throws {
        let (message, list) = try await withTeam { server in
            let users = (["ben"] + (1...59).map { "u\($0)" }).map { "\"\($0)\"" }.joined(separator: ",")
            let body = #"{"id":"m1","text":"t","reactions":[{"emoji":"x","userIds":[\#(users)]}]}"#
            _ = try await server.send("POST", Self.path, body)
            return (
                try await server.send("GET", Self.path + "/m1"),
                try await server.send("GET", Self.path + "/m1/reactions")
            )
        }

        #expect(message.text.contains(#""reactions":[{"count":60,"emoji":"x","userIds":["ben","u1""#))
        #expect(message.text.contains(#""u49"]"#) && !message.text.contains(#""u50""#))
        #expect(list.status == 200)
        #expect(list.text.contains(#"{"count":60,"emoji":"x","people":[{"name":"ben","userId":"ben"},"#))
        #expect(list.text.contains(#"{"name":"u59","userId":"u59"}]"#))
    }

    @Test func aLocalIDIsForItsSender() async throws {
        let (posted, own, other, edited) = try await withTeam { server in
            let ben = [(name: "X-Nexus-User", value: "ben")]
            return (
                try await server.send("POST", Self.path, #"{"id":"m1","text":"t","senderId":"ada","localId":"l1"}"#),
                try await server.send("GET", Self.path), try await server.send("GET", Self.path, headers: ben),
                try await server.send("PATCH", Self.path + "/m1", #"{"text":"u"}"#, headers: ben)
            )
        }

        #expect(posted.field("localId") == "l1")
        #expect(own.text.contains(#""localId":"l1""#))
        #expect(other.status == 200 && !other.text.contains("l1"))
        #expect(edited.status == 200 && !edited.text.contains("l1"))
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

    /// Both look for the message before one of them stores it, and their times differ.
    @Test(arguments: [false, true]) func twoSimultaneousPostsOfOneMessageAreOne(inBatches: Bool) async throws {
        let parts = ServerParts()
        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", #"{"id":"team","members":[{"userId":"ada"}]}"#)
            for number in 0..<40 {
                let message = #"{"id":"m\#(number)","senderId":"ada","text":"Friday"}"#
                let body = inBatches ? #"{"messages":[\#(message)]}"# : message
                let replies = try await withThrowingTaskGroup { group in
                    for _ in 0..<3 {
                        group.addTask { try await server.send("POST", "/v1/conversations/team/messages", body) }
                    }
                    return try await group.reduce(into: [Reply]()) { $0.append($1) }
                }
                #expect(replies.allSatisfy { (200...201).contains($0.status) })
                #expect(replies.allSatisfy { !$0.text.contains("conflict") })
            }
            let other = try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"id":"m0","senderId":"ada","text":"Monday"}"#)
            #expect(other.status == 409)
        }
        #expect(try await parts.store.teamMessages().count == 40)
    }
}
