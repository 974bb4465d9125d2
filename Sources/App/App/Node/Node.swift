import Accounts
import Assistant
import CBLAS
import ChatCore
import Connectors
import Foundation
import Ingest
import LiveChat
import Logging
import MessageStore
import Retrieval
import ServiceLifecycle
import Telemetry
import Transport
import UnixSignals
import UseCases

/// All parts of a process at work, put together over an open data folder.
///
/// The order of its parts is the order of the flow. `open` makes what servers, commands and evaluations share; `serve`
/// adds what only a server has.
struct Node: Sendable {
    let workspace: Workspace
    let metrics = MetricRegistry()
    let transport: CurlTransport
    let models: ModelServices
    let indexes: Indexes
    let worker: IngestWorker
    let usage: QuestionUsage
    let searcher: HybridSearcher
    let assistant: AssistantParts
    let live: LiveChatParts
    let accounts: AccountService
    let useCases: UseCases
    let matrix: MatrixConnector?
    let slack: SlackConnector?
    /// The connectors to other chats.
    let connectors: [any Connector]
    let status: NodeStatus
    let readiness: Readiness
    /// The time at which the data folder was opened.
    private let startedAt = Date()

    /// Opens a data folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - settings: The settings of all parts.
    ///   - logger: Given to every part.
    ///   - patience: The time to wait for another process to release the folder, such as a command that is ending.
    /// - Returns: The parts; the folder is this process's until they are closed.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``, ``PromptError``, ``TransportError``.
    static func open(_ settings: NexusSettings, logger: Logger, patience: Duration = .zero) async throws -> Node {
        guard nexus_blas_is_loaded() == 1 else {
            throw OperatorFailure(message: "there is no BLAS: install libopenblas0-pthread")
        }
        // The index has its own threads, and threads of the BLAS would slow them down.
        _ = nexus_blas_set_thread_count(1)
        let workspace = try await Workspace.open(settings, logger: logger, patience: patience)
        do {
            return try Node(workspace)
        } catch {
            await workspace.close()
            throw error
        }
    }

    private init(_ workspace: Workspace) throws {
        self.workspace = workspace
        let (settings, store, now) = (workspace.settings, workspace.store, workspace.now)
        store.observeWrites(WriteMeter(factory: metrics, logger: workspace.logger).record)
        transport = try CurlTransport()
        models = try ModelServices(settings, transport: transport, metrics: metrics)
        indexes = Indexes(workspace)
        worker = IngestWorker(workspace, models, indexes, metrics: metrics)
        let allowance = settings.tokensPerDay.map { TokenAllowance(limit: $0, usage: store, now: now) }
        usage = QuestionUsage(queue: store, allowance: allowance, now: now)
        searcher = HybridSearcher(
            workspace, indexes, embedders: MeteredEmbedders(base: models.measuredEmbedders, meter: usage.meter),
            health: models.embeddingHealth, reranker: models.reranker)
        let searching = MeasuredSearching(base: searcher, factory: metrics)
        assistant = try AssistantParts(
            workspace, searching: searching, model: models.model, allowance: allowance)
        live = LiveChatParts(workspace, metrics: metrics)
        live.notices.listen(live.connections, allowance)
        accounts = AccountService(workspace, live)
        useCases = UseCases(
            workspace, searching: searching,
            answering: MeasuredAnswering(base: assistant.answers, factory: metrics), assistant, accounts: accounts)
        matrix = settings.matrix.map { [transport] in
            MatrixConnector(
                settings: $0, store: store, transport: transport, now: now, logger: workspace.logger)
        }
        let mattermost = settings.mattermost.map { [transport] in
            MattermostConnector(
                settings: $0, store: store, transport: transport, sockets: ConnectorConnections(), now: now,
                logger: workspace.logger)
        }
        slack = settings.slack.map { [transport] in
            SlackConnector(
                settings: $0, store: store, transport: transport, sockets: ConnectorConnections(), now: now,
                logger: workspace.logger)
        }
        let all: [(any Connector)?] = [matrix, mattermost, slack]
        connectors = all.compactMap { $0 }
        status = NodeStatus(workspace, models, indexes, worker, usage, connectors)
        readiness = Readiness(status: status, follower: indexes.follower, now: now)
    }

    /// Serves until SIGTERM or SIGINT.
    ///
    /// - Parameter isListening: Called with the bound port once requests are answered.
    /// - Throws: ``WebServerError`` if the address cannot be bound.
    func serve(isListening: @escaping @Sendable (Int) -> Void) async throws {
        let (settings, store, logger) = (workspace.settings, workspace.store, workspace.logger)
        for note in try await status.notes() { logger.warning("\(note)") }
        let authentication = try await accountAdministration.authentication()
        for warning in try await accountAdministration.warnings(about: authentication) { logger.warning("\(warning)") }
        let credentials = try settings.makeCredentials()
        let push = PushParts(self)
        let server = try makeServer(
            authentication: authentication, credentials: credentials, push: push, isListening: isListening)
        let leadership = Leadership(
            leases: store.services.leases, logger: logger, make: LeadingWork(node: self, push: push).make)
        try await run([
            ReloadSignal(credentials: credentials, logger: logger),
            SnapshotWriter(index: indexes.vectors, lexicon: indexes.words), QuestionUsageWriter(usage: usage),
            ModelProber(models), StorageWatch(store: store, logger: logger), MemoryTrimmer(),
            Following(follower: indexes.follower, listeners: listeners + [leadership.listener], logger: logger),
            LiveServices(feed: live.feed, people: live.people, store: store), worker, server, leadership,
        ])
    }

    /// Who hears of each change in the log, besides the indexes.
    private var listeners: [ChangeFollower.Listener] {
        [
            { [worker] changes, _ in worker.follow(changes) }, { [live] in live.feed.follow($0, $1) },
            { [live] changes, _ in live.people.follow(changes) }, { [live] changes, _ in live.forgetErased(changes) },
        ]
    }

    /// Runs services until one ends or a signal comes; then all end gracefully.
    private func run(_ services: [any Service]) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services.map { service in
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: service, successTerminationBehavior: .gracefullyShutdownGroup)
            }, gracefulShutdownSignals: [.sigterm, .sigint], logger: workspace.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(workspace.settings.drainSeconds + 9)
        try await ServiceGroup(configuration: configuration).run()
    }

    /// Releases the folder; if the next start would have to read much, index files are written first.
    func close() async {
        try? await usage.store()
        await indexes.finish()
        await transport.shutdown()
        await workspace.close()
    }

    /// The accounts as the operator manages them.
    var accountAdministration: AccountAdministration {
        AccountAdministration(
            accounts: accounts, keys: workspace.store, audit: workspace.store, settings: workspace.settings,
            address: status.address, now: workspace.now)
    }

    /// The metrics of a server.
    var metricsPage: MetricsPage {
        MetricsPage(
            metrics: metrics, store: workspace.store, indexes: indexes, readiness: readiness, startedAt: startedAt)
    }
}
