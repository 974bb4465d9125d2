import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import UseCases
import WebServer

extension API {
    /// The routes of liveness and readiness.
    var healthRoutes: [Route] {
        ["health", "livez"].map { path in
            Route(.get, path, .everyone, id: path, "Shows whether the process runs.") { _, _ in Self.alive }
        }
            + ["ready", "readyz"].map { path in
                Route(.get, path, .everyone, id: path, "Shows whether the server is ready.") { _, caller in
                    try await ready(showsDetail: caller.isAdmitted(by: .admin))
                }
            }
    }

    /// The state of the service, for administrators.
    var statusRoutes: [Route] {
        [
            Route(.get, "v1/status", .admin, id: "status", "Shows the state of the service and its embedding.") {
                _, _ in
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

    /// Answers with the state of the service; a probe gets 503 while the server is not ready.
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

extension API {
    /// The metrics, for Prometheus.
    var metricsRoutes: [Route] {
        [
            Route(.get, "metrics", .admin, id: "metrics", "Shows the metrics in Prometheus format.") { _, _ in
                let counts = useCases.questions.counts
                metrics.count((counts.running, counts.waiting))
                let page = await services.host.metricsPage(isStopping: drain.hasBegun)
                return .json(Data(page.utf8), status: .ok, type: "text/plain; version=0.0.4; charset=utf-8")
            }
        ]
    }
}

extension API {
    /// The route for commands; only the local socket has it.
    var operatorRoute: Route {
        Route(
            .post, "operator", .admin, id: "operate", "Performs a command of the operator.", audit: .ofCommands
        ) { incoming, _ in
            let command = Data(Array(buffer: try await incoming.body(limit: settings.messagesByteLimit)))
            return Self.lines(services.host.perform(command), to: incoming)
        }
    }
}
