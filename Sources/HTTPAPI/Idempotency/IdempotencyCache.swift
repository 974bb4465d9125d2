import Synchronization

/// Remembers the responses to requests with an `Idempotency-Key`, so that a repeated request has no second effect.
///
/// It is kept in memory, so a restart forgets it. Time, number and bytes are limited; the oldest responses are dropped
/// first.
package final class IdempotencyCache<Response: Sendable>: Sendable {
    /// The next step for a request.
    package enum Decision: Sendable {
        /// It is new: carry it out, then call ``IdempotencyCache/finish(_:with:byteCount:)``.
        case proceed
        /// It was answered before.
        case replay(Response)
        /// The same request is being carried out.
        case inWork
        /// The key came with another body.
        case reused
    }

    private struct Entry {
        let bodyHash: [UInt8]
        var answer: (response: Response, byteCount: Int, until: ContinuousClock.Instant)?
    }

    private struct State {
        var entries: [IdempotencyKey: Entry] = [:]
        /// Answered keys, oldest first.
        var answered: [IdempotencyKey] = []
        var byteCount = 0
        /// The bytes of the answered keys.
        var keyByteCount = 0
    }

    private let limits: IdempotencyLimits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state = Mutex(State())

    package init(
        limits: IdempotencyLimits = IdempotencyLimits(),
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.limits = limits
        self.now = now
    }

    /// The approximate bytes of the keys of kept answers.
    package var keyByteCount: Int { state.withLock { $0.keyByteCount } }

    /// The number of kept answers, and their bytes.
    package var kept: (count: Int, byteCount: Int) { state.withLock { ($0.answered.count, $0.byteCount) } }

    /// Returns the next step for a request; after ``Decision/proceed`` the key is taken until it is finished.
    package func begin(_ key: IdempotencyKey, bodyHash: [UInt8]) -> Decision {
        let moment = now()
        return state.withLock { state in
            evict(from: &state, at: moment)
            if let entry = state.entries[key] {
                guard entry.bodyHash == bodyHash else { return .reused }
                return entry.answer.map { .replay($0.response) } ?? .inWork
            }
            state.entries[key] = Entry(bodyHash: bodyHash)
            return .proceed
        }
    }

    /// Keeps the answer to a request; without one the key becomes free again.
    package func finish(_ key: IdempotencyKey, with response: Response?, byteCount: Int = 0) {
        let moment = now()
        state.withLock { state in
            guard let response else {
                state.entries[key] = nil
                return
            }
            state.entries[key]?.answer = (response, byteCount, moment + limits.lifetime)
            state.answered.append(key)
            state.byteCount += byteCount
            state.keyByteCount += key.byteCount
            evict(from: &state, at: moment)
        }
    }

    /// Forgets an answer that is not valid any longer.
    package func forget(_ key: IdempotencyKey) {
        state.withLock { state in
            guard let place = state.answered.firstIndex(of: key) else { return }
            state.answered.remove(at: place)
            state.keyByteCount -= key.byteCount
            state.byteCount -= state.entries.removeValue(forKey: key)?.answer?.byteCount ?? 0
        }
    }

    /// Forgets all answers; requests that are being carried out stay.
    package func forgetAll() {
        state.withLock { state in
            for key in state.answered { state.entries[key] = nil }
            (state.answered, state.byteCount, state.keyByteCount) = ([], 0, 0)
        }
    }

    /// Drops answers that are too old or exceed a limit.
    private func evict(from state: inout State, at moment: ContinuousClock.Instant) {
        let gone = state.answered.prefix { key in
            guard let answer = state.entries[key]?.answer else { return true }
            return answer.until <= moment
        }.count
        var count = gone
        var byteCount = state.answered.prefix(gone).reduce(state.byteCount) { $0 - bytes(of: $1, in: state) }
        var keyByteCount = state.answered.prefix(gone).reduce(state.keyByteCount) { $0 - $1.byteCount }
        while state.answered.count - count > limits.count || byteCount > limits.byteCount
            || keyByteCount > limits.keyByteCount
        {
            byteCount -= bytes(of: state.answered[count], in: state)
            keyByteCount -= state.answered[count].byteCount
            count += 1
        }
        for key in state.answered.prefix(count) { state.entries[key] = nil }
        state.answered.removeFirst(count)
        state.byteCount = byteCount
        state.keyByteCount = keyByteCount
    }

    private func bytes(of key: IdempotencyKey, in state: State) -> Int { state.entries[key]?.answer?.byteCount ?? 0 }
}

/// The identity that a repeated request shares with the first one.
///
/// Each part is a separate field: joined into one text, two different callers could be made equal.
package struct IdempotencyKey: Hashable, Sendable {
    let caller: Caller
    /// The user that the header `X-Nexus-User` names.
    let named: String?
    let method: String
    /// Path and query.
    let target: String
    /// The client's own key.
    let key: String

    /// The approximate bytes in both places that keep it; a path may be longer than the answer.
    fileprivate var byteCount: Int {
        2 * (512 + (named?.utf8.count ?? 0) + target.utf8.count + key.utf8.count)
    }

    package init(caller: Caller, named: String?, method: String, target: String, key: String) {
        self.caller = caller
        self.named = named
        self.method = method
        self.target = target
        self.key = key
    }
}

/// The limits of an ``IdempotencyCache``.
package struct IdempotencyLimits: Hashable, Sendable {
    /// The time that an answer is kept.
    package var lifetime: Duration
    /// The most answers.
    package var count: Int
    /// The most bytes of answers.
    package var byteCount: Int
    /// The most bytes of keys, which hold paths.
    package var keyByteCount: Int

    package init(
        lifetime: Duration = .seconds(600), count: Int = 10_000, byteCount: Int = 32 << 20,
        keyByteCount: Int = 16 << 20
    ) {
        self.lifetime = lifetime
        self.count = count
        self.byteCount = byteCount
        self.keyByteCount = keyByteCount
    }
}
