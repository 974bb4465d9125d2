import Assistant
import ChatCore
import Retrieval
import ServiceLifecycle

/// Probes the language and the reranking model while they are known not to work; the worker probes embeddings.
struct ModelProber: Service {
    private let probe: ServiceProbe

    init(_ models: ModelServices) {
        var probes: [ModelServiceName: @Sendable () async throws -> Void] = [:]
        // One service may be used for both.
        if let model = models.model { probes[model.service] = { try await GuardedModel.probe(model.base) } }
        if let reranker = models.reranker, probes[reranker.service] == nil {
            probes[reranker.service] = { _ = try await reranker.base.scores(of: ["hello"], for: "hello") }
        }
        probe = ServiceProbe(health: models.health, probes: probes)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await probe.run() }
    }
}
