import AsyncAlgorithms
public import Logging
public import ServiceLifecycle

/// Follows the change sequence in the background, so that a search after a large import finds little left to do.
public struct IndexFollower: Service {
    private let index: LiveIndex
    private let interval: Duration
    private let logger: Logger

    /// Joins what following needs.
    ///
    /// - Parameters:
    ///   - index: What is to follow.
    ///   - interval: How often it looks.
    ///   - logger: Told of failures; the next look tries again.
    public init(index: LiveIndex, interval: Duration = .milliseconds(250), logger: Logger) {
        self.index = index
        self.interval = interval
        self.logger = logger
    }

    /// Follows until the service group shuts down.
    public func run() async throws {
        for await _ in AsyncTimerSequence(interval: interval, clock: .continuous).cancelOnGracefulShutdown() {
            do {
                try await index.follow()
            } catch is CancellationError {
                return
            } catch {
                logger.warning("The index cannot follow the store", metadata: ["error": "\(type(of: error))"])
            }
        }
    }
}
