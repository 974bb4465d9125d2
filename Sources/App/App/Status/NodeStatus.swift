import Assistant
import ChatCore
import Connectors
import Foundation
import HTTPAPI
import Ingest
import MessageStore
import Retrieval
import UseCases

/// What `nexus status` and `/v1/admin/status` tell about a data folder.
struct NodeStatus: Sendable {
    let settings: NexusSettings
    let store: SQLStore
    let models: ModelServices
    let index: LiveIndex
    let worker: IngestWorker
    let generations: EmbeddingGenerations
    let reports: EmbeddingReports
    let connectors: [any Connector]
    let address = ServerAddress()

    init(
        _ workspace: Workspace, _ models: ModelServices, _ indexes: Indexes, _ worker: IngestWorker,
        _ usage: QuestionUsage, _ connectors: [any Connector]
    ) {
        (settings, store, index) = (workspace.settings, workspace.store, indexes.vectors)
        (self.models, self.worker, self.connectors) = (models, worker, connectors)
        let (price, now) = (settings.embedding.pricePerMillion, workspace.now)
        generations = EmbeddingGenerations(
            store: store, index: index, pricePerMillion: price,
            databaseByteCount: { [settings] in settings.databaseByteCount }, now: now)
        reports = EmbeddingReports(store: store, usage: usage, worker: worker, pricePerMillion: price, now: now)
    }

    /// Reports the state of the data folder.
    func report(isServed: Bool) async throws -> WorkspaceStatus {
        try await index.follow()
        let reports = try await reports.all()
        var shown: [WorkspaceStatus.Generation] = []
        for generation in try await store.generations() {
            guard let report = reports.first(where: { $0.generation == generation.number.rawValue }) else { continue }
            let oldest = try await store.oldestWaiting(of: generation.number)
            shown.append(
                WorkspaceStatus.Generation(
                    number: generation.number.rawValue, state: generation.state,
                    provider: generation.space.provider, model: generation.space.model,
                    dimensions: generation.space.dimensions, queue: QueueStatus(report.coverage, oldestPending: oldest),
                    failures: report.failures, report: report))
        }
        return WorkspaceStatus(
            dataFolder: settings.dataFolder.path, isServed: isServed, address: address.text,
            generations: shown,
            searchablePassages: index.passageCount, embeddingTrouble: worker.serviceTrouble?.code,
            sources: try await sources(),
            notes: try await generations.unusable() + notes())
    }

    /// Lines about the servers of other chats; nil if there are none.
    private func sources() async throws -> [String]? {
        var lines: [String] = []
        for connector in connectors { lines += try await connector.report() }
        return connectors.isEmpty ? nil : lines
    }

    /// Notes and advice for the operator.
    func notes() async throws -> [String] {
        var notes: [String] = []
        if let trouble = store.storageTrouble {
            notes.append(
                "nothing can be stored, but stored messages are served: \(ErrorText.line(for: trouble.error))")
        }
        let generations = try await store.generations()
        if let serving = generations.last(where: { $0.state == .serving && $0.space.isUsable }),
            !models.embedders.isConfigured(serving),
            !generations.contains(where: { $0.state == .filling && models.embedders.isConfigured($0) })
        {
            let standby = generations.last { $0.state == .standby && models.embedders.isConfigured($0) }
            notes.append(
                "the configured embedder is not the one that serves (\(serving.space.model)); "
                    + (standby.map { "nexus generations switch \($0.number.rawValue) switches to it" }
                        ?? "nexus reembed switches to it"))
        }
        for (part, error) in troubles {
            let effect =
                switch part {
                case "embedding": "embedding does not work; messages are found by their words"
                case "model": "the language model does not work; questions are answered by chat.fallback"
                default: "reranking does not work; the order of the search is used"
                }
            notes.append("\(effect): \(ErrorText.line(for: error))")
        }
        if worker.isBacklogCapped {
            notes.append(
                "the day's tokens are used up (embedding.daily-token-cap): the backlog waits for the next day (UTC); "
                    + "new messages are still embedded")
        }
        if settings.authentication?.takesTokensOfAnyIssuer == true {
            notes.append(
                "auth.secret-file without auth.issuer and auth.audience: every token that is signed with this secret "
                    + "is accepted, even one that was made for another service: set both")
        }
        return notes
    }

    /// The services that do not work at present, each with its part.
    var troubles: [(part: String, error: ModelServiceError)] {
        var troubles: [(part: String, error: ModelServiceError)] = []
        if let error = worker.serviceTrouble { troubles.append(("embedding", error)) }
        if let model = models.model, let error = models.health.failures[model.service] {
            troubles.append(("model", error))
        }
        if let reranker = models.reranker, let error = models.health.failures[reranker.service] {
            troubles.append(("rerank", error))
        }
        return troubles
    }
}
