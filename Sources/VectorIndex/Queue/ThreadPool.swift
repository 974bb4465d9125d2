/// Owns a ``ThreadCrew``: its threads end when the pool goes away.
///
/// Jobs hold the crew, never the pool, so that the pool goes away with its owner and not on one of its own threads.
final class ThreadPool: Sendable {
    let crew: ThreadCrew

    init(threadCount: Int) { crew = ThreadCrew(threadCount: threadCount) }

    deinit { crew.end() }
}
