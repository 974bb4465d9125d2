import Accounts
import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import LiveChat
import Logging
import MessageStore
import Retrieval
import ServiceLifecycle
import Synchronization
import Transport
import UnixSignals
import UseCases

extension Workspace {
    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameter isListening: Called with the bound port once requests are answered.
    /// - Throws: ``HTTPAPIError`` if the address cannot be bound.
    func serve(isListening: @escaping @Sendable (Int) -> Void) async throws {
        for note in try await notes() { logger.warning("\(note)") }
        let authentication = try await authentication()
        if authentication == nil, try await !accounts.accounts().isEmpty {
            logger.warning("auth.mode is none, so nobody signs in with an account")
        }
        if authentication == nil, !NexusSettings.isLoopback(settings.host) {
            logger.warning("auth.mode is none on an address that others can reach: anybody can act as any user")
        }
        let credentials = try settings.tls.map {
            try TLSCredentials(certificatePath: $0.certificate.path, keyPath: $0.key.path)
        }
        let sender = makePushSender()
        var apiSettings = apiSettings
        apiSettings.authentication = authentication
        // A killed server leaves its import files behind.
        if let folder = apiSettings.importFolder { try? FileManager.default.removeItem(at: folder) }
        var parts = apiServices(
            host: WorkspaceHost(workspace: self, report: isListening), push: pushRegistry(sender),
            credentials: credentials)
        parts.page = try settings.makePage()
        let server = HTTPAPIServer(settings: apiSettings, services: parts)
        let leadership = Leadership(store: store, logger: logger) { [self] in leadingWork(pushingWith: sender) }
        let services: [any Service] =
            [
                ReloadSignal(credentials: credentials, logger: logger),
                SnapshotWriter(index: index, lexicon: lexicon), QuestionUsageWriter(workspace: self), modelProber,
                StorageWatch(store: store, logger: logger), MemoryTrimmer(),
                Following(
                    follower: follower,
                    listeners: [
                        { [worker] changes, _ in worker.note(changes) }, { [feed] in feed.note($0, $1) },
                        { [people] changes, _ in people.note(changes) }, { [self] changes, _ in noteErased(changes) },
                        leadership.listener,
                    ], logger: logger), LiveServices(feed: feed, people: people, store: store), worker, server,
                leadership,
            ]
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(settings.drainSeconds + 9)
        let group = ServiceGroup(configuration: configuration)
        try await group.run()
    }

    /// The work of the leading node: it answers in conversations, pushes notifications, and tidies up.
    private func leadingWork(pushingWith sender: PushSender) -> Leadership.Work {
        var work = mentionWork
        work.services += [
            FileCleaner(store: store, logger: logger),
            LogRetention(
                store: store, age: settings.feedRetention, followsMentions: settings.mentions != nil, now: now,
                logger: logger),
        ]
        if let delivery = pushDelivery(sender) {
            work.services.append(PushDeliveryService(delivery: delivery))
            work.listeners.append { delivery.note($0, $1) }
        }
        return work
    }

    /// The services that answer in conversations and notify other systems; none if this is off.
    private var mentionWork: Leadership.Work {
        guard let mentions = settings.mentions else { return Leadership.Work() }
        let answering = MeasuredAnswering(base: assistant, factory: metrics)
        let service = MentionService(
            store: store, answering: answering, settings: mentions, failureText: assistant.mentionFailedText(_:),
            watch: { [people] question in
                let answer = people.beginAnswer(
                    randomID(), in: .message(question.key), for: question.senderID)
                return { answer.take($0) }
            }, metrics: metrics, now: now, logger: logger)
        let webhook = settings.webhook.map {
            MentionWebhook(
                store: store, transport: transport, target: $0, links: settings.messageLinks, now: now,
                logger: logger)
        }
        var work = Leadership.Work(services: [service], listeners: [{ changes, _ in service.note(changes) }])
        if let webhook {
            work.services.append(webhook)
            work.listeners.append { changes, _ in webhook.note(changes) }
        }
        return work
    }

    /// The settings of the HTTP API.
    var apiSettings: HTTPAPISettings {
        var api = HTTPAPISettings(
            host: settings.host, port: settings.port, unixSocketPath: LocalSocket.path(in: settings.dataFolder),
            hosts: settings.hosts, authentication: settings.authentication, defaultUser: settings.defaultUser,
            crossOrigins: settings.crossOrigins,
            callableTimestamps: CallableTimestamps(rawValue: settings.timestamps) ?? .iso,
            messageLinks: settings.messageLinks, listsSources: settings.listsSources, firestore: settings.firestore,
            answerTimeout: settings.answerTimeout, drainDuration: .seconds(settings.drainSeconds),
            requestsPerMinute: settings.requestsPerMinute,
            connectionLimit: settings.connectionCount)
        api.publicURL = settings.publicURL
        api.proxies = settings.proxies
        api.connectionsPerAddress = settings.connectionsPerAddress
        api.importFolder = settings.dataFolder.appending(path: "imports")
        api.importByteLimit = settings.importByteLimit
        return api
    }

    /// The parts that the HTTP API is built on.
    func apiServices(
        host: any ServerHost, push: PushRegistry? = nil, credentials: TLSCredentials? = nil
    ) -> HTTPAPIServices {
        let useCases = UseCases(
            store: store, live: store, files: store, searcher: MeasuredSearching(base: searcher, factory: metrics),
            answering: MeasuredAnswering(base: assistant, factory: metrics),
            conversationAssistant: conversationAssistant, smartReplies: smartReplies, extractor: extractor,
            permissions: settings.permissions, fileLimits: settings.files, questionLimits: settings.questionLimits,
            searchLimits: settings.searchLimits, now: now, makeID: randomID)
        var services = HTTPAPIServices(
            host: host, store: store, useCases: useCases, feed: feed, embedder: embedders.configured,
            fetchKeys: { [download = KeyDownload(transport: transport)] in try await download.fetch($0) },
            credentials: credentials, now: now, logger: logger)
        services.postForm = { [download = KeyDownload(transport: transport)] in try await download.post($0, $1, $2) }
        services.allowance = assistant.allowance
        services.metrics = metrics
        services.version = Version.text
        services.writesSpans = settings.traceFile != nil
        services.people = people
        services.live = liveConnections
        services.tickets = tickets
        services.oneTimeValues = oneTimeValues
        if let shared = store.keptResponses() { services.keptResponses = shared }
        services.buckets = store.buckets
        services.push = push
        services.accounts = accounts
        services.knownPeople = { [store] user, limit in
            try await store.presentPeople(only: user, limit: limit).map { IdentifiedPerson(id: $0.id, name: $0.name) }
        }
        services.socket = liveSockets(services, links: settings.messageLinks)
        return services
    }

    /// Whether requests can be served: the body of `GET /ready`.
    func readiness() async -> ReadinessReport {
        var checks: [ReadinessReport.Check] = []
        var reports: [EmbeddingReport] = []
        do {
            let pendingCount = try await generations.waitingCount()
            reports = try await recentReports()
            checks.append(.init(name: "store", isReady: true, detail: store.storageTrouble?.rawValue))
            let lag = try await follower.lag()
            checks.append(
                .init(
                    name: "index", isReady: index.hasBeenLoaded,
                    detail: lag.map { "\($0) changes behind" } ?? "loading"))
            // Without model services the server still searches words and quotes messages. So this is a note for the
            // operator, and no reason to send requests elsewhere.
            let trouble = worker.serviceTrouble
            checks.append(
                .init(
                    name: "embedding", isReady: true,
                    detail: trouble.map { $0.code } ?? "\(pendingCount) waiting" + cappedNote))
        } catch {
            checks.append(.init(name: "store", isReady: false, detail: ErrorText.line(for: error)))
        }
        return ReadinessReport(
            checks: checks,
            notes: (store.storageTrouble.map { [$0.rawValue] } ?? [])
                + serviceTroubles.map { "\($0.part)_\($0.error.code)" }, embedding: reports)
    }

    private var cappedNote: String { worker.isBacklogCapped ? ", the backlog until tomorrow (UTC)" : "" }

    /// The reports, at most a few seconds old, because counting many messages takes long.
    private func recentReports() async throws -> [EmbeddingReport] {
        if let known = reportCache.withLock({ $0 }), known.moment + .seconds(3) > now() { return known.reports }
        let reports = try await embeddingReports()
        let moment = now()
        reportCache.withLock { $0 = (moment, reports) }
        return reports
    }

    /// Performs a command that came as JSON.
    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> {
        events { emit in
            let command = try JSONDecoder().decode(OperatorCommand.self, from: command)
            try await self.perform(command, isServing: true, emit: emit)
        }
    }

    /// Returns the events of work as lines of JSON; the work is cancelled when nobody reads them.
    func events(of work: @escaping @Sendable (Emit) async throws -> Void) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { continuation in
            let work = Task {
                do {
                    try await work { event in
                        try Task.checkCancellation()
                        continuation.yield(try JSONEncoder().encode(event))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in work.cancel() }
        }
    }

    /// The line about an error that people or a service caused; nil for others.
    func line(for error: any Error) -> String? {
        switch error {
        case is RepositoryError, is LimitError, is RetrievalError, is ModelServiceError, is DailyTokensUsedUp:
            ErrorText.line(for: error)
        default: nil
        }
    }
}

/// The process of a server.
private struct WorkspaceHost: ServerHost {
    let workspace: Workspace
    let report: @Sendable (Int) -> Void

    func readiness() async -> ReadinessReport { await workspace.readiness() }

    func metricsPage(isStopping: Bool) async -> String { await workspace.metricsPage(isStopping: isStopping) }

    func perform(_ command: Data) -> AsyncThrowingStream<Data, any Error> { workspace.perform(command) }

    func administer(_ command: Data) throws(AdministrationFault) -> AsyncThrowingStream<Data, any Error> {
        try workspace.administer(command)
    }

    func importHistory(_ upload: HistoryUpload) -> AsyncThrowingStream<Data, any Error> {
        workspace.importHistory(upload)
    }

    func checkModels() async -> [ModelCheck] { await workspace.checkModels() }

    func line(for error: any Error) -> String? { workspace.line(for: error) }

    func isListening(port: Int) {
        workspace.address.withLock { $0 = workspace.settings.address(port: port) }
        report(port)
    }
}
