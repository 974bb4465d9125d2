import ChatCore
import Foundation
import Hummingbird

extension API {
    /// Whether the process lives, and whether it can do its work.
    var healthRoutes: [Route] {
        ["health", "livez"].map { path in
            Route(.get, path, .everyone, id: path, "Whether the process lives.") { _, _ in Self.alive }
        }
            + ["ready", "readyz"].map { path in
                Route(.get, path, .everyone, id: path, "Whether the server can do its work.") { _, caller in
                    try await ready(showsDetail: caller.isAdmitted(by: .admin))
                }
            }
    }

    /// How the service stands, for those who look after it.
    var statusRoutes: [Route] {
        [
            Route(.get, "v1/status", .admin, id: "status", "How the service and its embedding stand.") { _, _ in
                try await ready(showsDetail: true, isProbe: false)
            }
        ]
    }

    private static let alive = Response.json(Data(#"{"status":"ok"}"#.utf8), status: .ok)

    private struct Readiness: Encodable {
        let status: String
        let checks: [ReadinessReport.Check]
        let notes: [String]
        let embedding: [EmbeddingReport]
    }

    /// Answers how the service stands; a probe is answered with 503 while it is not ready.
    private func ready(showsDetail: Bool, isProbe: Bool = true) async throws -> Response {
        var report = await services.host.readiness()
        if drain.hasBegun {
            report.checks.append(.init(name: "server", isReady: false, detail: "stopping"))
        }
        if !showsDetail {
            report.embedding = []
            for index in report.checks.indices { report.checks[index].detail = nil }
        }
        let body = Readiness(
            status: report.isReady ? "ready" : "not_ready", checks: report.checks, notes: report.notes,
            embedding: report.embedding)
        var response = try reply(body, status: report.isReady || !isProbe ? .ok : .serviceUnavailable)
        if isProbe, !report.isReady { response.headers[.retryAfter] = "5" }
        return response
    }
}
