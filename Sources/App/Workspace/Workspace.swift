import Assistant
import CBLAS
import ChatCore
import Foundation
import Ingest
import Logging
import MessageStore
import ModelClients
import Prompting
import Retrieval
import Synchronization
import Telemetry
import Transport

/// A data folder at work: the store, the index, the worker and the assistant over it.
///
/// The process that holds one owns the folder.
final class Workspace: Sendable {
    let settings: NexusSettings
    let store: SQLiteStore
    let embedders: ConfiguredEmbedders
    let index: LiveIndex
    let lexicon: LiveLexicon
    let searcher: HybridSearcher
    /// Keeps both indexes up to date.
    let follower: ChangeFollower
    let assistant: AnswerService
    let extractor: ExtractionService
    let worker: IngestWorker
    let transport: CurlTransport
    let logger: Logger
    /// Which services of language and reranking models work.
    let modelHealth: ServiceHealth
    let model: GuardedModel?
    let reranker: GuardedReranker?
    /// What is measured.
    let metrics = MetricRegistry()
    /// When this workspace was opened.
    let startedAt = Date()
    /// Where this process serves, once it listens.
    let address = Mutex<String?>(nil)
    /// What questions took of services and was not stored yet.
    let questionMeter = QuestionMeter()
    /// What ``embeddingReports()`` told last, and when.
    let reportCache = Mutex<(moment: Timestamp, reports: [EmbeddingReport])?>(nil)

    /// Opens a data folder, making it where there is none.
    ///
    /// - Parameters:
    ///   - settings: What everything is made from.
    ///   - logger: Given to every part.
    ///   - patience: How long to wait for another process to let go of the folder: a command that is at its end.
    /// - Returns: The workspace; the folder is this process's until it is closed.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``, ``PromptError``, ``TransportError``.
    static func open(
        _ settings: NexusSettings, logger: Logger, patience: Duration = .zero
    ) async throws -> Workspace {
        guard nexus_blas_is_loaded() == 1 else {
            throw OperatorFailure(message: "there is no BLAS: install libopenblas0-pthread")
        }
        // The index brings its own threads: those of the BLAS would only get in their way.
        _ = nexus_blas_set_thread_count(1)
        let store = try await openStore(settings.dataFolder, until: .now + patience)
        do {
            do {
                _ = try await store.setDirectExclusion(settings.excludesDirect, at: now())
            } catch let error as RepositoryError where error.isAboutStorage {
                // It holds for what is stored from now on; conversations that were stored keep what they have.
            }
            return try Workspace(settings, store: store, logger: logger)
        } catch {
            await store.close()
            throw error
        }
    }

    private static func openStore(_ folder: URL, until end: ContinuousClock.Instant) async throws -> SQLiteStore {
        while true {
            do {
                return try await SQLiteStore.open(folder: folder, options: StoreOptions())
            } catch StoreOpenError.inUse where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private init(_ settings: NexusSettings, store: SQLiteStore, logger: Logger) throws {
        self.settings = settings
        self.store = store
        self.logger = logger
        let transport = try CurlTransport()
        self.transport = transport
        let embedders = try ConfiguredEmbedders(settings: settings, transport: transport)
        self.embedders = embedders
        let files = SnapshotFiles(
            folder: settings.dataFolder.appending(path: "index").path, register: store,
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
        follower = ChangeFollower(store: store, subscribers: [lexicon, index])
        searcher = HybridSearcher(
            store: store, index: index, lexicon: lexicon, follower: follower,
            embedders: MeteredEmbedders(base: measured, meter: questionMeter), health: health, reranker: reranker,
            settings: settings.search, now: Self.now, logger: logger)
        worker = IngestWorker(
            store: store, embedders: measured, settings: IngestSettings(settings.embedding), health: health,
            prepare: { [index] in try await index.prepare($0) }, metrics: metrics, now: Self.now,
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
        let allowance = settings.tokensPerDay.map { TokenAllowance(limit: $0, usage: store, now: Self.now) }
        assistant = AnswerService(
            searching: MeasuredSearching(base: searcher, factory: metrics), model: model, prompts: prompts,
            turns: store, calibration: calibration, settings: AssistantSettings(settings), allowance: allowance,
            now: Self.now,
            logger: logger)
        extractor = ExtractionService(
            store: store, model: model, prompts: prompts, calibration: calibration, allowance: allowance, now: Self.now,
            logger: logger)
    }

    /// The search with other embedders.
    func searcher(embedders: any EmbedderSource) -> HybridSearcher {
        HybridSearcher(
            store: store, index: index, lexicon: lexicon, follower: follower, embedders: embedders,
            settings: settings.search,
            now: Self.now, logger: logger)
    }

    /// The present time.
    static let now: @Sendable () -> Timestamp = {
        Timestamp(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// Suggests replies, as the assistant answers.
    var smartReplies: SmartReplyService { SmartReplyService(assistant: assistant, messages: store) }

    /// Helps with one conversation, as the assistant answers.
    var conversationAssistant: ConversationAssistant {
        ConversationAssistant(assistant: assistant, store: store, settings: settings.conversations)
    }

    /// Lets go of the folder; what the next start would have to read is written first where it is much.
    func close() async {
        try? await storeQuestionUsage()
        await index.finish()
        await lexicon.finish()
        await transport.shutdown()
        await store.close()
    }
}

extension AssistantSettings {
    /// Takes what is configured.
    fileprivate init(_ settings: NexusSettings) {
        self.init()
        if let chat = settings.chat {
            answerTokenCount = chat.answerTokenCount
            fallback = chat.fallback
        }
    }
}

extension IngestSettings {
    /// Chooses how the worker calls what is configured.
    init(_ embedding: NexusSettings.Embedding) {
        self.init(
            batchItemCount: embedding.service == nil ? 64 : embedding.batchItemCount,
            batchTokenCount: embedding.batchTokenCount, concurrency: embedding.concurrency,
            dailyTokenCap: embedding.dailyTokenCap)
    }
}

extension ModelMeter.Prices {
    /// Takes the prices of the services that are configured.
    fileprivate init(_ settings: NexusSettings) {
        self.init(
            embedding: settings.embedding.pricePerMillion, prompt: settings.chat?.promptPricePerMillion,
            answer: settings.chat?.answerPricePerMillion)
    }
}
