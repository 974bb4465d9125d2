import ChatCore
import MessageStore
import Synchronization

/// Work on a thread of its own, which ends when it is closed; closing waits for that.
final class ClosableThread: Sendable {
    private struct State {
        var isClosed = false
        var hasEnded = false
        var closing: CheckedContinuation<Void, Never>?
    }

    /// Wakes the thread; the work waits with it.
    let alarm: WakeDescriptor
    private let state = Mutex(State())

    /// - Throws: ``RepositoryError/unavailable(reason:)``.
    init() throws(RepositoryError) {
        alarm = try WakeDescriptor()
    }

    /// Whether the work has to end.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Begins the work, once.
    func start(_ work: @escaping @Sendable () -> Void) {
        Task { [self] in
            await onOwnThread(work)
            let closing = state.withLock { state in
                state.hasEnded = true
                return state.closing
            }
            closing?.resume()
        }
    }

    /// Wakes the thread, and waits for the end of the work, which must have begun.
    func close() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                state.isClosed = true
                if !state.hasEnded { state.closing = continuation }
                return state.hasEnded
            }
            alarm.wake()
            if hasEnded { continuation.resume() }
        }
    }
}
