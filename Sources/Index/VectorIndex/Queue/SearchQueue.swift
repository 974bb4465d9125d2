public import IndexCore

/// Runs searches on its own threads; searches that arrive while all threads are busy are answered together.
///
/// A free thread takes the search that has waited longest, and all others without a predicate on the same index and
/// selection: one pass over memory serves them, and each gets the same result as alone. Other selections have separate
/// passes, in order of arrival. Free threads help with a search. Threads start when they are needed and end with the
/// queue.
public final class SearchQueue: Sendable {
    private let pool: ThreadPool
    private let waiting: WaitingSearches

    /// Makes a queue.
    ///
    /// - Parameter threadCount: The most threads that search at the same time; a single search uses all of them.
    /// - Precondition: `threadCount` is 1 or more.
    public init(threadCount: Int) {
        precondition(threadCount >= 1, "a search needs a thread")
        pool = ThreadPool(threadCount: threadCount)
        waiting = WaitingSearches(pool.crew)
    }

    /// Returns the rows nearest to `query` by cosine similarity, best first; ties by ascending key.
    ///
    /// Sees every write that returned before the call. The caller's thread neither searches nor blocks. A cancelled
    /// search ends at once.
    ///
    /// - Parameters:
    ///   - query: `d` finite components, not all zero; normalised here.
    ///   - k: The most hits wanted, 1 or more; may exceed the number of rows.
    ///   - groups: The groups that may be seen; comparing is fastest when searches pass copies of one set.
    ///   - index: The index to search.
    ///   - predicate: Decides which rows may be found, nil for all; called on a thread of the queue.
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
        // Checked here, so that a bad query does not fail other searches.
        _ = try index.layout.unitScale(of: query)
        let request = SearchRequest(index: index, query: query, k: k, groups: groups, predicate: predicate)
        let waiting = waiting
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if request.isAwaited(by: continuation) { waiting.add(request) }
            }
        } onCancel: {
            // In this order, so that the place is free when the caller continues.
            waiting.remove(request)
            request.finish(.failure(.cancelled))
        }
        return try answer.get()
    }

    /// Searches that no thread has taken yet.
    package var waitingCount: Int { waiting.count }

    /// Passes over memory so far.
    package var passCount: Int { waiting.passCount }
}
