import AsyncAlgorithms
public import ServiceLifecycle
import Synchronization

/// Checks the index's snapshot file once in the background, and writes a new one when enough has changed.
public struct SnapshotWriter: Service {
    private let index: LiveIndex
    private let interval: Duration

    /// Joins what writing needs.
    ///
    /// - Parameters:
    ///   - index: Whose rows they are.
    ///   - interval: How often it looks whether a file is due.
    public init(index: LiveIndex, interval: Duration = .seconds(1)) {
        self.index = index
        self.interval = interval
    }

    /// Works until the service group shuts down; a file that is being written is finished.
    public func run() async throws {
        var isVerified = false
        let ticks = AsyncTimerSequence(interval: interval, clock: .continuous).cancelOnGracefulShutdown()
        for await _ in ticks where index.isLoaded {
            if !isVerified {
                await cancelWhenGracefulShutdown { await index.verify() }
                isVerified = true
            }
            await index.saveIfDue()
        }
    }
}
