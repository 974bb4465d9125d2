import CoreMetrics
import LiveChat

/// The metrics of live connections; no label tells who is connected.
final class LiveMetrics: Sendable {
    /// How a client is connected.
    enum Kind: String, CaseIterable {
        case socket
        case stream
    }

    private struct Carrier: Sendable {
        let open: Meter
        let frames: Counter
        let bytes: Counter
    }

    private let factory: any MetricsFactory
    private let socket: Carrier
    private let stream: Carrier
    private let slow: Counter
    private let dropped: [String: Counter]

    init(factory: any MetricsFactory) {
        self.factory = factory
        func carrier(_ kind: Kind) -> Carrier {
            let labels = [("kind", kind.rawValue)]
            return Carrier(
                open: Meter(label: "nexus_live_connections", dimensions: labels, factory: factory),
                frames: Counter(label: "nexus_live_frames_total", dimensions: labels, factory: factory),
                bytes: Counter(label: "nexus_live_bytes_total", dimensions: labels, factory: factory))
        }
        socket = carrier(.socket)
        stream = carrier(.stream)
        slow = Counter(label: "nexus_live_slow_total", factory: factory)
        dropped = Dictionary(
            uniqueKeysWithValues: ["presence", "typing", "delta"].map { event in
                (event, Counter(label: "nexus_live_dropped_total", dimensions: [("event", event)], factory: factory))
            })
    }

    private func carrier(_ kind: Kind) -> Carrier { kind == .socket ? socket : stream }

    /// Counts a new connection or, with -1, its end.
    func countOpen(_ change: Double, _ kind: Kind) { carrier(kind).open.increment(by: change) }

    /// Counts a message to a client.
    func countSent(_ byteCount: Int, _ kind: Kind) {
        carrier(kind).frames.increment()
        carrier(kind).bytes.increment(by: byteCount)
    }

    /// Counts a frame that waited because too many bytes wait for a client.
    func countSlow() { slow.increment() }

    /// Counts an event that a client does not get.
    func countDropped(_ event: LivePeople.Event) {
        let name =
            switch event {
            case .presence: "presence"
            case .typing: "typing"
            case .answer: "delta"
            }
        dropped[name]?.increment()
    }

    /// Counts a refused handshake, by the code of the failure.
    func countRefused(_ failure: Failure) {
        Counter(label: "nexus_live_refused_total", dimensions: [("code", failure.code)], factory: factory).increment()
    }
}
