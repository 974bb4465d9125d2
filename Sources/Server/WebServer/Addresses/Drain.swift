import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// A stop in two steps: first the server reports that it is not ready but still answers, so that a load balancer sends
/// no more clients; then it accepts no more connections.
package final class Drain: Sendable {
    private let began = Atomic(false)
    private let duration: Duration

    /// A duration of zero is a stop in one step.
    package init(duration: Duration) {
        self.duration = duration
    }

    /// Whether the server is stopping.
    package var hasBegun: Bool { began.load(ordering: .acquiring) }

    /// Runs a server, and stops it only after the drain.
    func run(_ server: some Service, logger: Logger) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: quiet))
        // Detached, because a child task would get the graceful shutdown at once.
        let running = Task.detached { try await group.run() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await running.value
            } onGracefulShutdown: {
                self.began.store(true, ordering: .releasing)
                Task {
                    try? await Task.sleep(for: self.duration)
                    await group.triggerGracefulShutdown()
                }
            }
        } onCancel: {
            running.cancel()
        }
    }
}
