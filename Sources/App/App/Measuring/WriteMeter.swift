import ChatCore
import CoreMetrics
import Logging
import MessageStore

/// Measures the transactions that write, and logs those that keep others waiting.
struct WriteMeter: Sendable {
    let factory: any MetricsFactory
    let logger: Logger

    func record(_ write: StoreWrite) {
        Recorder(label: "nexus_store_write_seconds", dimensions: [], factory: factory)
            .record(write.duration / .seconds(1))
        guard write.duration > StoreWrite.slow else { return }
        Counter(
            label: "nexus_store_slow_writes_total", dimensions: [("operation", write.name)], factory: factory
        )
        .increment()
        logger.info(
            "A write kept others waiting",
            metadata: [
                "store.operation": "\(write.name)", "store.milliseconds": "\(milliseconds(write))",
                "store.writes": "\(write.count)",
            ])
    }

    private func milliseconds(_ write: StoreWrite) -> Int64 {
        let (seconds, attoseconds) = write.duration.components
        return seconds.multipliedClamped(by: 1_000).addingClamped(attoseconds / 1_000_000_000_000_000)
    }
}
