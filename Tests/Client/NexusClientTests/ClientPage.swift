import Foundation
import NexusClient
import NexusClientTesting
import NexusModel

/// The examples of docs/client.md, as an app has them: they are compiled here.
@MainActor private enum ClientPage {
    struct Router {
        func show(_: MessagePlace) {}
    }

    static func signIn(
        _ transport: any ClientTransport, deviceID: String, password: String, folder: URL,
        credentials: any CredentialStore
    ) async throws -> [NexusSession?] {
        let server = NexusServer(
            "https://chat.example.com", over: transport, device: deviceID, folder: folder, credentials: credentials)
        let session = try await NexusSession.signIn(user: "ada", password: password, on: server)
        // at the next start, without a network; nil if nobody is signed in
        let same = try NexusSession.resume(on: server)
        return [session, same]
    }

    static func run(_ session: NexusSession) async throws {
        let hub = SessionHub(session)
        try await session.restore()  // shows what is stored, without a network
        await hub.run()  // connects and stays connected
    }

    static func request(_ session: NexusSession, _ id: String) async throws -> ChatMemberPage {
        let page: ChatMemberPage = try await session.request(
            "GET", ["conversations", id, "members"], query: ["limit": "100"])
        try await session.request("PUT", ["conversations", id, "name"], body: ["name": "Crew"])
        return page
    }

    static func models(_ session: NexusSession, _ router: Router) async -> Any {
        let hub = SessionHub(session)
        let list = await ConversationListModel(hub)
        let banners = await NotificationBannerModel(hub) { place in router.show(place) }
        await hub.run()
        return (list, banners)
    }

    static func test() -> (FakeServer, SessionHub) {
        let server = FakeServer()
        server.addConversation("pier", name: "Pier", members: ["ben"])
        server.post("hello", by: "ben", in: "pier")
        let hub = SessionHub(server.session())
        server.goOffline()
        server.answer { request in request.path == "/v1/search" ? ClientResponse(status: 503) : nil }
        return (server, hub)
    }

    static func ask(_ session: NexusSession) async throws {
        let shown = ""
        func show(_: Any) {}
        func append(_: String) {}
        func link(_: Range<String.Index>?, to _: MessagePlace) {}

        for try await event in session.assistant.ask(AssistantQuestion("When does the pilot go live?")) {
            switch event {
            case .retrieval(let sources): show(sources)
            case .text(let text): append(text)
            case .citation(let citation): link(citation.range(in: shown), to: citation.place)
            case .done(let answer): show(answer.segments)
            case .support(let checked): show(checked)
            case .progress, .reading, .failed, .unknown: break
            }
        }
    }
}
