import Accounts
package import Assistant
package import ChatCore
package import CoreMetrics
package import Foundation
package import HTTPAPI
package import LiveChat
package import Logging
package import MessageStore
import Prompting
package import Retrieval
import ServiceLifecycle
import Synchronization
package import Telemetry
package import TestSupport
import Testing
package import Transport
package import UseCases
package import WebPage
package import WebServer

/// What a test says to a server, and what the server was told.
package struct RunningServer {
    package let port: Int
    package let transport: CurlTransport
    package let store: InMemoryStore
    /// Where the server looks for keys, if not there.
    package var keys: (any APIKeyRepository)?
    /// What the server says of itself.
    package let description: APIDescription
    /// The people who are connected.
    package let people: LivePeople
    /// What wakes the connections.
    package let feed: FeedHub

    package init(
        port: Int, transport: CurlTransport, store: InMemoryStore, keys: (any APIKeyRepository)?,
        description: APIDescription, people: LivePeople, feed: FeedHub
    ) {
        self.port = port
        self.transport = transport
        self.store = store
        self.keys = keys
        self.description = description
        self.people = people
        self.feed = feed
    }

    /// Sends a request over TCP and returns the whole response, which must be as the API's description says.
    package func send(
        _ method: String, _ path: String, _ body: String? = nil, headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await checked(request(method, path, body.map { Data($0.utf8) }, headers: headers), path)
    }

    /// Follows a list as a client does: waits again until a reply meets a condition or refuses.
    ///
    /// Each wait ends after 25 seconds at most, so one alone may be over before anything happened.
    package func follow(
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
    package func send(
        _ method: String, _ path: String, bytes: [UInt8], headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await checked(request(method, path, Data(bytes), headers: headers), path)
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
    package func stream(
        _ path: String, _ body: String, headers: [(name: String, value: String)] = []
    ) async throws -> HTTPStreamedResponse {
        try await transport.stream(request("POST", path, Data(body.utf8), headers: headers))
    }

    package func request(
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
package struct Reply {
    package let status: Int
    package let headers: HTTPHeaders
    package let text: String

    package init(_ response: HTTPExchangeResponse) {
        status = response.status
        headers = response.headers
        text = String(decoding: response.body, as: UTF8.self)
    }

    package init(status: Int, headers: [(name: String, value: String)], text: String) {
        self.status = status
        self.headers = HTTPHeaders(headers)
        self.text = text
    }

    /// A field of the body's object, as text.
    package func field(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return object?[name].map { "\($0)" }
    }
}

/// Returns the statuses of replies.
package func statuses(_ replies: Reply...) -> [Int] { replies.map(\.status) }

/// Counts from any thread.
package final class Counter: Sendable {
    private let count = Mutex(0)

    package init() {}

    package var value: Int { count.withLock { $0 } }

    /// Counts one more and returns how many there are then.
    @discardableResult
    package func increment() -> Int {
        count.withLock {
            $0 += 1
            return $0
        }
    }
}

/// What a test's server stands on.
package struct ServerParts {
    /// The limits are far away, because other work may share the cores; a test that is about one sets its own.
    package var settings = HTTPAPISettings(port: 0, answerTimeout: .seconds(900), heartbeatInterval: .seconds(900))
    package var searching = StubSearching()
    package var answering = StubAnswering()
    /// What the model says that takes items out of conversations.
    package var extractionModel: any LanguageModel = FakeLanguageModel(replies: [.text(#"{"items":[]}"#)])
    /// Suggests replies; nil for none.
    package var model: (any LanguageModel)?
    /// How the assistant in conversations reads what is too long for a prompt.
    package var conversations = ConversationSettings()
    /// How many tokens a user may take with it.
    package var tokensPerDay: Int?
    package var embedder = FakeEmbedder()
    /// Embeds instead of the other one.
    package var otherEmbedder: (any Embedder)?
    package var readiness = ReadinessReport(checks: [.init(name: "store", isReady: true)])
    package var credentials: TLSCredentials?
    package var store = InMemoryStore()
    /// A real store with its own live chat, instead of the one in memory.
    package var stored: SQLStore?
    /// Begins the ids that the server makes; servers on one store must not make the same.
    package var idPrefix = "id-"
    package var files = InMemoryFiles()
    package var fileLimits = FileLimits()
    package var now: @Sendable () -> Timestamp = { Sample.now }
    package var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    /// The real parts instead of the stubs.
    package var real: (searching: any MessageSearching, answering: any QuestionAnswering)?
    package var fetchKeys: KeyFetch = { _ in throw CancellationError() }
    package var metrics: (any MetricsFactory)?
    package var page: WebPage?
    /// Decides who may open a socket; nil if there are none.
    package var socket: SocketAcceptance?
    /// The limits of live connections, with sockets that carry the feed; nil for the sockets of ``socket``.
    package var live: LiveSettings?
    /// The devices for push; a stub that takes all messages unless given.
    package var push: PushRegistry?
    package var questionLimits = QuestionLimits()
    package var searchLimits = SearchLimits()
    package var permissions = PersonPermissions()
    /// The accounts; their passwords are cheap to check.
    package var accounts = InMemoryAccounts()
    /// Links with people of other chats; nil for none.
    package var links: PersonLinks?
    /// The database in which several servers keep responses and limits; nil for one server.
    package var shared: SQLStore?
    /// The responses that are kept, if not those of the server.
    package var keptResponses: (any KeptResponses)?
    /// The one-time values, if not those of the server.
    package var oneTimeValues: (any OneTimeValues)?
    /// Whether sign-in can be turned on while the server runs.
    package var canTurnSignInOn = false
    /// The people who can be picked without authentication.
    package var people: [IdentifiedPerson] = []
    package var postForm: FormPost = { _, _, _ in throw CancellationError() }
    package var imports: @Sendable (HistoryUpload) -> AsyncThrowingStream<Data, any Error> = { _ in
        AsyncThrowingStream { $0.finish() }
    }
    package var performs: @Sendable (Data) -> AsyncThrowingStream<Data, any Error> = { _ in
        AsyncThrowingStream { $0.finish() }
    }

    package init(defaultUser: String? = "ada") {
        settings.connections = ConnectionSettings(
            idleTimeout: .seconds(900), headTimeout: .seconds(900), bodyTimeout: .seconds(900),
            readTimeout: .seconds(900))
        settings.defaultUser = defaultUser
    }

    private func extractor(_ store: any Store) -> any ItemExtracting {
        do {
            return ExtractionService(
                store: store,
                session: ModelSession(
                    model: extractionModel, prompts: try PromptLibrary(overrides: nil), now: now, logger: logger))
        } catch {
            preconditionFailure("the program's own prompts are good")
        }
    }

    package func services(store: InMemoryStore, isListening: @escaping @Sendable (Int) -> Void) throws
        -> HTTPAPIServices
    {
        let live: any UseCases.LiveStore & FeedStore = stored ?? StubLiveChat(store: store)
        let store: any Store & HTTPAPIStore = stored ?? store
        let assistant = AnswerService(
            searching: real?.searching ?? searching,
            session: ModelSession(
                model: model, prompts: try PromptLibrary(overrides: nil),
                allowance: tokensPerDay.map { TokenAllowance(limit: $0, usage: store, now: now) }, now: now,
                logger: logger),
            turns: store)
        let ids = Counter()
        let makeID: @Sendable () -> String = { [idPrefix] in "\(idPrefix)\(ids.increment())" }
        var useCases = UseCases(
            store: store, live: live, files: files, searcher: real?.searching ?? searching,
            answering: real?.answering ?? answering,
            conversationAssistant: ConversationAssistant(assistant: assistant, store: store, settings: conversations),
            smartReplies: SmartReplyService(session: assistant.session, messages: store), extractor: extractor(store),
            permissions: permissions, fileLimits: fileLimits, questionLimits: questionLimits,
            searchLimits: searchLimits, now: now,
            makeID: makeID)
        useCases.scheduling = Scheduling(
            store: stored ?? InMemorySchedules(), limit: ScheduleSettings().limit, cost: assistant.cost(of:))
        let host = StubHost(
            report: readiness, registry: metrics as? MetricRegistry, performs: performs, imports: imports,
            reportPort: isListening)
        var services = HTTPAPIServices(
            host: host, store: store, useCases: useCases,
            feed: FeedHub(store: live, now: now), embedder: otherEmbedder ?? embedder,
            fetchKeys: fetchKeys,
            credentials: credentials, now: now, makeID: makeID, logger: logger)
        services.allowance = assistant.session.allowance
        services.version = "9.8.7"
        if let kept = keptResponses ?? shared?.services.keptResponses { services.keptResponses = kept }
        if let oneTimeValues { services.oneTimeValues = oneTimeValues }
        if let buckets = shared?.services.buckets { services.buckets = buckets }
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
            services.people = LivePeople(now: now) { connections.countDropped($0) }
        }
        let connections = services.live
        services.links = links
        services.accounts = AccountService(
            store: accounts, hasher: PasswordHasher(cost: .init(logarithm: 4, blockSize: 1, parallelism: 1)),
            reserved: ["assistant"], now: now, makeID: makeID, disabled: { connections.close(disabled: [$0]) },
            sessionsEnded: { connections.close($0) })
        if canTurnSignInOn {
            services.signIn = SignInSwitch(now: now) { connections.closeTrusted() }
        }
        if self.live != nil { services.socket = liveSockets(services, links: nil) }
        return services
    }
}

/// A process that a test's server runs in.
package struct StubHost: ServerHost {
    package let report: ReadinessReport
    package let registry: MetricRegistry?
    package let performs: @Sendable (Data) -> AsyncThrowingStream<Data, any Error>
    package var imports: @Sendable (HistoryUpload) -> AsyncThrowingStream<Data, any Error> = { _ in
        AsyncThrowingStream { $0.finish() }
    }
    package let reportPort: @Sendable (Int) -> Void

    package init(
        report: ReadinessReport, registry: MetricRegistry?,
        performs: @escaping @Sendable (Data) -> AsyncThrowingStream<Data, any Error>,
        imports: @escaping @Sendable (HistoryUpload) -> AsyncThrowingStream<Data, any Error> = { _ in
            AsyncThrowingStream { $0.finish() }
        },
        reportPort: @escaping @Sendable (Int) -> Void
    ) {
        self.report = report
        self.registry = registry
        self.performs = performs
        self.imports = imports
        self.reportPort = reportPort
    }

    package func readiness() async -> ReadinessReport { report }
    package func metricsPage(isStopping: Bool) async -> String { registry?.text() ?? "" }
    package func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> { performs(command) }
    package func line(for error: any Error) -> String? { nil }
    package func isListening(port: Int) { reportPort(port) }

    package func administer(
        _ command: Data, by actor: AuditActor, from origin: AuditOrigin
    ) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        let text = String(decoding: command, as: UTF8.self)
        guard text.hasPrefix("{") else { throw .unknown }
        guard !text.contains("backup") else { throw .forbidden }
        return performs(command)
    }

    package func importHistory(
        _ upload: HistoryUpload, by actor: AuditActor, from origin: AuditOrigin
    ) -> AsyncThrowingStream<Data, any Error> { imports(upload) }

    package func checkModels() async -> [ModelCheck] {
        [ModelCheck(name: "embedding", isReady: true, detail: "fake", milliseconds: 1)]
    }
}

/// Runs a server on a port of the system's choice, hands it to `body` and stops it gracefully.
package func withServer<Value: Sendable>(
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
    if let end = try? await notifier.latestChange() { services.feed.follow(nil, end) }
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
    package func teamMessages() async throws -> [Message] {
        try await page(of: "team", asker: "ada", before: nil, limit: 1_000, at: Sample.now).reversed()
    }
}
