public import ChatCore
public import Logging
public import ServiceLifecycle

/// Follows the change sequence in the background, so that a search after a large import finds little left to do,
/// and takes what was erased out of the index's file.
public struct IndexFollower: Service {
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let changes: any ChangeNotifier
    private let interval: Duration
    private let logger: Logger

    /// Joins what following needs.
    ///
    /// - Parameters:
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - changes: Announces changes.
    ///   - interval: How long it waits after following, so that the changes of this time are read together.
    ///   - logger: Told of failures; it tries again after the interval.
    public init(
        index: LiveIndex, lexicon: LiveLexicon, changes: any ChangeNotifier, interval: Duration = .milliseconds(250),
        logger: Logger
    ) {
        self.index = index
        self.lexicon = lexicon
        self.changes = changes
        self.interval = interval
        self.logger = logger
    }

    /// Follows until the service group shuts down.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: ChangeNumber?
            while !Task.isCancelled {
                known = await follow(after: known)
                try? await Task.sleep(for: interval)
            }
        }
    }

    /// Waits for a change and follows; returns the newest change that was followed, nil after a failure.
    private func follow(after known: ChangeNumber?) async -> ChangeNumber? {
        do {
            if let known { try await changes.waitForChange(after: known) }
            let newest = try await changes.latestChange()
            try await lexicon.follow()
            try await index.follow()
            await index.scrub()
            return newest
        } catch is CancellationError {
            return nil
        } catch {
            logger.warning("The index cannot follow the store", metadata: ["error": "\(type(of: error))"])
            return nil
        }
    }
}
