import ChatCore
public import ServiceLifecycle

/// Keeps the files of the indexes useful: removes what was erased, and writes new files when enough has changed.
///
/// The vectors' file is checked once after the start.
public struct SnapshotWriter: Service {
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let interval: Duration

    /// - Parameters:
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - interval: How long to wait after a look, so that many small changes are looked at once.
    public init(index: LiveIndex, lexicon: LiveLexicon, interval: Duration = .seconds(1)) {
        self.index = index
        self.lexicon = lexicon
        self.interval = interval
    }

    /// Works until the service group shuts down; a file that is being written is finished.
    public func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await lexicon.changed.repeating(failed: { _ in }) {
                        await lexicon.saveIfDue()
                        try await Task.sleep(for: interval)
                        return lexicon.pauseBeforeSaving
                    }
                }
                group.addTask {
                    var isVerified = false
                    await index.changed.repeating(failed: { _ in }) {
                        guard index.isLoaded else { return nil }
                        await index.scrub()
                        if !isVerified { await index.verify() }
                        isVerified = true
                        await index.saveIfDue()
                        try await Task.sleep(for: interval)
                        return index.needsScrub ? interval : nil
                    }
                }
            }
        }
    }
}
