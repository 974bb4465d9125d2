import Foundation
import Synchronization

/// What the threads of a stub server and the test share.
final class StubServerState: Sendable {
    /// What has happened so far.
    struct Facts {
        var requests: [StubRequest] = []
        var connectionCount = 0
        var disconnectCount = 0
        var stallCount = 0
        var sentByteCount = 0
    }

    private struct Waiter {
        let number: Int
        let isMet: @Sendable (Facts) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Values {
        var facts = Facts()
        var descriptors: Set<Int32> = []
        var isStopped = false
        var isRefusing = false
        var waiters: [Waiter] = []
        var waiterCount = 0
    }

    private let listener: Int32
    private let values = Mutex(Values())
    /// Signalled when the listener may have been opened again.
    private let reopened = DispatchSemaphore(value: 0)

    init(listener: Int32) {
        self.listener = listener
    }

    /// What has happened so far.
    var facts: Facts { values.withLock { $0.facts } }
    /// Whether the server ends its connections itself.
    var isClosed: Bool { values.withLock { $0.isStopped || $0.isRefusing } }
    /// Whether connections are refused until ``admit()``.
    var isRefusing: Bool { values.withLock { $0.isRefusing } }

    /// Notes a new connection; returns its number, or nil when the server closes it at once.
    func open(_ descriptor: Int32) -> Int? {
        values.withLock { values in
            guard !values.isStopped, !values.isRefusing else {
                close(descriptor)
                return nil
            }
            values.descriptors.insert(descriptor)
            values.facts.connectionCount += 1
            return values.facts.connectionCount
        }
    }

    /// Forgets and closes a connection.
    func end(_ descriptor: Int32, byClient: Bool) {
        values.withLock { values in
            values.descriptors.remove(descriptor)
            _ = close(descriptor)
        }
        if byClient { note { $0.disconnectCount += 1 } }
    }

    /// Numbers and records a request.
    func record(_ request: StubRequest) -> StubRequest {
        var recorded = request
        note { facts in
            recorded = request.numbered(facts.requests.count + 1)
            facts.requests.append(recorded)
        }
        return recorded
    }

    /// Changes the facts and wakes who waited for that.
    func note(_ change: (inout Facts) -> Void) {
        let met = values.withLock { values in
            change(&values.facts)
            let facts = values.facts
            defer { values.waiters.removeAll { $0.isMet(facts) } }
            return values.waiters.filter { $0.isMet(facts) }
        }
        for waiter in met { waiter.continuation.resume() }
    }

    /// Returns when `isMet` holds or the task has been cancelled, by the test's time limit for instance.
    func wait(until isMet: @escaping @Sendable (Facts) -> Bool) async {
        let number = values.withLock { values in
            values.waiterCount += 1
            return values.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = values.withLock { values in
                    if isMet(values.facts) || Task.isCancelled { return true }
                    values.waiters.append(Waiter(number: number, isMet: isMet, continuation: continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            removeWaiter(number)?.continuation.resume()
        }
    }

    private func removeWaiter(_ number: Int) -> Waiter? {
        values.withLock { values in
            let place = values.waiters.firstIndex { $0.number == number }
            return place.map { values.waiters.remove(at: $0) }
        }
    }

    /// Waits after the listener was shut down; returns whether it listens again, false when the server was stopped.
    func waitForAdmission() -> Bool {
        while true {
            let (isStopped, isRefusing) = values.withLock { ($0.isStopped, $0.isRefusing) }
            if isStopped { return false }
            if !isRefusing { return true }
            reopened.wait()
        }
    }

    /// Shuts the listener and all connections, until ``admit()``.
    func refuse() {
        values.withLock { values in
            guard !values.isStopped, !values.isRefusing else { return }
            values.isRefusing = true
            shutAll(values.descriptors)
        }
    }

    /// Listens again at the same port.
    func admit() {
        values.withLock { values in
            guard !values.isStopped, values.isRefusing, (try? StubServerSockets.listen(listener)) != nil else { return }
            values.isRefusing = false
        }
        reopened.signal()
    }

    /// Wakes all threads: accepting, reading, writing and waiting ones.
    func stop() {
        values.withLock { values in
            guard !values.isStopped else { return }
            values.isStopped = true
            shutAll(values.descriptors)
        }
        reopened.signal()
    }

    private func shutAll(_ descriptors: Set<Int32>) {
        shutdown(listener, Int32(SHUT_RDWR))
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
