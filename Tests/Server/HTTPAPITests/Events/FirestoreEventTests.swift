import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport

struct FirestoreEventTests {
    private static let path = "/v1/events/firestore"
    private static let secret = (name: "Authorization", value: "Bearer s3cret")
    private static let created = "google.cloud.firestore.document.v1.created"

    private static func parts(secret: String? = "s3cret") -> ServerParts {
        var parts = ServerParts()
        parts.settings.firestore.secret = secret.flatMap { SecretText($0) }
        return parts
    }

    private static func headers(
        _ id: String, _ action: String = "created", subject: String = "conversations/team/messages/m1",
        time: String = "2025-10-23T10:00:00Z"
    ) -> [(name: String, value: String)] {
        [
            secret, ("ce-specversion", "1.0"), ("ce-id", id), ("ce-source", "//firestore/p"),
            ("ce-type", "google.cloud.firestore.document.v1.\(action)"), ("ce-subject", "documents/\(subject)"),
            ("ce-time", time),
        ]
    }

    private static func message(_ text: String, updated: String, id: String = "m1") -> String {
        #"{"value":{"name":"projects/p/databases/(default)/documents/conversations/team/messages/\#(id)","#
            + #""createTime":"2025-10-23T09:00:00Z","updateTime":"\#(updated)","#
            + #""fields":{"text":{"stringValue":"\#(text)"},"senderId":{"stringValue":"ben"},"#
            + #""likes":{"integerValue":"5"},"timestamp":{"timestampValue":"2025-10-23T09:00:00.123456Z"}}},"#
            + #""oldValue":{},"updateMask":{}}"#
    }

    private static func conversation(_ members: String, updated: String = "2025-10-23T08:00:00Z") -> String {
        #"{"value":{"name":"projects/p/databases/(default)/documents/conversations/team","#
            + #""createTime":"2025-10-23T08:00:00Z","updateTime":"\#(updated)","#
            + #""fields":{"name":{"stringValue":"Team"},"participants":{"arrayValue":{"values":[\#(members)]}}}}}"#
    }

    private static let ada = #"{"stringValue":"ada"}"#
    private static let ben =
        #"{"mapValue":{"fields":{"id":{"stringValue":"ben"},"name":{"stringValue":"Ben"}}}}"#

    private func tell(
        _ server: RunningServer, _ body: String, _ headers: [(name: String, value: String)]
    ) async throws -> String {
        let reply = try await server.send("POST", Self.path, body, headers: headers)
        return "\(reply.status) \(reply.field("outcome") ?? reply.field("code") ?? "")"
    }

    @Test func takesWhatAChatDoesInWhateverOrder() async throws {
        try await withServer(Self.parts()) { server in
            let early = try await tell(
                server, Self.message("one", updated: "2025-10-23T09:00:00Z"), Self.headers("1"))
            let made = try await tell(
                server, Self.conversation("\(Self.ada),\(Self.ben)"),
                Self.headers("2", subject: "conversations/team"))
            let again = try await tell(
                server, Self.message("one", updated: "2025-10-23T09:00:00Z"), Self.headers("1"))
            let double = try await tell(
                server, Self.message("one", updated: "2025-10-23T09:00:00Z"), Self.headers("1"))
            let newest = try await tell(
                server, Self.message("three", updated: "2025-10-23T09:30:00Z"), Self.headers("4", "updated"))
            let late = try await tell(
                server, Self.message("two", updated: "2025-10-23T09:20:00Z"), Self.headers("3", "written"))
            #expect(
                [early, made, again, double, newest, late] == [
                    "503 conversation_unknown", "200 stored", "200 stored", "200 duplicate", "200 stored",
                    "200 outdated",
                ])
            let messages = try await server.store.teamMessages()
            #expect(messages.map(\.text) == ["three"])
            #expect(messages.map(\.senderName) == ["Ben"])
            #expect(messages.map(\.timestamp.microseconds) == [1_761_210_000_123_456])

            let deleted = try await tell(server, "{}", Self.headers("5", "deleted"))
            let never = try await tell(
                server, #"{"value":{}}"#,
                Self.headers("6", "written", subject: "conversations/team/messages/m2"))
            let back = try await tell(
                server, Self.message("x", updated: "2025-10-23T09:40:00Z", id: "m2"), Self.headers("7"))
            #expect([deleted, never, back] == ["200 deleted", "200 deleted", "200 deleted_before"])
            #expect(try await server.store.teamMessages().isEmpty)
        }
    }

    @Test func membersComeAndGoWithTheirDocument() async throws {
        try await withServer(Self.parts()) { server in
            let subject = "conversations/team"
            _ = try await tell(
                server, Self.conversation("\(Self.ada),\(Self.ben)"), Self.headers("1", subject: subject))
            _ = try await tell(
                server, Self.conversation(Self.ada, updated: "2025-10-23T09:00:00Z"),
                Self.headers("2", "updated", subject: subject))
            let roster = try await server.store.roster(of: "team", asker: "ada", at: Sample.now)
            #expect(roster.conversation.name == "Team")
            #expect(roster.conversation.kind == .group)
            #expect(roster.members.map(\.displayName) == ["ada", "Ben"])
            #expect(roster.members.map { $0.leftAt?.iso8601 } == [nil, "2025-10-23T09:00:00.000Z"])
        }
    }

    @Test func readsTheStructuredMode() async throws {
        try await withServer(Self.parts()) { server in
            func event(_ id: String, _ data: String, more: String = "") -> String {
                #"{"specversion":"1.0","id":"\#(id)","source":"s","type":"\#(Self.created)","#
                    + #""time":"2025-10-23T10:00:00Z"\#(more),"data":\#(data)}"#
            }
            let type = [Self.secret, (name: "Content-Type", value: "application/cloudevents+json; charset=utf-8")]
            let made = try await tell(server, event("1", Self.conversation(Self.ada)), type)
            let told = try await tell(
                server, event("2", Self.message("one", updated: "2025-10-23T09:00:00Z")), [Self.secret])
            let foreign = try await tell(
                server, event("3", "{}", more: #","subject":"documents/users/ada""#), [Self.secret])
            let protobuf = try await tell(
                server, event("4", "{}", more: #","datacontenttype":"application/protobuf""#), [Self.secret])
            #expect(
                [made, told, foreign, protobuf]
                    == ["200 stored", "200 stored", "200 ignored", "415 unsupported_media_type"])
            #expect(try await server.store.teamMessages().map(\.text) == ["one"])
        }
    }

    @Test func onlyWhoKnowsTheSecretIsHeard() async throws {
        let body = Self.conversation(Self.ada)
        let wrong = ["Bearer s3creT", "Bearer s3cret2", "Bearer s3cre", "s3cret", ""].map { value in
            [(name: "Authorization", value: value)] + Self.headers("1").dropFirst()
        }
        let refused = try await withServer(Self.parts()) { server in
            var refused: [String] = []
            for headers in wrong { refused.append(try await tell(server, body, headers)) }
            return refused
        }
        let closed = try await withServer(Self.parts(secret: nil)) { try await tell($0, body, Self.headers("1")) }

        #expect(refused == wrong.map { _ in "401 unauthorized" })
        #expect(closed == "404 not_found")
    }

    @Test(arguments: [
        (
            #"{"value":{"name":"x/documents/conversations/c/messages/m","updateTime":"2025-10-23T09:00:00Z"}}"#,
            "senderId is missing"
        ),
        (
            #"{"value":{"name":"x/documents/conversations/c/messages/m","updateTime":1.5e300,"fields":{}}}"#,
            "value.updateTime must be a time such as 2025-10-23T10:30:00Z, or milliseconds since 1970"
        ),
        (
            #"{"value":{"name":"x/documents/conversations/c/messages/m","fields":{"senderId":"ben"}}}"#,
            "value.fields.senderId must be a typed value, as {\"stringValue\": …}"
        ),
        ("[]", "the body must be an object, not an array"),
    ])
    func refusesBadEvents(body: String, detail: String) async throws {
        let reply = try await withServer(Self.parts()) {
            try await $0.send("POST", Self.path, body, headers: Self.headers("1"))
        }

        #expect(reply.status == 400)
        #expect(reply.field("detail") == detail)
    }

    @Test func protobufIsRefusedWithAHint() async throws {
        let reply = try await withServer(Self.parts()) {
            try await $0.send(
                "POST", Self.path, "x",
                headers: Self.headers("1") + [(name: "Content-Type", value: "application/protobuf")])
        }

        #expect(reply.status == 415)
        #expect(reply.field("detail")?.contains("event data content type") == true)
    }

    @Test func fieldsAndPathsAreConfigurable() async throws {
        var parts = Self.parts()
        parts.settings.firestore.messagePath = "teams/{t}/chats/{c}/posts/{m}"
        parts.settings.firestore.fields = FirestoreSettings.Fields(
            text: "body", senderID: "author.ref", senderName: "author.name", timestamp: "sent")
        let document =
            #"{"value":{"updateTime":"2025-10-23T09:00:00Z","fields":{"body":{"stringValue":"hi"},"#
            + #""sent":{"integerValue":"1761210000000"},"author":{"mapValue":{"fields":{"#
            + #""name":{"stringValue":"Benno"},"ref":{"referenceValue":"projects/p/users/ben"}}}}}}}"#
        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            let told = try await tell(
                server, document, Self.headers("1", subject: "teams/x/chats/team/posts/p%201"))
            #expect(told == "200 stored")
            let message = try await server.store.teamMessages().first
            #expect(message?.key.messageID == "p 1")
            #expect(message?.senderID == "ben")
            #expect(message?.senderName == "Benno")
            #expect(message?.timestamp == Timestamp(milliseconds: 1_761_210_000_000))
        }
    }

    @Test(arguments: ["/embedNewMessage", "/p/europe-west1/embedNewMessage"])
    func theCallableTakesTheSameAsPlainData(path: String) async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            let data =
                #"{"conversationId":"team","messageId":"m1","text":"hello","senderId":"ben","#
                + #""timestamp":{"_seconds":1761210000,"_nanoseconds":123000000}}"#
            let first = try await server.send("POST", path, #"{"data":\#(data)}"#)
            let again = try await server.send("POST", path, #"{"data":\#(data)}"#)
            let other = try await server.send(
                "POST", path, #"{"data":\#(data.replacing("hello", with: "bye"))}"#)
            let foreign = try await server.send(
                "POST", path, #"{"data":\#(data.replacing("ben", with: "eve"))}"#)
            #expect(first.text == #"{"result":{"messageId":"m1","status":"inserted"}}"#)
            #expect(again.text == #"{"result":{"messageId":"m1","status":"unchanged"}}"#)
            #expect(statuses(first, again, other, foreign) == [200, 200, 409, 403])
            let message = try await server.store.teamMessages().first
            #expect(message?.timestamp.microseconds == 1_761_210_000_123_000)
            #expect(message?.senderName == "ben")
        }
    }
}
