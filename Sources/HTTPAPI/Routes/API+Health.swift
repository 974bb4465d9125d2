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
        var report = await services.readiness()
        if drain.hasBegun {
            report.checks.append(.init(name: "server", isReady: false, detail: "stopping"))
        }
        let body = Readiness(
            status: report.isReady ? "ready" : "not_ready", checks: report.checks, embedding: report.embedding)
        var response = try reply(body, status: report.isReady ? .ok : .serviceUnavailable)
        if !report.isReady { response.headers[.retryAfter] = "5" }
        return response
    }
}
