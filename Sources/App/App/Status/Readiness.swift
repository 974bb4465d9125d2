import ChatCore
import HTTPAPI
import Ingest
import MessageStore
import Retrieval
import Synchronization
import UseCases

/// Whether the server can do its work.
final class Readiness: Sendable {
    private let status: NodeStatus
    private let follower: ChangeFollower
    private let now: @Sendable () -> Timestamp
    /// The last reports, with their time.
    private let recent = Mutex<(moment: Timestamp, reports: [EmbeddingReport])?>(nil)

    init(status: NodeStatus, follower: ChangeFollower, now: @escaping @Sendable () -> Timestamp) {
        (self.status, self.follower, self.now) = (status, follower, now)
    }

    /// Whether requests can be served: the body of `GET /ready`.
    func report() async -> ReadinessReport {
        var checks: [ReadinessReport.Check] = []
        var reports: [EmbeddingReport] = []
        do {
            let pendingCount = try await status.generations.waitingCount()
            reports = try await recentReports()
            checks.append(.init(name: "store", isReady: true, detail: status.store.storageTrouble?.rawValue))
            let lag = try await follower.lag()
            checks.append(
                .init(
                    name: "index", isReady: status.index.hasBeenLoaded,
                    detail: lag.map { "\($0) changes behind" } ?? "loading"))
            // Without model services the server still searches words and quotes messages. So this is a note for the
            // operator, and no reason to send requests elsewhere.
            let trouble = status.worker.serviceTrouble
            checks.append(
                .init(
                    name: "embedding", isReady: true,
                    detail: trouble.map { $0.code } ?? "\(pendingCount) waiting" + cappedNote))
        } catch {
            checks.append(.init(name: "store", isReady: false, detail: ErrorText.line(for: error)))
        }
        return ReadinessReport(
            checks: checks,
            notes: (status.store.storageTrouble.map { [$0.rawValue] } ?? [])
                + status.troubles.map { "\($0.part)_\($0.error.code)" }, embedding: reports)
    }

    private var cappedNote: String { status.worker.isBacklogCapped ? ", the backlog until tomorrow (UTC)" : "" }

    /// The reports, at most a few seconds old, because counting many messages takes long.
    private func recentReports() async throws -> [EmbeddingReport] {
        if let known = recent.withLock({ $0 }), known.moment + .seconds(3) > now() { return known.reports }
        let reports = try await status.reports.all()
        let moment = now()
        recent.withLock { $0 = (moment, reports) }
        return reports
    }
}
