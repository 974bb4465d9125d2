import Assistant
import ChatCore
import Connectors
import Foundation
import HTTPAPI
import Ingest
import SQLiteStore
import UseCases

extension OperatorDesk {
    /// Gives each topic the parts that it needs.
    init(_ node: Node) {
        let (settings, store, now) = (node.workspace.settings, node.workspace.store, node.workspace.now)
        let (generations, price) = (node.status.generations, settings.embedding.pricePerMillion)
        let erasure = Erasure(
            store: store, indexes: node.indexes, live: node.live,
            allowance: node.assistant.answers.session.allowance, now: now)
        self.init(
            imports: HistoryImports(store: store, pricePerMillion: price, now: now),
            embedding: EmbeddingRun(queue: store, worker: node.worker, generations: generations),
            givenUp: GivenUpMessages(store: store, wakeWorker: { [worker = node.worker] in worker.wake() }, now: now),
            generations: generations,
            reembedding: Reembedding(
                store: store, embedders: node.models.embedders, worker: node.worker, generations: generations),
            comparer: GenerationComparer(
                turns: store, index: node.indexes.vectors, searcher: node.searcher, generations: generations),
            feedback: FeedbackWriter(store: store, now: now), status: node.status,
            doctor: Doctor(
                settings: settings, store: store, indexes: node.indexes, models: node.models,
                transport: node.transport, status: node.status),
            mappings: UserMappings(store: store, now: now), users: UserDirectory(store: store),
            conversations: ConversationReports(store: store, now: now),
            keys: APIKeys(store: store, now: now), accounts: node.accountAdministration,
            erasure: erasure,
            connections: Connections(store: store, connectors: node.connectors, erasure: erasure, now: now),
            audit: store, now: now,
            links: PersonLinks(store: store, sources: node.connectors.map(\.source), now: now),
            backUp: { try await store.backup(to: URL(filePath: $0), program: Version.text, at: now()) })
    }
}
