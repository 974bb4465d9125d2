import Assistant
import ChatCore
import Ingest
import Retrieval
import ServiceLifecycle

extension NexusSettings.Service {
    /// The service as the health of services is kept.
    var name: ModelServiceName { ModelServiceName(baseURL: baseURL, model: model) }
}

/// Probes the language and the reranking model while they are known not to work.
struct ModelProber: Service {
    let probe: ServiceProbe

    func run() async throws {
        await cancelWhenGracefulShutdown { await probe.run() }
    }
}

extension Workspace {
    /// Probes those services that the worker does not.
    var modelProber: ModelProber {
        var probes: [ModelServiceName: @Sendable () async throws -> Void] = [:]
        // The service may be asked under its name for both.
        if let model { probes[model.service] = { try await GuardedModel.probe(model.base) } }
        if let reranker, probes[reranker.service] == nil {
            probes[reranker.service] = { _ = try await reranker.base.scores(of: ["hello"], for: "hello") }
        }
        return ModelProber(probe: ServiceProbe(health: modelHealth, probes: probes))
    }

    /// The services that do not work at present, each with the part that it plays.
    var serviceTroubles: [(part: String, error: ModelServiceError)] {
        var troubles: [(part: String, error: ModelServiceError)] = []
        if let error = worker.serviceTrouble { troubles.append(("embedding", error)) }
        if let model, let error = modelHealth.failures[model.service] { troubles.append(("model", error)) }
        if let reranker, let error = modelHealth.failures[reranker.service] { troubles.append(("rerank", error)) }
        return troubles
    }
}
