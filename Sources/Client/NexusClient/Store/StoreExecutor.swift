import Dispatch

/// Runs an actor on its own queue, first in, first out: reads and writes of a file never block the shared threads.
final class StoreExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "nexus.store")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
