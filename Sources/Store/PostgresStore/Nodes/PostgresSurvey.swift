import ChatCore
import MessageStore

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

    private let thread: ClosableThread

    /// - Parameters:
    ///   - lineage: The server that the node uses.
    ///   - look: Finds servers.
    ///   - moved: Called when connections move to another server.
    /// - Throws: ``RepositoryError/unavailable(reason:)``.
    init(
        of lineage: PostgresLineage, _ look: @escaping Look, moved: @escaping @Sendable () -> Void
    ) throws(RepositoryError) {
        let thread = try ClosableThread()
        self.thread = thread
        thread.start {
            while !thread.isClosed {
                thread.alarm.wait(milliseconds: Self.interval)
                if thread.isClosed { return }
                look { if lineage.rememberFound($0, isOnly: $1) { moved() } }
            }
        }
    }

    /// Ends after a look that has begun.
    func close() async { await thread.close() }
}
