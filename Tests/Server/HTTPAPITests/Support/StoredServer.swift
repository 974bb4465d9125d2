import Accounts
import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import LiveChat
import MessageStore
import Prompting
import Retrieval
import SQLiteStore
import ServerTestSupport
import ServiceLifecycle
import Synchronization
import TestSupport
import Transport
import UseCases
import WebServer

/// A server over a real store in a folder, with everything that is live: the feed, sockets, answers and push.
struct StoredServer: Sendable {
    let server: RunningServer
    let store: SQLStore
    let clock: ManualNow
    /// Sends notifications when the test asks for it.
    let push: PushDelivery
    /// Takes what is pushed.
    let gateway: GatewayStub
    /// Every route.
    let routes: [Route]
    fileprivate let worker: IngestWorker

    /// Sends a request of a user.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, as user: String,
        headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await server.send(method, path, body, headers: [("X-Nexus-User", user)] + headers)
    }

    /// Embeds what was written, so that it can be found.
    func embed() async throws { try await worker.drain { _ in } }

    /// Sends the notifications that are due after a while.
    func sendDue(after time: Duration = .seconds(3)) async throws {
        clock.advance(by: time)
        push.follow(nil)
        _ = try await push.sendDue()
    }
}

/// A gateway for notifications that keeps what it is sent.
final class GatewayStub: PushTransport {
    private let state = Mutex<(status: Int, bodies: [String])>((200, []))

    /// The bodies of all requests.
    var bodies: [String] { state.withLock { $0.bodies } }

    /// Answers with a status from now on.
    func answer(_ status: Int) { state.withLock { $0.status = status } }

    func send(_ request: PushRequest) async throws -> PushReply {
        state.withLock { state in
            state.bodies.append(String(decoding: request.body, as: UTF8.self))
            return PushReply(status: state.status)
        }
    }
}

/// Runs a server over a new store, and stops it gracefully.
///
/// - Parameters:
///   - detail: What is pushed.
///   - body: What is done with it.
/// - Throws: Errors of the body; when the server does not come up.
func withStoredServer(detail: PushDetail = .ids, body: (StoredServer) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try await SQLStore.open(folder: folder, options: StoreOptions())
    do {
        try await serve(store, detail, body)
    } catch {
        await store.close()
        throw error
    }
    await store.close()
}

/// Runs a server that identifies its callers over a store, with accounts, without anything that reads in the
/// background; stops it gracefully.
func withStoredServer(
    on store: SQLStore, authentication: AuthenticationSettings, body: (StoredServer) async throws -> Void
) async throws {
    try await serve(store, .ids, authentication: authentication, follows: false, body)
}

private func serve(
    _ store: SQLStore, _ detail: PushDetail, authentication: AuthenticationSettings? = nil, follows: Bool = true,
    _ body: (StoredServer) async throws -> Void
) async throws {
    let clock = ManualNow(Sample.now)
    let (ports, port) = AsyncStream<Int>.makeStream()
    let services = try makeServices(store, hasAccounts: authentication != nil, now: clock.now) { port.yield($0) }
    var settings = (authentication.map { ServerParts($0) } ?? ServerParts()).settings
    settings.connections.socket = SocketSettings(
        pingInterval: .seconds(900), missedPingLimit: 1_000_000, pingWindow: .seconds(900),
        closeTimeout: .seconds(900))
    let server = HTTPAPIServer(settings: settings, services: services)
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [.init(service: server)], logger: services.logger))
    let gateway = GatewayStub()
    let sender = PushSender(
        settings: PushSettings(
            detail: detail, webhook: try WebhookCredentials(secret: "a secret of 26 characters"),
            webhookEndpoints: PushEndpointRules(hosts: ["gateway.example"])),
        transport: gateway, resolve: { _ in [IPAddress("93.184.215.14")].compactMap { $0 } }, now: clock.now)
    let push = PushDelivery(
        notifications: store, devices: store, sender: sender,
        isOpen: { [people = services.people] in people.isShowing($0, to: $1) }, now: clock.now, logger: services.logger)
    let transport = try CurlTransport()
    let description = try APIDescription(data: try server.openAPI())
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { port.finish() }
            try await group.run()
        }
        if follows {
            tasks.addTask {
                let follower = ChangeFollower(store: store, subscribers: [])
                let (feed, people) = (services.feed, services.people)
                await follower.run(listeners: [{ feed.follow($0, $1) }, { changes, _ in people.follow(changes) }]) {
                    _ in
                }
            }
            tasks.addTask { await services.feed.run() }
            tasks.addTask {
                await services.people.run {
                    await (try? store.roster(of: $0, asker: $1, at: clock.now())) != nil
                } companions: {
                    try await store.companions(of: $0, at: clock.now())
                }
            }
        }
        defer { tasks.cancelAll() }
        var iterator = ports.makeAsyncIterator()
        guard let number = await iterator.next() else { throw CancellationError() }
        try await body(
            StoredServer(
                server: RunningServer(
                    port: number, transport: transport, store: InMemoryStore(), keys: store, description: description,
                    people: services.people, feed: services.feed),
                store: store, clock: clock, push: push, gateway: gateway, routes: server.routes,
                worker: IngestWorker(
                    store: store, embedders: FakeEmbedderSource(FakeEmbedder()), now: clock.now,
                    logger: services.logger)))
        await group.triggerGracefulShutdown()
    }
    await transport.shutdown()
}

private func makeServices(
    _ store: SQLStore, hasAccounts: Bool, now: @escaping @Sendable () -> Timestamp,
    isListening: @escaping @Sendable (Int) -> Void
) throws -> HTTPAPIServices {
    let parts = ServerParts()
    let prompts = try PromptLibrary(overrides: nil)
    let searcher = HybridSearcher(
        store: store, index: LiveIndex(store: store, logger: parts.logger),
        lexicon: LiveLexicon(store: store, logger: parts.logger), embedders: FakeEmbedderSource(FakeEmbedder()),
        now: now, logger: parts.logger)
    let assistant = AnswerService(
        searching: searcher,
        session: ModelSession(model: RepeatingModel(), prompts: prompts, now: now, logger: parts.logger),
        turns: store)
    var useCases = UseCases(
        store: store, live: store, files: store, searcher: searcher, answering: assistant,
        conversationAssistant: ConversationAssistant(
            assistant: assistant, store: store, settings: ConversationSettings()),
        smartReplies: SmartReplyService(session: assistant.session, messages: store),
        extractor: ExtractionService(
            store: store,
            session: ModelSession(model: ListingModel(), prompts: prompts, now: now, logger: parts.logger)),
        now: now, makeID: randomID)
    useCases.makePicture = { file in [0xFF, 0xD8, 0xFF] + Array(" made".utf8) + file.dropFirst(3) }
    useCases.scheduling = Scheduling(
        store: store, limit: ScheduleSettings().limit, cost: assistant.cost(of:))
    let host = StubHost(
        report: parts.readiness, registry: nil, performs: parts.performs, reportPort: isListening)
    var services = HTTPAPIServices(
        host: host, store: store, useCases: useCases, feed: FeedHub(store: store, now: now), embedder: FakeEmbedder(),
        fetchKeys: parts.fetchKeys, now: now, logger: parts.logger)
    let live = LiveConnections(settings: LiveSettings(heartbeat: .seconds(900)), metrics: services.metrics)
    services.live = live
    services.people = LivePeople(now: now) { live.countDropped($0) }
    services.push = try .stub(devices: store, now: now)
    if hasAccounts {
        services.accounts = AccountService(
            store: store, hasher: PasswordHasher(cost: .init(logarithm: 4, blockSize: 1, parallelism: 1)), now: now,
            makeID: randomID
        ) { _ in }
    }
    services.links = PersonLinks(store: store, sources: ["slack"], now: now)
    services.socket = liveSockets(services, links: nil)
    return services
}
