import AsyncAlgorithms
public import Logging
public import ServiceLifecycle

/// Follows the change sequence in the background, so that a search after a large import finds little left to do,
/// and takes what was erased out of the index's file.
public struct IndexFollower: Service {
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let interval: Duration
    private let logger: Logger

    /// Joins what following needs.
    ///
    /// - Parameters:
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - interval: How often it looks.
    ///   - logger: Told of failures; the next look tries again.
    public init(
        index: LiveIndex, lexicon: LiveLexicon, interval: Duration = .milliseconds(250), logger: Logger
    ) {
        self.index = index
        self.lexicon = lexicon
        self.interval = interval
        self.logger = logger
    }

    /// Follows until the service group shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            guard await follow() else { return }
            for await _ in AsyncTimerSequence(interval: interval, clock: .continuous) {
                guard await follow() else { return }
            }
        }
    }

    /// Returns false when it was cancelled.
    private func follow() async -> Bool {
        do {
            try await lexicon.follow()
            try await index.follow()
            await index.scrub()
        } catch is CancellationError {
            return false
        } catch {
            logger.warning("The index cannot follow the store", metadata: ["error": "\(type(of: error))"])
        }
        return true
    }
}
