import Glibc

/// Threads that wait for work: jobs, and scans of other threads that they help with.
///
/// Plain threads instead of tasks, because a search is a synchronous function and a thread of Swift's pool must not
/// wait. Jobs come before help, so that under load every thread has its own search. A thread is started when there is
/// work and no idle thread, and ends with the ``ThreadPool`` that owns the crew.
///
/// Unchecked invariant: every variable is read and written with `mutex` held.
final class ThreadCrew: @unchecked Sendable {
    /// A scan that others may join.
    private final class Offer {
        let body: @Sendable () -> Void
        var openPlaces: Int
        var helperCount = 0

        init(_ body: @escaping @Sendable () -> Void, places: Int) {
            self.body = body
            openPlaces = places
        }
    }

    /// Bytes of a thread's stack; a search takes some kilobytes, a caller's predicate may take more.
    static let stackByteCount = 2 * 1024 * 1024

    /// The most threads.
    let threadCount: Int
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let workCame = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let helpersLeft = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [@Sendable () -> Void] = []
    private var offers: [Offer] = []
    private var threads: [pthread_t] = []
    private var idleCount = 0
    private var isEnding = false

    /// Starts no thread yet; threads are started when they are needed.
    init(threadCount: Int) {
        self.threadCount = threadCount
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(workCame, nil)
        pthread_cond_init(helpersLeft, nil)
    }

    deinit {
        pthread_cond_destroy(helpersLeft)
        pthread_cond_destroy(workCame)
        pthread_mutex_destroy(mutex)
        helpersLeft.deallocate()
        workCame.deallocate()
        mutex.deallocate()
    }

    /// Queues a job for the next free thread; jobs begin in the order of their arrival.
    ///
    /// - Returns: False when there is no thread and none can be started; the job is dropped then.
    func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
        withLock {
            jobs.append(job)
            callThreads()
            if threads.isEmpty { jobs.removeAll() }
            return !threads.isEmpty
        }
    }

    /// Runs `own` here, and `body` on up to `helperCount` threads that are or become free; returns when all have ended.
    func share(_ body: @escaping @Sendable () -> Void, helperCount: Int, while own: () -> Void) {
        guard min(helperCount, threadCount) > 0 else { return own() }
        let offer = Offer(body, places: helperCount)
        withLock {
            offers.append(offer)
            callThreads()
        }
        own()
        withLock {
            offers.removeAll { $0 === offer }
            while offer.helperCount > 0 { pthread_cond_wait(helpersLeft, mutex) }
        }
    }

    /// Ends all threads once the jobs are done, and waits for them.
    func end() {
        let threads = withLock {
            isEnding = true
            pthread_cond_broadcast(workCame)
            return self.threads
        }
        for thread in threads {
            // The last job may release the owner on a thread of the crew.
            if pthread_equal(thread, pthread_self()) != 0 { pthread_detach(thread) } else { pthread_join(thread, nil) }
        }
    }

    /// Wakes or starts threads for the work that no thread has taken.
    private func callThreads() {
        let wanted = jobs.count + offers.reduce(0) { $0 + $1.openPlaces }
        for _ in 0..<min(wanted, idleCount) { pthread_cond_signal(workCame) }
        for _ in 0..<max(0, min(wanted - idleCount, threadCount - threads.count)) { startThread() }
    }

    private func startThread() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, Self.stackByteCount)
        let context = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                if let context { Unmanaged<ThreadCrew>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, context.toOpaque())
        if code == 0 { threads.append(thread) } else { context.release() }
    }

    /// The loop of a thread.
    private func work() {
        pthread_mutex_lock(mutex)
        while true {
            if !jobs.isEmpty {
                let job = jobs.removeFirst()
                withoutLock(job)
            } else if let offer = offers.first(where: { $0.openPlaces > 0 }) {
                help(offer)
            } else if isEnding {
                break
            } else {
                idleCount += 1
                pthread_cond_wait(workCame, mutex)
                idleCount -= 1
            }
        }
        pthread_mutex_unlock(mutex)
    }

    private func help(_ offer: Offer) {
        offer.openPlaces -= 1
        offer.helperCount += 1
        withoutLock(offer.body)
        offer.helperCount -= 1
        if offer.helperCount == 0 { pthread_cond_broadcast(helpersLeft) }
    }

    private func withLock<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    private func withoutLock(_ body: () -> Void) {
        pthread_mutex_unlock(mutex)
        defer { pthread_mutex_lock(mutex) }
        body()
    }
}

/// Owns a ``ThreadCrew``: its threads end when the pool is released.
///
/// Jobs hold the crew, never the pool, so that the pool is released with its owner and not on one of its threads.
final class ThreadPool: Sendable {
    let crew: ThreadCrew

    init(threadCount: Int) { crew = ThreadCrew(threadCount: threadCount) }

    deinit { crew.end() }
}
