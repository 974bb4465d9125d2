import ChatCore
import Synchronization

/// Reads the pages of readers who ask at about the same time in one transaction.
///
/// One message wakes all members of its conversation: a transaction for each of them would cost several times as much as
/// its statements. Requests gather while the pages of others are read.
final class FeedReads: Sendable {
    /// How many pages are read in one transaction: the first reader waits for the last.
    private static let batchLimit = 64
    /// The most changes of the log that a page of a batch looks at, so that nobody waits for a client that was away.
    private static let changeLimit: Int64 = 4_096
    /// How many batches are read at a time.
    private static let width = 2

    private struct Waiting {
        let request: FeedRequest
        let continuation: CheckedContinuation<Result<FeedPage, any Error>?, Never>
    }

    private struct State {
        var isRunning = false
        var waiting: [Waiting] = []
    }

    private let store: any FeedStore
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())
    private let arrived = WorkSignal()

    init(store: any FeedStore, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// Returns what changed for a reader.
    ///
    /// - Throws: ``RepositoryError``; `CancellationError`.
    func page(_ request: FeedRequest, limit: Int) async throws -> FeedPage {
        if Self.isSmall(request.range), let result = await gathered(request) { return try result.get() }
        return try await store.feed(of: request.reader, in: request.range, limit: limit, at: now())
    }

    private static func isSmall(_ range: FeedRange) -> Bool {
        guard range.conversations != nil, let end = range.end, let last = end.positions.first?.rawValue,
            let first = range.start.positions.first?.rawValue
        else { return false }
        return last.subtractingReportingOverflow(first).partialValue <= changeLimit
    }

    /// Waits for the page from the next batch; nil if nobody reads batches.
    private func gathered(_ request: FeedRequest) async -> Result<FeedPage, any Error>? {
        await withCheckedContinuation { continuation in
            let (isTaken, isFirst) = state.withLock { state -> (Bool, Bool) in
                guard state.isRunning else { return (false, false) }
                state.waiting.append(Waiting(request: request, continuation: continuation))
                return (true, state.waiting.count == 1)
            }
            if !isTaken { continuation.resume(returning: nil) }
            if isFirst { arrived.signal() }
        }
    }

    /// Reads batches until the task is cancelled.
    func run() async {
        state.withLock { $0.isRunning = true }
        await withDiscardingTaskGroup { group in
            for _ in 0..<Self.width { group.addTask { await self.readBatches() } }
        }
        let left = state.withLock { state in
            state.isRunning = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in left { waiting.continuation.resume(returning: nil) }
    }

    private func readBatches() async {
        while !Task.isCancelled {
            let seen = arrived.count
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(Self.batchLimit))
                state.waiting.removeFirst(batch.count)
                return batch
            }
            if batch.isEmpty {
                try? await arrived.wait(after: seen)
            } else {
                await read(batch)
            }
        }
    }

    private func read(_ batch: [Waiting]) async {
        do {
            let pages = try await store.feeds(
                batch.map(\.request), limit: FeedSubscription.changeLimit, at: now())
            for (waiting, page) in zip(batch, pages) {
                waiting.continuation.resume(returning: page.mapError { $0 })
            }
        } catch is CancellationError {
            // The readers outlive this task.
            for waiting in batch { waiting.continuation.resume(returning: nil) }
        } catch {
            for waiting in batch { waiting.continuation.resume(returning: .failure(error)) }
        }
    }
}
