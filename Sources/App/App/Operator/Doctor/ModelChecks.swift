import Assistant
import ChatCore
import HTTPAPI
import Retrieval

/// Whether the model services answer.
struct ModelChecks: Sendable {
    let settings: NexusSettings
    let models: ModelServices

    /// Sends each configured model service a short request.
    func run() async -> [ModelCheck] {
        var checks = [
            await check("embedding", settings.embedding.service?.model ?? "built-in encoder") {
                _ = try await models.embedders.configured.embedQuery("hello")
            }
        ]
        if let model = models.model {
            checks.append(await check("chat", model.name) { try await GuardedModel.probe(model.base) })
        } else {
            checks.append(
                ModelCheck(
                    name: "chat", isReady: true, detail: "no model: answers quote messages", milliseconds: 0))
        }
        if let reranker = models.reranker {
            checks.append(
                await check("rerank", settings.rerank?.service.model ?? "") {
                    _ = try await reranker.base.scores(of: ["hello"], for: "hello")
                })
        }
        return checks
    }

    private func check(_ name: String, _ model: String, _ body: () async throws -> Void) async -> ModelCheck {
        let start = ContinuousClock.now
        var failure: String?
        do {
            try await body()
        } catch {
            failure = ErrorText.line(for: error)
        }
        let (seconds, attoseconds) = start.duration(to: .now).components
        return ModelCheck(
            name: name, isReady: failure == nil, detail: failure ?? model,
            milliseconds: Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    }
}
