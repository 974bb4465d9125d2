import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

/// The rows of the table "Migration" in docs/client.md: what replaces the classes of the old apps.
@Suite(.hangGuard) @MainActor struct MigrationTests {
    private func texts(_ model: ConversationModel) -> [String] {
        guard case .loaded(let entries) = model.state else { return [] }
        return entries.compactMap { entry in
            switch entry {
            case .gap: nil
            case .message(let message): message.text
            case .outgoing(let message): message.text + "…"
            }
        }
    }

    @Test func chatViewModel() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            model.composer.draft = "hello"
            await model.send()
            chat.say(Wire.change(Wire.message(1, "hi")))
            try await chat.wait { texts(model) == ["hi", "hello…"] }
        }
    }

    @Test func messageService() async throws {
        let chat = ChatFixture()
        try await chat.run {
            try await chat.session.edit("m1", in: "pier", to: "better")
            try await chat.session.react("👍", to: "m1", in: "pier")
            try await chat.session.delete("m2", in: "pier")
            try await chat.wait { await chat.session.waitingChanges(in: "pier").isEmpty }
            await chat.session.markRead("m2", in: "pier")
            try await chat.wait { chat.time.sleepers(for: .milliseconds(800)) == 1 }
            chat.time.advance(by: .milliseconds(800))
            try await chat.wait { chat.transport.requests.last?.path == "/v1/conversations/pier/read" }
        }
        #expect(chat.transport.requests.map(\.method).suffix(4) == ["PATCH", "PUT", "DELETE", "POST"])
    }

    @Test func messageQueueService() async throws {
        let chat = ChatFixture()
        try await chat.run {
            for text in ["one", "two", "three"] { await chat.session.send(text, to: "pier") }
            try await chat.wait { await chat.session.waitingCount == 0 }
            #expect(await chat.session.pendingCount == 3)
        }
        let posted = chat.transport.requests.filter { $0.path.hasSuffix("/messages") }.compactMap(\.body)
        #expect(
            try posted.map { try JSONSerialization.jsonObject(with: $0) as? [String: String] } == [
                ["text": "one", "localId": "local-1"], ["text": "two", "localId": "local-2"],
                ["text": "three", "localId": "local-3"],
            ])
    }

    @Test func conversationService() async throws {
        let chat = ChatFixture(answer: { request in
            request.method == "POST" && ["/v1/direct", "/v1/conversations"].contains(request.path)
                ? ChatFixture.json(#"{"id":"new"}"#) : nil
        })
        try await chat.run {
            let model = await ConversationListModel(chat.hub)
            try await chat.wait { model.rows.map(\.name) == ["Pier", "Quay"] }
            #expect(await model.openDirect(with: "ben") == "new")
            #expect(await model.createGroup("Crew", members: ["ben"]) == "new")
        }
    }

    @Test func presenceService() async throws {
        final class People: SessionObserver {
            var statuses: [String] = []

            func take(_ event: SessionEvent, _: ChatState) {
                if case .presence(let people) = event { statuses += people.map { "\($0.userId) \($0.status)" } }
            }
        }
        let chat = ChatFixture()
        let people = People()
        try await chat.run {
            chat.hub.add(people)
            await chat.session.watch(["ben"])
            await chat.session.type(in: "pier")
            let said = chat.transport.sockets[0].sent
            #expect(said.contains { $0.contains(#""type":"watch""#) && $0.contains("ben") })
            #expect(said.contains { $0.contains(#""type":"typing""#) })
            try await chat.wait { chat.transport.sockets[0].sent.contains { $0.contains(#""type":"active""#) } }
            chat.transport.sockets[0].say(#"{"type":"presence","people":[{"userId":"ben","status":"away"}]}"#)
            try await chat.wait { people.statuses == ["ben away"] }
        }
    }

    @Test func notificationBannerManager() async throws {
        let chat = ChatFixture()
        try await chat.run {
            var visited: [MessagePlace] = []
            let model = await NotificationBannerModel(chat.hub) { visited.append($0) }
            await chat.hub.open("quay")
            chat.say(Wire.change(Wire.message(1, in: "quay")), Wire.change(Wire.message(1, "hi")))
            try await chat.wait { model.state != .hidden }
            model.tap()
            #expect(visited == [MessagePlace(conversationId: "pier", messageId: "m1")] && model.state == .hidden)
        }
    }

    @Test func ragService() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.hasSuffix("/assistant") else { return nil }
            return ClientResponse(
                status: 200, headers: ["content-type": "text/event-stream"],
                body: Data("event: done\ndata: {\"answer\":\"Friday\",\"sources\":[]}\n\n".utf8))
        })
        try await chat.run {
            let model = AssistantModel(chat.hub, scope: .conversation("pier")) { _ in }
            model.draft = "When?"
            await model.ask()
            #expect(model.exchanges.map(\.phase) == [.answered(ChatAnswer(answer: "Friday"), nil)])
        }
    }

    @Test func messageStore() async throws {
        let chat = ChatFixture()
        try await chat.run {
            chat.say(Wire.change(Wire.message(2, "two")), Wire.change(Wire.message(1, "one")))
            chat.say(Wire.change(Wire.message(2, "second")))
            chat.say(#"{"type":"deletion","conversationId":"pier","messageId":"m1","seq":1}"#)
            try await chat.settle()
            #expect(await chat.session.state.conversations["pier"]?.messages.map(\.text) == ["second"])
        }
    }

    @Test func chatRepository() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.contains("/messages?") else { return nil }
            if request.path.contains("around=m5") {
                return ChatFixture.json(Wire.page([4, 5, 6], hasOlder: true, hasNewer: true))
            }
            return ChatFixture.json(
                request.path.contains("before=m8") ? Wire.page([7], hasOlder: true) : Wire.page([8, 9], hasOlder: true))
        })
        try await chat.run {
            await chat.session.open("pier")
            func known() async -> [String]? { await chat.session.state.conversations["pier"]?.messages.map(\.id) }
            try await chat.wait { await known() == ["m8", "m9"] }
            try await chat.session.loadEarlier("pier")
            #expect(await known() == ["m7", "m8", "m9"])
            try await chat.session.load(around: "m5", in: "pier")
            let ids = try await chat.session.timeline(of: "pier").map { entry in
                if case .message(let message) = entry { message.id } else { "gap" }
            }
            #expect(ids == ["gap", "m4", "m5", "m6", "gap", "m7", "m8", "m9"])
        }
    }

    @Test func webSocketManager() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConnectionModel(chat.hub)
            chat.transport.sockets[0].end()
            try await chat.wait { model.state == .offline && chat.time.sleepers(for: .milliseconds(750)) == 1 }
            chat.time.advance(by: .milliseconds(750))
            try await chat.wait { chat.transport.sockets.count == 2 }
            chat.say(Wire.change(Wire.message(1, "missed")))
            try await chat.wait { model.state == .live }
            #expect(await chat.session.state.conversations["pier"]?.messages.map(\.text) == ["missed"])
        }
    }
}

/// The table itself.
struct MigrationTableTests {
    @Test func everyRowNamesItsTest() throws {
        let file = URL(filePath: #filePath)
        let tests = try String(
            contentsOf: file.deletingLastPathComponent().appending(path: "MigrationTests.swift"), encoding: .utf8)
        let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/client.md"), encoding: .utf8)
        let classes = [
            "ChatViewModel", "MessageService", "MessageQueueService", "ConversationService", "PresenceService",
            "NotificationBannerManager", "RAGService", "MessageStore", "ChatRepository", "WebSocketManager",
        ]

        for name in classes {
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }, "\(name)")
            let test = try #require(row.split(separator: "`").last { $0 != " |" }, "\(name)")
            #expect(tests.contains("@Test func \(test)() async throws {"), "\(name)")
        }
    }
}
