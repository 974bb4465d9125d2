public import IndexCore

/// Runs searches on threads of its own; those that arrive while all threads are busy are answered together.
///
/// A free thread takes the search that has waited longest, and with it all others of the same index and selection
/// without a predicate: one pass over memory serves them, and each gets what it would get alone. Other selections have
/// passes of their own, in order of arrival. While there are free threads, they help with a search. Threads start when
/// they are needed and end with the queue.
public final class SearchQueue: Sendable {
    private let pool: ThreadPool
    private let waiting: WaitingSearches

    /// Makes a queue.
    ///
    /// - Parameter threadCount: The most threads that search at a time; all of them together serve one lone search.
    /// - Precondition: `threadCount` is 1 or more.
    public init(threadCount: Int) {
        precondition(threadCount >= 1, "a search needs a thread")
        pool = ThreadPool(threadCount: threadCount)
        waiting = WaitingSearches(pool.crew)
    }

    /// Returns the rows nearest to `query` by cosine similarity, best first; ties by ascending key.
    ///
    /// Sees every write that returned before the call. The caller's thread neither searches nor blocks. A cancelled search
    /// ends at once.
    ///
    /// - Parameters:
    ///   - query: `d` finite components, not all zero; normalised here.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen; searches share a pass soonest when they pass copies of one set.
    ///   - index: The index to search.
    ///   - predicate: Which rows may be found, nil for all; called on a thread of the queue.
    /// - Returns: At most `k` hits, fewer when fewer rows pass; `score` in -1...1.
    /// - Throws: ``VectorIndexError/dimensionMismatch(expected:got:)``, ``VectorIndexError/zeroVector``,
    ///   ``VectorIndexError/notFinite(component:)``, ``VectorIndexError/cancelled``, ``VectorIndexError/damaged``,
    ///   ``VectorIndexError/outOfMemory(byteCount:)`` when no thread can be started.
    /// - Precondition: `k` is 1 or more.
    public func search(
        _ query: [Float], k: Int, in groups: GroupSelection, on index: CosineIndex,
        where predicate: (@Sendable (RowKey, RowAttributes) -> Bool)? = nil
    ) async throws(VectorIndexError) -> [VectorHit] {
        precondition(k >= 1, "k must be 1 or more")
        // Here, so that a bad query fails nobody else.
        _ = try index.layout.unitScale(of: query)
        let request = SearchRequest(index: index, query: query, k: k, groups: groups, predicate: predicate)
        let waiting = waiting
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if request.isAwaited(by: continuation) { waiting.add(request) }
            }
        } onCancel: {
            // In this order, so that who learns of the end finds the place free.
            waiting.remove(request)
            request.finish(.failure(.cancelled))
        }
        return try answer.get()
    }

    /// Searches that no thread has taken.
    package var waitingCount: Int { waiting.count }

    /// Passes over memory so far.
    package var passCount: Int { waiting.passCount }
}
