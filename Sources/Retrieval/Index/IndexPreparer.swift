import AsyncAlgorithms
public import Logging
public import ServiceLifecycle

/// Reads the rows of a generation that is about to serve, beside the searches; see ``LiveIndex/isPrepared(for:)``.
public struct IndexPreparer: Service {
    private let index: LiveIndex
    private let interval: Duration
    private let logger: Logger

    /// Joins what preparing needs.
    ///
    /// - Parameters:
    ///   - index: The vectors.
    ///   - interval: How often it looks whether a generation is wanted.
    ///   - logger: Told of failures; the next look tries again.
    public init(index: LiveIndex, interval: Duration = .milliseconds(100), logger: Logger) {
        self.index = index
        self.interval = interval
        self.logger = logger
    }

    /// Prepares until the service group shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in AsyncTimerSequence(interval: interval, clock: .continuous) {
                do {
                    try await index.prepare()
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning(
                        "The next generation's index cannot be read", metadata: ["error": "\(type(of: error))"])
                }
            }
        }
    }
}
