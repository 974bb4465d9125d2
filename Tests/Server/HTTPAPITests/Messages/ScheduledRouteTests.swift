import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import NexusModel
import ServerTestSupport
import TestSupport
import Testing

/// Messages that people write to be sent later, over HTTP.
@Suite(.hangGuard) struct ScheduledRouteTests {
    private static let place = "/v1/conversations/crew/scheduled"

    private func withCrew(_ body: (StoredServer) async throws -> Void) async throws {
        try await withStoredServer { world in
            _ = try await world.send(
                "POST", "/v1/conversations",
                #"{"id":"crew","name":"Crew","members":[{"userId":"ada"},{"userId":"bob"}]}"#, as: "ada")
            try await body(world)
        }
    }

    /// A time so many seconds from now.
    private func time(_ seconds: Int, _ world: StoredServer) -> String {
        (world.clock.now() + .seconds(seconds)).iso8601
    }

    private func list(_ world: StoredServer, as user: String) async throws -> ScheduledMessageList {
        let reply = try await world.send("GET", "/v1/scheduled", as: user)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(ScheduledMessageList.self, from: Data(reply.text.utf8))
    }

    @Test func aMessageIsScheduledChangedSentAndDeleted() async throws {
        try await withCrew { world in
            let (first, second) = (time(3_600, world), time(7_200, world))
            let body = #"{"id":"s1","text":"the crane comes","sendAt":"\#(second)"}"#
            let made = try await world.send("POST", Self.place, body, as: "ada")
            #expect(made.status == 201, "\(made.text)")
            #expect(made.field("id") == "s1" && made.field("sendAt") == second)
            #expect(made.field("conversationId") == "crew")
            world.clock.advance(by: .seconds(1))
            #expect(try await world.send("POST", Self.place, body, as: "ada").status == 200)
            let other = try await world.send(
                "POST", Self.place, #"{"id":"s1","text":"other","sendAt":"\#(second)"}"#, as: "ada")
            #expect(other.status == 409)
            let unnamed = try await world.send(
                "POST", Self.place, #"{"text":"tea?","sendAt":"\#(first)"}"#, as: "ada")
            let id = try #require(unnamed.field("id"))
            #expect(try await list(world, as: "ada").messages.map(\.text) == ["tea?", "the crane comes"])
            #expect(try await list(world, as: "ada").limit == 100)
            #expect(try await list(world, as: "bob").messages.isEmpty)
            let read = try await world.send("GET", "/v1/conversations/crew/messages", as: "bob")
            #expect(!read.text.contains("crane"))

            let third = time(9_000, world)
            let changed = try await world.send(
                "PATCH", "/v1/scheduled/\(id)", #"{"text":"coffee?","sendAt":"\#(third)"}"#, as: "ada")
            #expect(changed.status == 200 && changed.field("text") == "coffee?" && changed.field("sendAt") == third)
            let sent = try await world.send("POST", "/v1/scheduled/s1/send", as: "ada")
            #expect(sent.status == 201 && sent.field("messageId") == "s1", "\(sent.text)")
            #expect(try await world.send("POST", "/v1/scheduled/s1/send", as: "ada").status == 404)
            #expect(try await world.store.texts(in: "crew") == ["the crane comes"])
            #expect(try await world.send("DELETE", "/v1/scheduled/\(id)", as: "ada").status == 204)
            let gone = try await world.send("DELETE", "/v1/scheduled/\(id)", as: "ada")
            #expect(gone.status == 404 && gone.field("code") == "scheduled_message_not_found")
        }
    }

    @Test func othersReachNothingOfIt() async throws {
        try await withCrew { world in
            let body = #"{"id":"s1","text":"the crane comes","sendAt":"\#(time(60, world))"}"#
            let foreign = try await world.send("POST", Self.place, body, as: "eve")
            #expect(foreign.status == 403 && foreign.field("code") == "conversation_forbidden")
            #expect(try await world.send("POST", Self.place, body, as: "ada").status == 201)
            for (method, path, body) in [
                ("PATCH", "/v1/scheduled/s1", #"{"text":"x"}"#), ("POST", "/v1/scheduled/s1/send", nil),
                ("DELETE", "/v1/scheduled/s1", nil),
            ] as [(String, String, String?)] {
                for user in ["bob", "eve"] {
                    #expect(try await world.send(method, path, body, as: user).status == 404)
                }
            }
            #expect(try await list(world, as: "ada").messages.count == 1)
        }
    }

    /// A refused message says why, and waits again with another time; the reply to sending it says why not.
    @Test func aRefusedMessageSaysWhy() async throws {
        try await withCrew { world in
            _ = try await world.send(
                "POST", Self.place, #"{"id":"s1","text":"the crane comes","sendAt":"\#(time(60, world))"}"#, as: "ada")
            _ = try await world.send("DELETE", "/v1/conversations/crew/members/ada", as: "ada")
            world.clock.advance(by: .seconds(61))
            let sending = try await world.store.sendNextScheduled(lateLimit: .seconds(600), at: world.clock.now())
            #expect(sending == .refused(.conversationLeft))

            let kept = try #require(try await list(world, as: "ada").messages.first)
            #expect(kept.refusedReason == "conversation_left" && kept.text == "the crane comes")
            let now = try await world.send("POST", "/v1/scheduled/s1/send", as: "ada")
            #expect(now.status == 403 && now.field("code") == "conversation_forbidden")
            let text = try await world.send("PATCH", "/v1/scheduled/s1", #"{"text":"it comes"}"#, as: "ada")
            #expect(text.field("refusedReason") == "conversation_left" && text.field("text") == "it comes")
            let again = try await world.send(
                "PATCH", "/v1/scheduled/s1", #"{"sendAt":"\#(time(60, world))"}"#, as: "ada")
            #expect(again.status == 200 && again.field("refusedReason") == nil)
        }
    }

    @Test(arguments: [
        (#"{"text":"x"}"#, "sendAt"), (#"{"sendAt":"2099-01-01T00:00:00Z"}"#, "text"),
        (#"{"text":"  ","sendAt":"2025-12-01T00:00:00Z"}"#, "text"),
        (#"{"text":"x","sendAt":"tomorrow"}"#, "sendAt"), (#"{"text":"x","sendAt":"2020-01-01T00:00:00Z"}"#, "sendAt"),
        (#"{"text":"x","sendAt":"2099-01-01T00:00:00Z"}"#, "sendAt"),
        (#"{"text":"x","sendAt":"2025-12-01T00:00:00Z","attachments":[]}"#, "attachments"),
    ])
    func aWrongFieldIsNamed(_ body: String, _ field: String) async throws {
        try await withCrew { world in
            let reply = try await world.send("POST", Self.place, body, as: "ada")

            #expect(reply.status == 400 && reply.field("field") == field, "\(reply.text)")
            #expect(try await list(world, as: "ada").messages.isEmpty)
        }
    }

    @Test func theLimitIsAnErrorThatSaysWhatToDo() async throws {
        try await withCrew { world in
            for number in 1...ScheduledMessage.limit {
                _ = try await world.store.schedule(
                    ScheduledMessage(
                        id: MessageID(rawValue: "s\(number)"), authorID: "ada", conversationID: "crew", text: "x",
                        sendAt: world.clock.now() + .seconds(60), createdAt: world.clock.now()),
                    limit: ScheduledMessage.limit, at: world.clock.now())
            }
            let reply = try await world.send(
                "POST", Self.place, #"{"text":"x","sendAt":"\#(time(60, world))"}"#, as: "ada")
            #expect(reply.status == 400 && reply.field("field") == "sendAt")
            #expect(reply.field("detail")?.contains("100 messages are scheduled") == true, "\(reply.text)")
        }
    }

    /// Messages of the same time have one order too, and one that is sent meanwhile moves no other.
    @Test func theListHasPages() async throws {
        try await withCrew { world in
            for number in 1...5 {
                _ = try await world.store.schedule(
                    ScheduledMessage(
                        id: MessageID(rawValue: "s \(number)"), authorID: "ada", conversationID: "crew", text: "x",
                        sendAt: world.clock.now() + .seconds(60 * (number / 3)), createdAt: world.clock.now()),
                    limit: 9, at: world.clock.now())
            }
            var (pages, next): ([[String]], String?) = ([], nil)
            repeat {
                let query = "?limit=2" + (next.map { "&after=\($0)" } ?? "")
                let reply = try await world.send("GET", "/v1/scheduled" + query, as: "ada")
                #expect(reply.status == 200, "\(reply.text)")
                let page = try JSONDecoder().decode(ScheduledMessageList.self, from: Data(reply.text.utf8))
                pages.append(page.messages.map(\.id))
                next = page.next
                if pages.count == 1 { try await world.store.deleteScheduled("s 2", of: "ada") }
            } while next != nil
            #expect(pages == [["s 1", "s 2"], ["s 3", "s 4"], ["s 5"]])

            let all = try await world.send("GET", "/v1/scheduled", as: "ada")
            #expect(all.field("next") == nil && all.text.contains("s 5"))
            for query in ["after=x", "after=\(Base64URL.encode(Array("1 2".utf8)))", "limit=0", "limit=101"] {
                let reply = try await world.send("GET", "/v1/scheduled?" + query, as: "ada")
                #expect(reply.status == 400, "\(query): \(reply.text)")
            }
        }
    }

    /// The client keeps the id, so a message that is sent is the one that was scheduled, with the person's name.
    @Test func theFeedTellsTheAuthor() async throws {
        try await withCrew { world in
            let start = try await world.store.latestChange()
            _ = try await world.send(
                "POST", Self.place, #"{"id":"s1","text":"x","sendAt":"\#(time(60, world))"}"#, as: "ada")
            let page = try await world.store.feed(
                of: "ada", in: FeedRange(after: start), limit: 9, at: world.clock.now())
            #expect(page.changes == [.scheduled])
        }
    }
}

/// Reminders of saved messages, over HTTP.
@Suite(.hangGuard) struct ReminderRouteTests {
    private static let path = "/v1/conversations/crew/messages/m1/saved"

    private func withCrew(_ body: (StoredServer) async throws -> Void) async throws {
        try await withStoredServer { world in
            _ = try await world.send(
                "POST", "/v1/conversations",
                #"{"id":"crew","name":"Crew","members":[{"userId":"ada"},{"userId":"bob"}]}"#, as: "ada")
            _ = try await world.send(
                "POST", "/v1/conversations/crew/messages", #"{"id":"m1","text":"the crane"}"#, as: "bob")
            try await body(world)
        }
    }

    private func list(_ world: StoredServer, _ query: String) async throws -> SavedMessagePage {
        let reply = try await world.send("GET", "/v1/saved" + query, as: "ada")
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(SavedMessagePage.self, from: Data(reply.text.utf8))
    }

    @Test func aReminderIsSetListedAndTold() async throws {
        try await withCrew { world in
            let (soon, later) = ((world.clock.now() + .seconds(60)).iso8601, (world.clock.now() + .seconds(90)).iso8601)
            let first = try await world.send("PUT", Self.path, #"{"remindAt":"\#(soon)"}"#, as: "ada")
            #expect(first.status == 201 && first.field("remindAt") == soon, "\(first.text)")
            let moved = try await world.send("PUT", Self.path, #"{"remindAt":"\#(later)"}"#, as: "ada")
            #expect(moved.status == 200 && moved.field("remindAt") == later)
            #expect(try await world.send("PUT", Self.path, as: "ada").field("remindAt") == later)
            let reminders = try await list(world, "?reminders=true").messages
            #expect(reminders.map { $0.remindAt.map { TimeText.text($0) } } == [later])
            let ended = try await world.send("PUT", Self.path, #"{"remindAt":null}"#, as: "ada")
            #expect(ended.status == 200 && ended.field("remindAt") == nil)
            #expect(try await list(world, "?reminders=true").messages.isEmpty)
            #expect(try await list(world, "?reminders=false").messages.map(\.message.id) == ["m1"])

            _ = try await world.send("PUT", Self.path, #"{"remindAt":"\#(later)"}"#, as: "ada")
            world.clock.advance(by: .seconds(90))
            #expect(try await world.store.remindDue(limit: 9, at: world.clock.now()) == 1)
            let told = try await world.send("GET", "/v1/notifications", as: "ada")
            #expect(told.text.contains(#""kind":"reminder""#) && told.text.contains("the crane"), "\(told.text)")
            #expect(try await list(world, "").messages.map(\.remindAt) == [nil])
            #expect(try await !world.send("GET", "/v1/notifications", as: "bob").text.contains("reminder"))
        }
    }

    @Test(arguments: [
        (#"{"remindAt":"2020-01-01T00:00:00Z"}"#, "remindAt"), (#"{"remindAt":"2099-01-01T00:00:00Z"}"#, "remindAt"),
        (#"{"remindAt":"soon"}"#, "remindAt"), (#"{"remind":1}"#, "remind"),
    ])
    func aWrongFieldIsNamed(_ body: String, _ field: String) async throws {
        try await withCrew { world in
            let reply = try await world.send("PUT", Self.path, body, as: "ada")
            #expect(reply.status == 400 && reply.field("field") == field, "\(reply.text)")
            #expect(try await list(world, "").messages.isEmpty)
            let query = try await world.send("GET", "/v1/saved?reminders=yes", as: "ada")
            #expect(query.status == 400 && query.field("field") == "reminders")
        }
    }
}
