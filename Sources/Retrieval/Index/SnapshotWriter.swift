import AsyncAlgorithms
public import ServiceLifecycle
import Synchronization

/// Checks the vectors' snapshot file once in the background, and writes new files of vectors and of words when enough has
/// changed.
public struct SnapshotWriter: Service {
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let interval: Duration

    /// Joins what writing needs.
    ///
    /// - Parameters:
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - interval: How often it looks whether a file is due.
    public init(index: LiveIndex, lexicon: LiveLexicon, interval: Duration = .seconds(1)) {
        self.index = index
        self.lexicon = lexicon
        self.interval = interval
    }

    /// Works until the service group shuts down; a file that is being written is finished.
    public func run() async throws {
        var isVerified = false
        let ticks = AsyncTimerSequence(interval: interval, clock: .continuous).cancelOnGracefulShutdown()
        for await _ in ticks {
            await lexicon.saveIfDue()
            guard index.isLoaded else { continue }
            if !isVerified {
                await cancelWhenGracefulShutdown { await index.verify() }
                isVerified = true
            }
            await index.saveIfDue()
        }
    }
}
