import Synchronization

/// How many questions are answered at a time.
public struct QuestionLimits: Hashable, Sendable {
    /// Of all users.
    public var running: Int
    /// Of one user, waiting ones included.
    public var perUser: Int
    /// Waiting for a place, of all users; the rest is refused at once.
    public var waiting: Int

    /// Joins the limits; each is at least 1, but for waiting, which may be 0.
    public init(running: Int = 256, perUser: Int = 8, waiting: Int = 1_024) {
        self.running = running
        self.perUser = perUser
        self.waiting = waiting
    }
}

/// Lets so many questions be answered at a time; a bounded number waits in the order of arrival, the rest is refused
/// at once.
package final class QuestionGate: Sendable {
    private let limits: QuestionLimits
    private let state = Mutex(State())

    private struct State {
        var running = 0
        var lastTicket = 0
        var users: [String: Int] = [:]
        /// By ticket; tickets are drawn in the order of arrival.
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    /// Makes a gate; every limit is at least 1, but for waiting, which may be 0.
    package init(limits: QuestionLimits) {
        self.limits = limits
    }

    /// How many are answered and how many wait.
    package var counts: (running: Int, waiting: Int) { state.withLock { ($0.running, $0.waiting.count) } }

    /// Carries out `body` when there is a place for it.
    ///
    /// - Throws: ``Failure/tooManyQuestions`` when this user has too many under way, ``Failure/overloaded`` when too
    ///   many wait, and what `body` throws.
    package func withPlace<Value>(for user: String, _ body: () async throws -> Value) async throws -> Value {
        try enter(user)
        defer { leave(user) }
        try await waitForPlace()
        defer { freePlace() }
        return try await body()
    }

    private func enter(_ user: String) throws(Failure) {
        let failure = state.withLock { state -> Failure? in
            guard state.users[user, default: 0] < limits.perUser else { return .tooManyQuestions }
            guard state.running < limits.running || state.waiting.count < limits.waiting else { return .overloaded }
            state.users[user, default: 0] += 1
            return nil
        }
        if let failure { throw failure }
    }

    private func leave(_ user: String) {
        state.withLock { state in
            let count = state.users[user, default: 1] - 1
            state.users[user] = count > 0 ? count : nil
        }
    }

    private func waitForPlace() async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<Void, any Error>? in
                    // A cancellation that came before this has found nothing to resume.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.running < limits.running {
                        state.running += 1
                        return .success(())
                    }
                    guard state.waiting.count < limits.waiting else { return .failure(Failure.overloaded) }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: ticket) }
            waiting?.resume(throwing: CancellationError())
        }
    }

    /// Hands the place to who waits longest.
    private func freePlace() {
        let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
            guard let first = state.waiting.keys.min() else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeValue(forKey: first)
        }
        next?.resume()
    }
}
