import Foundation
import NexusClient
import NexusModel

/// The Swift examples of docs/integrations/firebase.md, as an app has them: they are compiled here.
@MainActor private enum FirebasePage {
    static func draw(_: Any...) {}

    static func signIn(
        on server: NexusServer, idToken: @escaping @Sendable (_ isFresh: Bool) async throws -> String
    ) async throws -> SessionHub {
        let tokens = AppTokens { refused throws(TokenError) in
            do { return try await idToken(refused != nil) } catch { throw .unavailable }
        }
        let session = try await NexusSession.signIn(token: tokens, on: server)
        let hub = SessionHub(session)
        async let running: Void = hub.run()
        await running
        return hub
    }

    static func list(_ hub: SessionHub) async {
        let list = await ConversationListModel(hub)
        draw(list.rows, list.badgeCount)
    }

    static func messages(_ hub: SessionHub, _ session: NexusSession, _ id: String) async throws {
        let conversation = await ConversationModel(hub, id: id)
        await conversation.open()
        draw(conversation.state)
        try await session.loadEarlier(id)
    }

    static func write(_ session: NexusSession, _ id: String) async {
        await session.send("The crane comes on Friday.", to: id)
    }

    static func change(_ session: NexusSession, _ id: String, _ messageID: String) async throws {
        try await session.edit(messageID, in: id, to: "The crane comes on Monday.")
        try await session.react("👍", to: messageID, in: id)
        await session.markRead(messageID, in: id)
        draw(try await session.receipts(of: messageID, in: id).readBy)
        try await session.delete(messageID, in: id)
    }

    static func presence(_ session: NexusSession, _ id: String) async {
        await session.type(in: id)
        await session.watch(["jonas-b"])
        for await case .presence(let people) in session.updates() { draw(people) }
    }

    static func push(_ session: NexusSession, _ token: String) async throws {
        try await session.registerForPush(.fcm(token: token))
        draw(await session.state.notifications)
    }

    static func files(_ session: NexusSession, _ id: String, _ picture: URL, _ place: URL) async throws {
        let file = try await session.upload(picture, name: "pier.jpg", mediaType: "image/jpeg")
        await session.send(OutgoingDraft("", attachments: [file.id]), to: id)
        try await session.download(file.id, to: place)
    }

    static func ask(_ session: NexusSession) async throws {
        for try await event in session.assistant.ask(AssistantQuestion("When does the Hamburg pilot go live?")) {
            if case .retrieval(let sources) = event { draw(sources) }
            if case .text(let text) = event { draw(text) }
            if case .done(let answer) = event { draw(answer.sources) }
        }
        draw(try await session.search("Hamburg pilot"))
    }

    static func items(_ session: NexusSession, _ id: String) async throws {
        draw(try await session.assistant.items(.actionItem, in: id).items)
        draw(try await session.assistant.extract(.actionItem, in: id).items)
    }
}
