import ChatCore
import Ingest
import MessageStore
import Retrieval
import Telemetry

extension IngestWorker {
    /// The worker of a node, which prepares the index of a new generation before it serves.
    convenience init(_ workspace: Workspace, _ models: ModelServices, _ indexes: Indexes, metrics: MetricRegistry) {
        let store = workspace.store
        var settings = IngestSettings(workspace.settings.embedding)
        settings.ownsLeasesAtStart = store.ownsLeasesAtStart
        self.init(
            store: store, embedders: models.measuredEmbedders, settings: settings, health: models.embeddingHealth,
            tokens: store.services.embeddingTokens,
            prepare: { [index = indexes.vectors] in try await index.prepare($0) }, probe: .standard,
            metrics: metrics, now: workspace.now, logger: workspace.logger)
    }
}

extension IngestSettings {
    /// The worker's settings for the configured embedder.
    fileprivate init(_ embedding: NexusSettings.Embedding) {
        self.init(
            batchItemCount: embedding.service == nil ? 64 : embedding.batchItemCount,
            batchTokenCount: embedding.batchTokenCount, concurrency: embedding.concurrency,
            dailyTokenCap: embedding.dailyTokenCap)
    }
}
