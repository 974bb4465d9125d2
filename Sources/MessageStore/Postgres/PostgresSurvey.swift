import ChatCore
import Glibc
import Synchronization

/// Looks for the server that accepts writes, on its own thread, and lets the connections of a node move to it.
///
/// An old primary may keep its connections after a standby was promoted, and a proxy keeps those of a session when its
/// target has changed. So new connections are opened from time to time.
package final class PostgresSurvey: Sendable {
    /// Connects to all servers of the address, and reports those that accept writes, each as soon as it is found.
    ///
    /// The report says whether the address leads to one server alone.
    package typealias Look = @Sendable (_ report: @Sendable (PostgresOrigin, _ isOnly: Bool) -> Void) -> Void

    /// The time between two looks, in milliseconds.
    private static let interval: Int64 = 2_000

    private struct State {
        var isClosed = false
        var hasEnded = false
        var closing: CheckedContinuation<Void, Never>?
    }

    private let alarm: WakeDescriptor?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lineage: The server that the node uses.
    ///   - look: Finds servers.
    ///   - moved: Called when connections move to another server.
    init(of lineage: PostgresLineage, _ look: @escaping Look, moved: @escaping @Sendable () -> Void) {
        alarm = try? WakeDescriptor()
        Task { [self] in
            await onOwnThread { self.run { look { if lineage.noteFound($0, isOnly: $1) { moved() } } } }
            let closing = state.withLock { state in
                state.hasEnded = true
                return state.closing
            }
            closing?.resume()
        }
    }

    private func run(_ look: () -> Void) {
        guard let alarm else { return }
        while !state.withLock({ $0.isClosed }) {
            alarm.wait(milliseconds: Self.interval)
            if state.withLock({ $0.isClosed }) { return }
            look()
        }
    }

    /// Ends after a look that has begun.
    func close() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isClosed = true
                if !state.hasEnded { state.closing = continuation }
                return state.hasEnded
            }
            alarm?.wake()
            if hasEnded { continuation.resume() }
        }
    }
}
