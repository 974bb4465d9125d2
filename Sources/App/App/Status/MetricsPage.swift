import ChatCore
import CoreMetrics
import Foundation
import HTTPAPI
import MessageStore
import Retrieval
import Telemetry

/// The metrics of a server, as Prometheus reads them.
struct MetricsPage: Sendable {
    let metrics: MetricRegistry
    let store: SQLStore
    let indexes: Indexes
    let readiness: Readiness
    /// The time at which the data folder was opened.
    let startedAt: Date

    /// Returns all metrics, with the present state of the queue, the index and the process.
    ///
    /// - Parameter isStopping: Whether the server has stopped accepting work.
    /// - Returns: Prometheus' text format.
    func text(isStopping: Bool) async -> String {
        meter("nexus_build_info", 1, [("version", Version.text)])
        meter("nexus_index_passages", Double(indexes.vectors.passageCount))
        meter("nexus_index_messages", Double(indexes.words.messageCount))
        meter("nexus_index_bytes", Double(indexes.vectors.byteCount))
        let readiness = await readiness.report()
        meter("nexus_ready", readiness.isReady && !isStopping ? 1 : 0)
        if let report = readiness.embedding.last(where: { $0.state == .serving }) { measure(report) }
        let trouble = store.storageTrouble
        for kind in StorageTrouble.allCases {
            meter("nexus_store_trouble", kind == trouble ? 1 : 0, [("trouble", kind.rawValue)])
        }
        measureProcess()
        return metrics.text()
    }

    private func measure(_ report: EmbeddingReport) {
        let coverage = report.coverage
        let states = [
            ("embedded", coverage.embeddedCount), ("waiting", coverage.waitingCount), ("failed", coverage.failedCount),
            ("excluded", coverage.excludedCount),
        ]
        for (state, count) in states { meter("nexus_queue_messages", Double(count), [("state", state)]) }
        meter("nexus_queue_oldest_age_seconds", report.oldestWaitingSeconds ?? 0)
        let wanted = coverage.embeddedCount + coverage.waitingCount + coverage.failedCount
        meter("nexus_embedding_coverage_ratio", wanted == 0 ? 1 : Double(coverage.embeddedCount) / Double(wanted))
    }

    private func measureProcess() {
        meter("process_start_time_seconds", startedAt.timeIntervalSince1970)
        // The second number is the pages in RAM.
        guard let pages = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " "),
            pages.count > 1, let count = Double(pages[1])
        else { return }
        meter("process_resident_memory_bytes", count * Double(sysconf(Int32(_SC_PAGESIZE))))
    }

    private func meter(_ name: String, _ value: Double, _ labels: [(String, String)] = []) {
        Meter(label: name, dimensions: labels, factory: metrics).set(value)
    }
}
