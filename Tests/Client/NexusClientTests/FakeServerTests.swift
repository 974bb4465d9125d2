import Foundation
import NexusClient
import NexusClientTesting
import NexusModel
import TestSupport
import Testing

/// The server for the tests and previews of apps.
@Suite(.hangGuard) @MainActor struct FakeServerTests {
    private func lines(_ model: ConversationModel) -> [String] {
        guard case .loaded(let entries) = model.state else { return [] }
        return entries.compactMap { entry in
            switch entry {
            case .gap: nil
            case .message(let message): message.text
            case .outgoing(let message): message.text + "…"
            }
        }
    }

    private func run(_ hub: SessionHub, _ body: () async throws -> Void) async throws {
        let running = Task { await hub.run() }
        try await wait { await hub.session.connection.isConnected }
        try await body()
        running.cancel()
        await running.value
    }

    @Test func showsWhatHappensAndKeepsWhatIsWritten() async throws {
        let server = FakeServer()
        server.addConversation("pier", name: "Pier", members: ["ben"])
        for number in 0..<60 { server.post("old \(number)", by: "ben", in: "pier") }
        let hub = SessionHub(server.session())
        let (list, model) = (await ConversationListModel(hub), await ConversationModel(hub, id: "pier"))
        try await run(hub) {
            await model.open()
            try await wait { lines(model).last == "old 59" && list.rows.map(\.name) == ["Pier"] }
            await model.fill(.earlier)
            #expect(lines(model).count == 60)
            model.composer.draft = "mine"
            await model.send()
            try await wait { server.messages(in: "pier").last?.text == "mine" && lines(model).last == "mine" }
            guard let own = server.messages(in: "pier").last else { return }
            await model.toggle("👍", on: own)
            try await wait { server.messages(in: "pier").last?.reactions.map(\.userIds) == [["ada"]] }
            server.read(upTo: own.id, by: "ben", in: "pier")
            try await wait { model.delivery(of: own) == .read }
            server.edit(own.id, in: "pier") { $0.text = "edited elsewhere" }
            try await wait { lines(model).last == "edited elsewhere" }
            await model.delete(own)
            try await wait { server.messages(in: "pier").count == 60 && lines(model).count == 60 }
            await list.changePreferences(of: "pier") { $0.muted = true }
            try await wait { list.rows.first?.isMuted == true }
        }
    }

    @Test func anAppIsTestedWithoutANetwork() async throws {
        let server = FakeServer()
        server.addConversation("pier", members: ["ben"])
        let hub = SessionHub(server.session())
        let model = await ConversationModel(hub, id: "pier")
        try await run(hub) {
            await model.open()
            server.goOffline()
            try await wait { await !hub.session.connection.isConnected }
            model.composer.draft = "later"
            await model.send()
            server.post("meanwhile", by: "ben", in: "pier")
            #expect(lines(model) == ["later…"])
            server.goOnline()
            await hub.session.networkChanged()
            try await wait { lines(model) == ["meanwhile", "later"] }
            server.removeConversation("pier")
            try await wait { model.state == .gone(unsent: []) }
        }
        server.answer { $0.path == "/v1/search" ? ClientResponse(status: 503) : nil }
        await #expect(throws: SessionError.self) { try await hub.session.search("x") }
    }

    @Test func aPreviewHasContent() async throws {
        let hub = SessionHub.preview { server in
            server.addConversation("pier", name: "Pier", members: ["ben"])
            server.post("hello", by: "ben", in: "pier")
        }
        let list = await ConversationListModel(hub)
        try await run(hub) { try await wait { list.rows.first?.excerpt == "hello" } }
        #expect(list.badgeCount == 1)
    }
}
