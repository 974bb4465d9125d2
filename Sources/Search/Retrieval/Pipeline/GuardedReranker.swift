package import ChatCore

/// A reranker that is not called while its service is known to fail; see ``ServiceHealth``.
package struct GuardedReranker: Reranker {
    /// The reranker that is called.
    package let base: any Reranker
    /// Its name in ``ServiceHealth``.
    package let service: ModelServiceName
    let health: ServiceHealth

    /// Wraps a reranker.
    ///
    /// - Parameters:
    ///   - base: The reranker.
    ///   - service: Its name in `health`.
    ///   - health: The services that are known to fail; they must be probed elsewhere.
    package init(base: any Reranker, service: ModelServiceName, health: ServiceHealth) {
        self.base = base
        self.service = service
        self.health = health
    }

    /// The model's name.
    package var name: String { base.name }

    /// See ``Reranker/scores(of:for:)``.
    package func scores(of texts: [String], for question: String) async throws -> [Double] {
        if let failure = health.failure(of: service) { throw failure }
        do {
            let scores = try await base.scores(of: texts, for: question)
            health.recordSuccess(of: service)
            return scores
        } catch let failure as ModelServiceError {
            if failure.opensCircuitOfHelper { health.recordFailure(failure, of: service) }
            throw failure
        }
    }
}
