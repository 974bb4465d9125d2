import Assistant
import ChatCore
import Foundation
import Ingest
import Logging
import MessageStore
import Retrieval
import ServiceLifecycle
import UnixSignals
import WebServer

extension NexusSettings.Service {
    /// The name of the service in a ``ServiceHealth``.
    var name: ModelServiceName { ModelServiceName(baseURL: baseURL, model: model) }
}

extension Workspace {
    /// Probes those services that the worker does not.
    var modelProber: ModelProber {
        var probes: [ModelServiceName: @Sendable () async throws -> Void] = [:]
        // One service may be used for both.
        if let model { probes[model.service] = { try await GuardedModel.probe(model.base) } }
        if let reranker, probes[reranker.service] == nil {
            probes[reranker.service] = { _ = try await reranker.base.scores(of: ["hello"], for: "hello") }
        }
        return ModelProber(probe: ServiceProbe(health: modelHealth, probes: probes))
    }

    /// The services that do not work at present, each with its part.
    var serviceTroubles: [(part: String, error: ModelServiceError)] {
        var troubles: [(part: String, error: ModelServiceError)] = []
        if let error = worker.serviceTrouble { troubles.append(("embedding", error)) }
        if let model, let error = modelHealth.failures[model.service] { troubles.append(("model", error)) }
        if let reranker, let error = modelHealth.failures[reranker.service] { troubles.append(("rerank", error)) }
        return troubles
    }
}
