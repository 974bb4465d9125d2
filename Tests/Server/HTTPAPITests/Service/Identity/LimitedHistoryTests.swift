import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import MessageStore
import ServerTestSupport
import TestSupport
import Testing

/// Who joins a group with a limited history gets nothing of what was written before, by any route.
@Suite(.hangGuard) struct LimitedHistoryTests {
    private static let secret = "hush"
    private static let path = "/v1/conversations/crew"

    private static func make(_ world: StoredServer, _ history: String) async throws {
        let members = ["ada", "bob"].map { #"{"userId":"\#($0)"}"# }.joined(separator: ",")
        let made = try await world.send(
            "POST", "/v1/conversations",
            #"{"id":"crew","name":"Crew","history":"\#(history)","members":[\#(members)]}"#,
            as: "ada")
        #expect(made.status == 201 && made.field("history") == history, "\(made.text)")
    }

    private static func post(_ world: StoredServer, _ body: String, as user: String) async throws {
        let reply = try await world.send("POST", path + "/messages", body, as: user)
        #expect(reply.status == 201, "\(reply.text)")
        world.clock.advance(by: .seconds(60))
    }

    private static func join(_ user: String, _ world: StoredServer) async throws {
        _ = try await world.store.setMember(
            Member(userID: UserID(rawValue: user), displayName: user, joinedAt: world.clock.now()), in: "crew",
            source: "api", at: world.clock.now())
        world.clock.advance(by: .seconds(60))
    }

    @Test func whoJoinsLaterGetsNothingFromBefore() async throws {
        try await withStoredServer { world in
            try await Self.make(world, "joined")
            let file = try #require(
                try await world.send("POST", "/v1/files?name=hushplan.txt", "hushbytes of the pier", as: "ada")
                    .field("id"))
            try await Self.post(
                world, #"{"id":"m1","text":"hushtext @bob of the pier","attachments":["\#(file)"]}"#, as: "ada")
            try await Self.post(world, #"{"id":"m2","text":"hushtext again of the pier","replyTo":"m1"}"#, as: "bob")
            try await Self.join("eve", world)
            try await Self.post(world, #"{"id":"m3","text":"the pier is open","replyTo":"m1"}"#, as: "ada")
            try await world.embed()

            let values = [
                ":conversation": "crew", ":message": "m1", ":user": "bob", ":project": "p", ":region": "r",
                ":model": "nexus", ":item": "i1", ":emoji": "x", ":file": file,
            ]
            var walked = 0
            for route in world.routes where ![.admin, .source].contains(route.access) {
                guard !["followFeed", "openSocket", "removeMember", "setHistory"].contains(route.operationID) else {
                    continue
                }
                walked += 1
                let parts = route.path.split(separator: "/").map { values[String($0)] ?? String($0) }
                let body = RouteAccessTests.bodies[route.operationID]?.replacing(#""q""#, with: #""pier""#)
                let reply = try await world.send(
                    route.method.rawValue, "/" + parts.joined(separator: "/"), body, as: "eve")
                #expect(!reply.text.contains(Self.secret), "\(route.method) \(route.path): \(reply.text)")
                #expect(reply.status < 500, "\(route.method) \(route.path): \(reply.text)")
            }
            #expect(walked > 80)
            let searches = [
                ("POST", "/v1/search", #"{"query":"hushtext of the pier","topK":50}"#),
                ("POST", "/v1/ask", #"{"question":"What is at the pier?"}"#),
                ("GET", Self.path + "/messages?around=m1", nil),
                ("GET", "/v1/sync", nil), ("GET", "/v1/notifications", nil),
            ]
            for (method, path, body) in searches {
                let reply = try await world.send(method, path, body, as: "eve")
                #expect(!reply.text.contains(Self.secret), "\(method) \(path): \(reply.text)")
                let own = try await world.send(method, path, body, as: "bob")
                #expect(own.text.contains(Self.secret) || path == "/v1/sync", "\(method) \(path): \(own.text)")
            }
            #expect(try await world.send("GET", "/v1/files/\(file)", as: "eve").status == 404)
            #expect(try await world.send("GET", "/v1/files/\(file)", as: "bob").status == 200)
            let found = try await world.send("POST", "/v1/search", #"{"query":"pier"}"#, as: "eve")
            #expect(found.text.contains(#""messageId":"m3""#), "\(found.text)")
        }
    }

    @Test func administratorsDecideAboutTheHistory() async throws {
        try await withStoredServer { world in
            try await Self.make(world, "all")
            try await Self.post(world, #"{"id":"m1","text":"early"}"#, as: "ada")
            let limit = #"{"history":"joined"}"#
            #expect(try await world.send("PUT", Self.path + "/history", limit, as: "mal").status == 403)
            #expect(try await world.send("PUT", Self.path + "/history", "{}", as: "ada").status == 400)
            #expect(try await world.send("PUT", Self.path + "/history", limit, as: "ada").status == 204)
            try await Self.join("eve", world)

            let conversation = try await world.send("GET", Self.path, as: "eve")
            #expect(conversation.field("history") == "joined")
            #expect(!(try await world.send("GET", Self.path + "/messages", as: "eve").text.contains("early")))
            #expect(try await world.send("GET", Self.path + "/messages", as: "bob").text.contains("early"))
            #expect(try await world.send("PUT", Self.path + "/history", #"{"history":"all"}"#, as: "ada").status == 204)
            #expect(try await world.send("GET", Self.path + "/messages", as: "eve").text.contains("early"))
        }
    }
}
