import Glibc

/// Threads that do the same work beside the calling one; they end with it.
///
/// Plain threads rather than tasks: a search is a synchronous function, and a thread of Swift's pool must not wait.
/// Where a thread cannot be started there is one less.
struct ThreadCrew {
    private let threads: [pthread_t]

    /// What a thread is given.
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Starts `count` threads that each call `body` once.
    init(count: Int, _ body: @escaping @Sendable () -> Void) {
        threads = (0..<count).compactMap { _ in
            let work = Unmanaged.passRetained(Work(body))
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
                    return nil
                }, work.toOpaque())
            guard code == 0 else {
                work.release()
                return nil
            }
            return thread
        }
    }

    /// Waits until all have ended; must be called once.
    func wait() {
        for thread in threads { pthread_join(thread, nil) }
    }
}
