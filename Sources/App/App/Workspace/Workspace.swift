import Accounts
import Assistant
import CBLAS
import ChatCore
import Foundation
import HTTPAPI
import Ingest
import LiveChat
import Logging
import MessageStore
import ModelClients
import PostgresStore
import Prompting
import Retrieval
import SQLiteStore
import Synchronization
import Telemetry
import Transport
import UseCases

/// A data folder at work: the store, the index, the worker and the assistant over it.
///
/// The process that holds one owns the folder.
final class Workspace: Sendable {
    let settings: NexusSettings
    let store: SQLStore
    /// The present time.
    let now: @Sendable () -> Timestamp
    let embedders: ConfiguredEmbedders
    let index: LiveIndex
    let lexicon: LiveLexicon
    let searcher: HybridSearcher
    /// Wakes the clients that follow the feed.
    let feed: FeedHub
    /// The people who are connected now.
    let people: LivePeople
    /// Limits and counts their connections.
    let liveConnections: LiveConnections
    /// Tickets for sockets.
    let tickets: FeedTickets
    /// Values that are kept for a short time, and used once.
    let oneTimeValues: any OneTimeValues
    /// The people who sign in here.
    let accounts: AccountService
    /// Keeps both indexes up to date.
    let follower: ChangeFollower
    let assistant: AnswerService
    let extractor: ExtractionService
    let worker: IngestWorker
    let transport: CurlTransport
    let logger: Logger
    /// The health of the services of language and reranking models.
    let modelHealth: ServiceHealth
    let model: GuardedModel?
    let reranker: GuardedReranker?
    /// The metrics.
    let metrics = MetricRegistry()
    /// The time at which this workspace was opened.
    let startedAt = Date()
    /// The address of this process's server, once it listens.
    let address = Mutex<String?>(nil)
    /// The usage of questions that is not stored yet.
    let questionMeter = QuestionMeter()
    /// The last result of ``embeddingReports()``, with its time.
    let reportCache = Mutex<(moment: Timestamp, reports: [EmbeddingReport])?>(nil)

    /// Opens a data folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - settings: The settings of all parts.
    ///   - logger: Given to every part.
    ///   - patience: The time to wait for another process to release the folder, such as a command that is ending.
    /// - Returns: The workspace; the folder is this process's until it is closed.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``, ``PromptError``, ``TransportError``.
    static func open(
        _ settings: NexusSettings, logger: Logger, patience: Duration = .zero
    ) async throws -> Workspace {
        guard nexus_blas_is_loaded() == 1 else {
            throw OperatorFailure(message: "there is no BLAS: install libopenblas0-pthread")
        }
        // The index has its own threads, and threads of the BLAS would slow them down.
        _ = nexus_blas_set_thread_count(1)
        let store = try await openStore(settings, until: .now + patience)
        do {
            do {
                _ = try await store.setDirectExclusion(settings.excludesDirect, at: store.clock())
            } catch let error as RepositoryError where error.isAboutStorage {
                // It applies to conversations that are stored from now on; stored ones keep their state.
            }
            return try Workspace(settings, store: store, logger: logger)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func openStore(
        _ settings: NexusSettings, until end: ContinuousClock.Instant
    ) async throws -> SQLStore {
        while true {
            do {
                if let database = settings.database {
                    return try await PostgresStore.open(
                        database, folder: settings.dataFolder, acceptsLoss: settings.acceptsLoss,
                        acceptedTimeline: settings.acceptedTimeline)
                }
                return try await SQLStore.open(folder: settings.dataFolder, options: StoreOptions())
            } catch StoreOpenError.inUse where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private init(_ settings: NexusSettings, store: SQLStore, logger: Logger) throws {
        self.settings = settings
        self.store = store
        self.logger = logger
        let now = store.clock
        self.now = now
        let transport = try CurlTransport()
        self.transport = transport
        let embedders = try ConfiguredEmbedders(settings: settings, transport: transport)
        self.embedders = embedders
        let indexFolder = settings.dataFolder.appending(path: "index").path
        let files = SnapshotFiles(
            folder: indexFolder,
            register: store.isShared ? LocalSnapshotRegister(folder: indexFolder, generations: store) : store,
            makeName: { UUID().uuidString.lowercased() })
        index = LiveIndex(
            store: store, files: files,
            searchThreadCount: max(1, ProcessInfo.processInfo.activeProcessorCount), logger: logger)
        lexicon = LiveLexicon(store: store, files: files, fallback: settings.language, logger: logger)
        let meter = ModelMeter(factory: metrics, prices: ModelMeter.Prices(settings))
        let models = ServiceHealth()
        modelHealth = models
        let reranker = try settings.rerank.map { rerank in
            let client = try RerankClient(settings: RerankServiceSettings(rerank), transport: transport)
            return GuardedReranker(
                base: MeasuredReranker(base: client, meter: meter), service: rerank.service.name, health: models)
        }
        let measured = MeasuredEmbedders(base: embedders, meter: meter)
        let health = ServiceHealth()
        let oneTimeValues = store.oneTimeValues ?? LocalOneTimeValues()
        self.oneTimeValues = oneTimeValues
        tickets = FeedTickets(values: oneTimeValues)
        feed = FeedHub(store: store, now: now)
        let connections = LiveConnections(settings: settings.live, buckets: store.buckets, metrics: metrics)
        liveConnections = connections
        let notices = NodeNotices(nodes: store.nodes)
        accounts = AccountService(
            store: store, reserved: [MentionSettings.assistantID], now: now, makeID: randomID,
            disabled: { user in
                connections.close(disabled: [user])
                notices.tell(disabled: user)
            },
            sessionsEnded: { sessions in
                connections.close(sessions)
                notices.tell(ended: sessions)
            })
        people = LivePeople(now: now, nodes: store.nodes) { connections.noteDropped($0) }
        follower = ChangeFollower(store: store, subscribers: [lexicon, index])
        searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, follower: follower,
            embedders: MeteredEmbedders(base: measured, meter: questionMeter), health: health, reranker: reranker,
            settings: settings.search, now: now, logger: logger)
        var ingest = IngestSettings(settings.embedding)
        ingest.isAlone = !store.isShared
        worker = IngestWorker(
            store: store, embedders: measured, settings: ingest, health: health, tokens: store.embeddingTokens,
            prepare: { [index] in try await index.prepare($0) }, metrics: metrics, now: now,
            logger: logger)
        let model = try settings.chat.map { chat in
            let client = try OpenAIChatModel(settings: ChatServiceSettings(chat), transport: transport)
            return GuardedModel(
                base: MeasuredModel(base: client, meter: meter), service: chat.service.name, health: models)
        }
        self.model = model
        self.reranker = reranker
        let prompts = try PromptLibrary(overrides: settings.promptsFolder)
        let calibration = TokenCalibration()
        let allowance = settings.tokensPerDay.map { TokenAllowance(limit: $0, usage: store, now: now) }
        assistant = AnswerService(
            searching: MeasuredSearching(base: searcher, factory: metrics), model: model, prompts: prompts,
            turns: store, calibration: calibration, settings: AssistantSettings(settings), allowance: allowance,
            now: now,
            logger: logger)
        extractor = ExtractionService(
            store: store, model: model, prompts: prompts, calibration: calibration, allowance: allowance, now: now,
            logger: logger)
        store.observeWrites(WriteMeter(factory: metrics, logger: logger).note)
        listenToNodes()
    }

    /// The search with other embedders.
    func searcher(embedders: any EmbedderSource) -> HybridSearcher {
        HybridSearcher(
            store: store, index: index, lexicon: lexicon, follower: follower, embedders: embedders,
            settings: settings.search,
            now: now, logger: logger)
    }

    /// The service that suggests replies.
    var smartReplies: SmartReplyService { SmartReplyService(assistant: assistant, messages: store) }

    /// The assistant inside a conversation.
    var conversationAssistant: ConversationAssistant {
        ConversationAssistant(assistant: assistant, store: store, settings: settings.conversations)
    }

    /// Releases the folder; if the next start would have to read much, index files are written first.
    func close() async {
        try? await storeQuestionUsage()
        await index.finish()
        await lexicon.finish()
        await transport.shutdown()
        await store.close()
    }
}

extension AssistantSettings {
    fileprivate init(_ settings: NexusSettings) {
        self.init()
        if let chat = settings.chat {
            answerTokenCount = chat.answerTokenCount
            fallback = chat.fallback
        }
    }
}

extension IngestSettings {
    /// The worker's settings for the configured embedder.
    init(_ embedding: NexusSettings.Embedding) {
        self.init(
            batchItemCount: embedding.service == nil ? 64 : embedding.batchItemCount,
            batchTokenCount: embedding.batchTokenCount, concurrency: embedding.concurrency,
            dailyTokenCap: embedding.dailyTokenCap)
    }
}

extension ModelMeter.Prices {
    fileprivate init(_ settings: NexusSettings) {
        self.init(
            embedding: settings.embedding.pricePerMillion, prompt: settings.chat?.promptPricePerMillion,
            answer: settings.chat?.answerPricePerMillion)
    }
}
