import CoreMetrics
import HummingbirdCore

/// Limits the open connections of one address; further ones wait in the system's queue.
struct CountedConnections: AvailableConnectionsDelegate {
    private let limit: Int
    private let meter: Meter
    private var count = 0

    init(limit: Int, metrics: any MetricsFactory) {
        self.limit = limit
        meter = Meter(label: "http_server_open_connections", factory: metrics)
    }

    mutating func connectionOpened() {
        count += 1
        meter.increment()
    }

    mutating func connectionClosed() {
        count -= 1
        meter.decrement()
    }

    func isAcceptingNewConnections() -> Bool { count < limit }
}
