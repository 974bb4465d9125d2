import ChatCore
import Hummingbird

extension API {
    /// Whether the process lives, and whether it can do its work.
    var healthRoutes: [Route] {
        ["health", "livez"].map { path in Route(.get, path) { _ in try reply(Alive()) } }
            + ["ready", "readyz"].map { path in Route(.get, path) { _ in try await ready() } }
    }

    private struct Alive: Encodable {
        let status = "ok"
    }

    private struct Readiness: Encodable {
        let status: String
        let checks: [ReadinessReport.Check]
        let embedding: [EmbeddingReport]
    }

    private func ready() async throws -> Response {
        let report = await services.readiness()
        let body = Readiness(
            status: report.isReady ? "ready" : "not_ready", checks: report.checks, embedding: report.embedding)
        var response = try reply(body, status: report.isReady ? .ok : .serviceUnavailable)
        if !report.isReady { response.headers[.retryAfter] = "5" }
        return response
    }
}
