import ChatCore
import ServiceLifecycle

/// Keeps the files of the indexes useful: removes erased rows, and writes new files when enough has changed.
///
/// The file of the vectors is checked once after the start.
package struct SnapshotWriter: Service {
    private let index: LiveIndex
    private let lexicon: LiveLexicon
    private let interval: Duration

    /// - Parameters:
    ///   - index: The vectors.
    ///   - lexicon: The words.
    ///   - interval: How long to wait after each look, so that many small changes are handled together.
    package init(index: LiveIndex, lexicon: LiveLexicon, interval: Duration = .seconds(1)) {
        self.index = index
        self.lexicon = lexicon
        self.interval = interval
    }

    /// Works until the service group shuts down; a file that is being written is finished.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    await lexicon.lifecycle.changed.repeating(failed: { _ in }) {
                        await lexicon.saveIfDue()
                        try await Task.sleep(for: interval)
                        return lexicon.lifecycle.pause(of: lexicon, retryPause: interval)
                    }
                }
                group.addTask {
                    var isVerified = false
                    await index.lifecycle.changed.repeating(failed: { _ in }) {
                        guard index.isLoaded else { return nil }
                        await index.scrub()
                        if !isVerified { await index.verify() }
                        isVerified = true
                        await index.saveIfDue()
                        try await Task.sleep(for: interval)
                        return index.lifecycle.pause(of: index, retryPause: interval)
                    }
                }
            }
        }
    }
}

/// When the rows of an index are worth a new snapshot file.
///
/// A start reads from the store what changed after its file, some 30,000 rows a second, or everything without a file.
/// A file costs a write of all rows.
package struct SnapshotPolicy: Sendable {
    /// Smaller indexes are read from the store within a moment.
    package var rowMinimum = 10_000
    /// The part of the rows that must have changed while the index is in use: 0...1.
    ///
    /// While a history is embedded, a row is written eleven times on average.
    package var changedPart = 0.1
    /// The same at the end of the process, when the next start would have to wait.
    package var changedPartAtEnd = 0.01
    /// How long no word must have been erased before a file of words is written; ignored at the end of the process.
    ///
    /// Each erasure deletes the whole file, so that of many erasures in a row only the last is followed by a file.
    package var quietTime = Duration.seconds(30)

    /// Makes the policy that suits a server.
    package init() {}

    /// Returns whether a file is due.
    package func isDue(rowCount: Int, changedCount: Int, atEnd: Bool) -> Bool {
        let part = atEnd ? changedPartAtEnd : changedPart
        return rowCount >= rowMinimum && changedCount > 0 && Double(changedCount) >= Double(rowCount) * part
    }

    /// Returns whether the last erasure is long enough ago; nil when there was none.
    package func isQuiet(sinceErasure age: Duration?) -> Bool {
        age.map { $0 >= quietTime } ?? true
    }
}
