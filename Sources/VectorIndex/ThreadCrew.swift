import Glibc
import Synchronization

/// Threads that do the same work beside the calling one; they end with it.
///
/// Plain threads rather than tasks: a search is a synchronous function, and a thread of Swift's pool must not wait.
/// Where a thread cannot be started there is one less.
struct ThreadCrew {
    private let members: [(thread: pthread_t, work: Work)]

    /// What a thread is given, and whether it has begun.
    private final class Work: Sendable {
        private let body: @Sendable () -> Void
        private let isTaken = Atomic(false)

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        /// True for the first who asks: the thread, which then works, or the caller, who can do without it.
        func take() -> Bool { !isTaken.exchange(true, ordering: .acquiringAndReleasing) }

        func run() { if take() { body() } }
    }

    /// Starts `count` threads that each call `body` once.
    init(count: Int, _ body: @escaping @Sendable () -> Void) {
        members = (0..<count).compactMap { _ in
            let work = Work(body)
            let context = Unmanaged.passRetained(work)
            var thread = pthread_t()
            let code = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, context.toOpaque())
            guard code == 0 else {
                context.release()
                return nil
            }
            return (thread, work)
        }
    }

    /// Waits until all have ended that have begun, and calls off the others; must be called once.
    ///
    /// On a busy machine a thread may not get its turn before the work is done.
    func wait() {
        for (thread, work) in members {
            if work.take() { pthread_detach(thread) } else { pthread_join(thread, nil) }
        }
    }
}
