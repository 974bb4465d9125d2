import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import NexusModel
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Messages that people save for themselves, over HTTP.
@Suite(.hangGuard) struct SavedRouteTests {
    private static let path = "/v1/conversations/crew/messages"

    private func withCrew(_ body: (StoredServer) async throws -> Void) async throws {
        try await withStoredServer { world in
            _ = try await world.send(
                "POST", "/v1/conversations",
                #"{"id":"crew","name":"Crew","members":[{"userId":"ada"},{"userId":"bob"}]}"#, as: "ada")
            for number in 1...5 {
                let sent = try await world.send(
                    "POST", Self.path, #"{"id":"m\#(number)","text":"the crane \#(number)"}"#, as: "bob")
                #expect(sent.status == 201)
            }
            try await body(world)
        }
    }

    private func list(_ world: StoredServer, _ query: String = "", as user: String) async throws -> SavedMessagePage {
        let reply = try await world.send("GET", "/v1/saved" + query, as: user)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(SavedMessagePage.self, from: Data(reply.text.utf8))
    }

    @Test func aPersonSavesListsAndRemoves() async throws {
        try await withCrew { world in
            let first = try await world.send("PUT", Self.path + "/m2/saved", as: "ada")
            world.clock.advance(by: .seconds(60))
            let again = try await world.send("PUT", Self.path + "/m2/saved", "{}", as: "ada")
            #expect(first.status == 201 && again.status == 200)
            #expect(first.field("savedAt") != nil && first.field("savedAt") == again.field("savedAt"))
            for id in ["m1", "m4"] {
                #expect(try await world.send("PUT", Self.path + "/\(id)/saved", as: "ada").status == 201)
            }

            let page = try await list(world, "?limit=2", as: "ada")
            #expect(page.messages.map(\.message.id) == ["m4", "m1"])
            #expect(page.messages.map(\.message.text) == ["the crane 4", "the crane 1"])
            #expect(page.messages.allSatisfy { $0.message.conversationId == "crew" && $0.message.seq != nil })
            let next = try #require(page.next)
            let rest = try await list(world, "?limit=2&before=\(next)", as: "ada")
            #expect(rest.messages.map(\.message.id) == ["m2"] && rest.next == nil)
            #expect(try await list(world, as: "bob").messages.isEmpty)

            #expect(try await world.send("DELETE", Self.path + "/m1/saved", as: "ada").status == 204)
            #expect(try await world.send("DELETE", Self.path + "/m1/saved", as: "ada").status == 204)
            _ = try await world.send("DELETE", Self.path + "/m4", as: "bob")
            #expect(try await list(world, as: "ada").messages.map(\.message.id) == ["m2"])
            _ = try await world.send("DELETE", "/v1/conversations/crew/members/ada", as: "ada")
            #expect(try await list(world, as: "ada").messages.isEmpty)
        }
    }

    @Test func nobodySavesWhatTheyMayNotRead() async throws {
        try await withCrew { world in
            let foreign = try await world.send("PUT", Self.path + "/m1/saved", as: "eve")
            let unknown = try await world.send("PUT", Self.path + "/none/saved", as: "ada")
            #expect(foreign.status == 403 && unknown.status == 404)
            // Removing tells nothing about what exists.
            for path in [Self.path + "/m1/saved", "/v1/conversations/none/messages/m1/saved"] {
                #expect(try await world.send("DELETE", path, as: "eve").status == 204)
            }
            let bad = try await world.send("GET", "/v1/saved?before=x", as: "ada")
            #expect(bad.status == 400 && bad.field("field") == "before")
        }
    }

    @Test func theLimitIsAnErrorThatSaysWhatToDo() async throws {
        try await withCrew { world in
            let others = (0..<SavedMessage.limit).map {
                Message.short("crew", MessageID(rawValue: "s\($0)"), by: "bob", at: $0)
            }
            for start in stride(from: 0, to: others.count, by: 500) {
                _ = try await world.store.post(
                    Array(others[start..<start + 500]), source: "api", at: world.clock.now())
            }
            let saved = try await world.store.inspect(
                """
                INSERT INTO saved_messages (user_id, number, message, saved_at)
                SELECT 'ada', number, number, 0 FROM messages WHERE id LIKE 's%' RETURNING 1
                """)
            #expect(saved.count == SavedMessage.limit)
            let reply = try await world.send("PUT", Self.path + "/m1/saved", as: "ada")
            #expect(reply.status == 400)
            #expect(reply.field("detail")?.contains("2000 messages are saved") == true, "\(reply.text)")
        }
    }
}
