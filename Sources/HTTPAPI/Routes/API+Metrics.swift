import Foundation
import HTTPTypes
import UseCases

extension API {
    /// What is measured, for Prometheus.
    var metricsRoutes: [Route] {
        [
            Route(.get, "metrics", .admin, id: "metrics", "What is measured, as Prometheus reads it.") { _, _ in
                let counts = useCases.questions.counts
                metrics.note((counts.running, counts.waiting))
                let page = await services.host.metricsPage(isStopping: drain.hasBegun)
                return .json(Data(page.utf8), status: .ok, type: "text/plain; version=0.0.4; charset=utf-8")
            }
        ]
    }
}
