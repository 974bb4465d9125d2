import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// A stop in two steps: for a while the server says that it is not ready but still answers, so that a balancer before it
/// sends nobody more; then it accepts no connection any longer.
final class Drain: Sendable {
    private let began = Atomic(false)
    private let duration: Duration

    /// Makes a drain of some length; zero for a stop in one step.
    init(duration: Duration) {
        self.duration = duration
    }

    /// Whether the server is stopping.
    var hasBegun: Bool { began.load(ordering: .acquiring) }

    /// Runs a server that is told to stop only when the drain is over.
    func run(_ server: some Service, logger: Logger) async throws {
        var quiet = logger
        quiet.logLevel = max(logger.logLevel, .warning)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: server, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: quiet))
        // Detached: a child would hear of the graceful shutdown as soon as everybody does.
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
