import Accounts
import Assistant
import ChatCore
import CoreMetrics
import Foundation
import HTTPAPI
import LiveChat
import Logging
import MessageStore
import Prompting
import Retrieval
import ServiceLifecycle
import Synchronization
import Telemetry
import TestSupport
import Testing
import Transport
import UseCases
import WebPage
import WebServer

/// What a test says to a server, and what the server was told.
struct RunningServer {
    let port: Int
    let transport: CurlTransport
    let store: InMemoryStore
    /// Where the server looks for keys, if not there.
    var keys: (any APIKeyRepository)?
    /// What the server says of itself.
    let description: APIDescription
    /// The people who are connected.
    let people: LivePeople
    /// What wakes the connections.
    let feed: FeedHub

    /// Sends a request over TCP and returns the whole response, which must be as the API's description says.
    func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await checked(request(method, path, body.map { Data($0.utf8) }, headers: headers), path)
    }

    /// Follows a list as a client does: waits again until a reply meets a condition or refuses.
    ///
    /// Each wait ends after 25 seconds at most, so one alone may be over before anything happened.
    func follow(
        _ path: String, after place: String? = nil, headers: [(name: String, value: String)] = [],
        until isWanted: (Reply) -> Bool
    ) async throws -> Reply {
        while true {
            let from = place.map { "&after=\($0)" } ?? ""
            let reply = try await send("GET", "\(path)?wait=25\(from)", headers: headers)
            if reply.status != 200 || isWanted(reply) { return reply }
        }
    }

    /// Sends bytes as a body.
    func send(_ method: String, _ path: String, bytes: [UInt8]) async throws -> Reply {
        try await checked(request(method, path, Data(bytes), headers: []), path)
    }

    private func checked(_ request: HTTPExchangeRequest, _ path: String) async throws -> Reply {
        let reply = try await Reply(transport.send(request))
        #expect(reply.headers["X-Content-Type-Options"] == "nosniff", "\(request.method) \(path)")
        for fault in try description.faults(request.method, path, reply) {
            Issue.record("\(request.method) \(path) \(reply.status): \(fault)")
        }
        return reply
    }

    /// Sends a request and returns when the response begins.
    func stream(
        _ path: String, _ body: String, headers: [(name: String, value: String)] = []
    ) async throws -> HTTPStreamedResponse {
        try await transport.stream(request("POST", path, Data(body.utf8), headers: headers))
    }

    func request(
        _ method: String, _ path: String, _ body: Data?, headers: [(name: String, value: String)]
    ) -> HTTPExchangeRequest {
        var fields = HTTPHeaders(headers)
        if body != nil, fields["Content-Type"] == nil { fields["Content-Type"] = "application/json" }
        return HTTPExchangeRequest(
            method: method, url: "http://127.0.0.1:\(port)\(path)", headers: fields, body: body,
            deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900)))
    }
}

/// A response as tests look at it.
struct Reply {
    let status: Int
    let headers: HTTPHeaders
    let text: String

    init(_ response: HTTPExchangeResponse) {
        status = response.status
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
    }

    init(status: Int, headers: [(name: String, value: String)], text: String) {
        self.status = status
        self.headers = HTTPHeaders(headers)
        self.text = text
    }

    /// A field of the body's object, as text.
    func field(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?[name].map { "\($0)" }
    }
}

/// Returns the statuses of replies.
func statuses(_ replies: Reply...) -> [Int] { replies.map(\.status) }

/// Counts from any thread.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    /// Counts one more and returns how many there are then.
    @discardableResult
    func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// What a test's server stands on.
struct ServerParts {
    /// The limits are far away, because other work may share the cores; a test that is about one sets its own.
    var settings = HTTPAPISettings(port: 0, answerTimeout: .seconds(900), heartbeatInterval: .seconds(900))
    var searching = StubSearching()
    var answering = StubAnswering()
    /// What the model says that takes items out of conversations.
    var extractionModel: any LanguageModel = FakeLanguageModel(replies: [.text(#"{"items":[]}"#)])
    /// Suggests replies; nil for none.
    var model: (any LanguageModel)?
    /// How the assistant in conversations reads what is too long for a prompt.
    var conversations = ConversationSettings()
    /// How many tokens a user may take with it.
    var tokensPerDay: Int?
    var embedder = FakeEmbedder()
    /// Embeds instead of the other one.
    var otherEmbedder: (any Embedder)?
    var readiness = ReadinessReport(checks: [.init(name: "store", isReady: true)])
    var credentials: TLSCredentials?
    var store = InMemoryStore()
    /// A real store with its own live chat, instead of the one in memory.
    var stored: SQLStore?
    /// Begins the ids that the server makes; servers on one store must not make the same.
    var idPrefix = "id-"
    var files = InMemoryFiles()
    var fileLimits = FileLimits()
    var now: @Sendable () -> Timestamp = { Sample.now }
    var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    /// The real parts instead of the stubs.
    var real: (searching: any MessageSearching, answering: any QuestionAnswering)?
    var fetchKeys: KeyFetch = { _ in throw CancellationError() }
    var metrics: (any MetricsFactory)?
    var page: WebPage?
    /// Decides who may open a socket; nil if there are none.
    var socket: SocketAcceptance?
    /// The limits of live connections, with sockets that carry the feed; nil for the sockets of ``socket``.
    var live: LiveSettings?
    /// The devices for push; a stub that takes all messages unless given.
    var push: PushRegistry?
    var questionLimits = QuestionLimits()
    var searchLimits = SearchLimits()
    var permissions = PersonPermissions()
    /// The accounts; their passwords are cheap to check.
    var accounts = InMemoryAccounts()
    /// The database in which several servers keep responses and limits; nil for one server.
    var shared: SQLStore?
    /// The responses that are kept, if not those of the server.
    var keptResponses: (any KeptResponses)?
    /// The people who can be picked without authentication.
    var people: [IdentifiedPerson] = []
    var postForm: FormPost = { _, _, _ in throw CancellationError() }
    var imports: @Sendable (HistoryUpload) -> AsyncThrowingStream<Data, any Error> = { _ in
        AsyncThrowingStream { $0.finish() }
    }
    var performs: @Sendable (Data) -> AsyncThrowingStream<Data, any Error> = { _ in AsyncThrowingStream { $0.finish() }
    }

    init(defaultUser: String? = "ada") {
        settings.connections = ConnectionSettings(
            idleTimeout: .seconds(900), headTimeout: .seconds(900), bodyTimeout: .seconds(900),
            readTimeout: .seconds(900))
        settings.defaultUser = defaultUser
    }

    private func extractor(_ store: any Store) -> any ItemExtracting {
        do {
            return ExtractionService(
                store: store, model: extractionModel, prompts: try PromptLibrary(overrides: nil), now: now,
                logger: logger)
        } catch {
            preconditionFailure("the program's own prompts are good")
        }
    }

    func services(store: InMemoryStore, isListening: @escaping @Sendable (Int) -> Void) throws
        -> HTTPAPIServices
    {
        let live: any UseCases.LiveStore & FeedStore = stored ?? StubLiveChat(store: store)
        let store: any Store & HTTPAPIStore = stored ?? store
        let assistant = AnswerService(
            searching: real?.searching ?? searching, model: model, prompts: try PromptLibrary(overrides: nil),
            turns: store,
            allowance: tokensPerDay.map { TokenAllowance(limit: $0, usage: store, now: now) }, now: now, logger: logger)
        let ids = Counter()
        let makeID: @Sendable () -> String = { [idPrefix] in "\(idPrefix)\(ids.increment())" }
        let useCases = UseCases(
            store: store, live: live, files: files, searcher: real?.searching ?? searching,
            answering: real?.answering ?? answering,
            conversationAssistant: ConversationAssistant(assistant: assistant, store: store, settings: conversations),
            smartReplies: SmartReplyService(assistant: assistant, messages: store), extractor: extractor(store),
            permissions: permissions, fileLimits: fileLimits, questionLimits: questionLimits,
            searchLimits: searchLimits, now: now,
            makeID: makeID)
        let host = StubHost(
            report: readiness, registry: metrics as? MetricRegistry, performs: performs, imports: imports,
            reportPort: isListening)
        var services = HTTPAPIServices(
            host: host, store: store, useCases: useCases,
            feed: FeedHub(store: live, now: now), embedder: otherEmbedder ?? embedder,
            fetchKeys: fetchKeys,
            credentials: credentials, now: now, makeID: makeID, logger: logger)
        services.allowance = assistant.allowance
        services.version = "9.8.7"
        if let kept = keptResponses ?? shared?.keptResponses() { services.keptResponses = kept }
        services.buckets = shared?.buckets
        services.page = page
        services.socket = socket
        services.push = try push ?? .stub(now: now)
        services.postForm = postForm
        services.knownPeople = { [people] user, limit in
            Array(people.filter { user == nil || $0.id == user }.prefix(limit))
        }
        if let metrics { services.metrics = metrics }
        if let settings = self.live {
            let connections = LiveConnections(
                settings: settings, buckets: services.buckets, metrics: services.metrics)
            services.live = connections
            services.people = LivePeople(now: now) { connections.noteDropped($0) }
        }
        let connections = services.live
        services.accounts = AccountService(
            store: accounts, hasher: PasswordHasher(cost: .init(logarithm: 4, blockSize: 1, parallelism: 1)),
            reserved: ["assistant"], now: now, makeID: makeID, disabled: { connections.close(disabled: [$0]) },
            sessionsEnded: { connections.close($0) })
        if self.live != nil { services.socket = liveSockets(services, links: nil) }
        return services
    }
}

/// A process that a test's server runs in.
struct StubHost: ServerHost {
    let report: ReadinessReport
    let registry: MetricRegistry?
    let performs: @Sendable (Data) -> AsyncThrowingStream<Data, any Error>
    var imports: @Sendable (HistoryUpload) -> AsyncThrowingStream<Data, any Error> = { _ in
        AsyncThrowingStream { $0.finish() }
    }
    let reportPort: @Sendable (Int) -> Void

    func readiness() async -> ReadinessReport { report }
    func metricsPage(isStopping: Bool) async -> String { registry?.text() ?? "" }
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> { performs(command) }
    func line(for error: any Error) -> String? { nil }
    func isListening(port: Int) { reportPort(port) }

    func administer(_ command: Data) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        let text = String(decoding: command, as: UTF8.self)
        guard text.hasPrefix("{") else { throw .unknown }
        guard !text.contains("backup") else { throw .forbidden }
        return performs(command)
    }

    func importHistory(_ upload: HistoryUpload) -> AsyncThrowingStream<Data, any Error> { imports(upload) }

    func checkModels() async -> [ModelCheck] {
        [ModelCheck(name: "embedding", isReady: true, detail: "fake", milliseconds: 1)]
    }
}

/// Runs a server on a port of the system's choice, hands it to `body` and stops it gracefully.
func withServer<Value: Sendable>(
    _ parts: ServerParts = ServerParts(), body: (RunningServer) async throws -> Value
) async throws -> Value {
    let (ports, continuation) = AsyncStream<Int>.makeStream()
    let store = parts.store
    let services = try parts.services(store: store) { continuation.yield($0) }
    let server = HTTPAPIServer(settings: parts.settings, services: services)
    let description = try APIDescription(data: try server.openAPI())
    let group = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [.init(service: server)], logger: services.logger))
    let transport = try CurlTransport()
    let notifier: any ChangeNotifier = parts.stored ?? store
    if let end = try? await notifier.latestChange() { services.feed.note(nil, end) }
    let announcing = Task { await services.feed.run() }
    defer { announcing.cancel() }
    let living = Task {
        await services.people.run {
            await (try? store.roster(of: $0, asker: $1, at: parts.now())) != nil
        } companions: {
            try await StubLiveChat(store: store).companions(of: $0, at: parts.now())
        }
    }
    defer { living.cancel() }
    return try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            defer { continuation.finish() }
            try await group.run()
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            try await tasks.waitForAll()
            throw CancellationError()
        }
        let value = try await body(
            RunningServer(
                port: port, transport: transport, store: store, keys: parts.stored, description: description,
                people: services.people, feed: services.feed))
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        await transport.shutdown()
        return value
    }
}

extension InMemoryStore {
    /// The messages of the conversation `team`, oldest first.
    func teamMessages() async throws -> [Message] {
        try await page(of: "team", asker: "ada", before: nil, limit: 1_000, at: Sample.now).reversed()
    }
}
