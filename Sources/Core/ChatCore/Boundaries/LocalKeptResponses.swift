import Synchronization

/// The kept responses of a server that runs alone: in memory, so a restart forgets them.
public final class LocalKeptResponses: KeptResponses {
    private struct Entry {
        let number: Int64
        let bodyHash: [UInt8]
        var answer: (response: KeptResponse, until: ContinuousClock.Instant)?

        var byteCount: Int { answer?.response.byteCount ?? 0 }
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        /// Answered keys, oldest first.
        var answered: [[UInt8]] = []
        var byteCount = 0
        var attemptCount: Int64 = 0
    }

    private let limits: KeptResponseLimits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    public init(
        limits: KeptResponseLimits = KeptResponseLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.limits = limits
        self.now = now
    }

    /// See ``KeptResponses/begin(_:bodyHash:)``.
    public func begin(_ key: [UInt8], bodyHash: [UInt8]) async -> RequestStep {
        let moment = now()
        return state.withLock { state in
            evict(from: &state, at: moment)
            if let entry = state.entries[key] {
                guard entry.bodyHash == bodyHash else { return .reused }
                let attempt = RequestAttempt(key: key, number: entry.number)
                return entry.answer.map { .replay($0.response, attempt) } ?? .inWork
            }
            state.attemptCount += 1
            state.entries[key] = Entry(number: state.attemptCount, bodyHash: bodyHash)
            return .proceed(RequestAttempt(key: key, number: state.attemptCount))
        }
    }

    /// See ``KeptResponses/finish(_:with:)``.
    public func finish(_ attempt: RequestAttempt, with response: KeptResponse?) async {
        let moment = now()
        state.withLock { state in
            guard var entry = state.entries[attempt.key], entry.number == attempt.number, entry.answer == nil else {
                return
            }
            guard let response else {
                state.entries[attempt.key] = nil
                return
            }
            entry.answer = (response, moment + limits.lifetime)
            state.entries[attempt.key] = entry
            state.answered.append(attempt.key)
            state.byteCount += entry.byteCount
            evict(from: &state, at: moment)
        }
    }

    /// See ``KeptResponses/forget(_:)``.
    public func forget(_ attempt: RequestAttempt) async {
        state.withLock { state in
            guard let entry = state.entries[attempt.key], entry.number == attempt.number,
                let place = state.answered.firstIndex(of: attempt.key)
            else { return }
            state.answered.remove(at: place)
            state.entries[attempt.key] = nil
            state.byteCount -= entry.byteCount
        }
    }

    /// Drops answers that are too old or exceed a limit.
    private func evict(from state: inout State, at moment: ContinuousClock.Instant) {
        var count = 0
        while count < state.answered.count, let entry = state.entries[state.answered[count]] {
            let isOld = entry.answer.map { $0.until <= moment } ?? true
            guard isOld || state.answered.count - count > limits.count || state.byteCount > limits.byteCount else {
                break
            }
            state.byteCount -= entry.byteCount
            state.entries[state.answered[count]] = nil
            count += 1
        }
        state.answered.removeFirst(count)
    }
}
