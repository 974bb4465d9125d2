import ChatCore
import Foundation
import HTTPAPI
import MessageStore
import NexusModel
import ServerTestSupport
import TestSupport
import Testing
import UseCases

/// Links with people of other chats, over HTTP.
@Suite(.hangGuard) struct LinkRouteTests {
    private static let author = "slack-U0ADA"

    private func code(_ world: StoredServer, as user: String) async throws -> LinkCodeDetails {
        let reply = try await world.send("POST", "/v1/links/code", as: user)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(LinkCodeDetails.self, from: Data(reply.text.utf8))
    }

    private func list(_ world: StoredServer, as user: String) async throws -> PersonLinkList {
        let reply = try await world.send("GET", "/v1/links", as: user)
        #expect(reply.status == 200, "\(reply.text)")
        return try JSONDecoder().decode(PersonLinkList.self, from: Data(reply.text.utf8))
    }

    /// A room of Slack in which Ada wrote something, as its connector stores it.
    private func furnish(_ world: StoredServer) async throws {
        let room = ConnectorRoom(id: "C1", conversationID: "slack-C1", progress: "{}")
        try await world.store.store(room, of: "slack")
        try await world.store.storeAuthors(
            [Identity(source: "slack", externalID: Self.author, userID: UserID(rawValue: Self.author), name: "Ada")],
            connectedTo: "slack", at: world.clock.now())
        try await world.store.store(
            ConversationRoster.of("slack-C1", [UserID(rawValue: Self.author)]), connectedTo: "slack",
            at: world.clock.now())
    }

    private func write(_ code: String, _ world: StoredServer) async throws {
        var page = ConnectorPage(source: "slack", room: "C1")
        let id = MessageID(rawValue: "m-\(code)")
        let message = Message.sample("slack-C1", id, by: UserID(rawValue: Self.author), "@nexus link")
        var state = ConnectorMessage(id: id, message: message, readAt: message.timestamp)
        state.linkCommand = LinkCommand(question: "link \(code)")
        page.messages = [state]
        page.events = [ConnectorEvent(id: id.rawValue, kind: .message)]
        try await world.store.take(page, at: world.clock.now())
    }

    @Test func aPersonAsksForACodeUsesItAndEndsTheLink() async throws {
        try await withStoredServer { world in
            try await furnish(world)
            let first = try await code(world, as: "ada")
            let second = try await code(world, as: "ada")
            #expect(first.code != second.code && second.code.count == 9)
            #expect(second.expiresAt.timeIntervalSince1970 > Double(world.clock.now().milliseconds) / 1_000)
            #expect(try await list(world, as: "ada") == PersonLinkList(links: [], sources: ["slack"]))
            // The first one ended with the second.
            try await write(first.code, world)
            #expect(try await list(world, as: "ada").links.isEmpty)
            #expect(try await world.send("GET", "/v1/conversations/slack-C1", as: "ada").status == 403)
            try await write(second.code.lowercased(), world)
            let links = try await list(world, as: "ada").links
            #expect(links.map(\.authorId) == [Self.author] && links.map(\.way) == [.code] && links[0].name == "Ada")
            #expect(try await world.send("GET", "/v1/conversations/slack-C1", as: "ada").status == 200)
            #expect(try await list(world, as: "bob").links.isEmpty)

            // Nobody else ends it.
            let foreign = try await world.send("DELETE", "/v1/links/slack", as: "bob")
            #expect(foreign.status == 404 && foreign.field("code") == "link_not_found")
            #expect(try await world.send("DELETE", "/v1/links/slack", as: "ada").status == 204)
            #expect(try await world.send("GET", "/v1/conversations/slack-C1", as: "ada").status == 403)
            #expect(try await world.send("DELETE", "/v1/links/slack", as: "ada").status == 404)
        }
    }
}
