import ChatCore
import Synchronization

/// Counts the tokens of a day against the most that may be embedded on it.
///
/// Requests that are under way count with what they are expected to take.
final class TokenBudget: Sendable {
    private struct State {
        var day = Int.min
        var spent = 0
        var expected = 0
    }

    private let cap: Int?
    private let state = Mutex(State())

    init(cap: Int?) {
        self.cap = cap
    }

    /// The day whose tokens must be read from the store first; nil when they are known.
    func unknownDay(at moment: Timestamp) -> Int? {
        guard cap != nil else { return nil }
        return state.withLock { $0.day == moment.day ? nil : moment.day }
    }

    /// Sets what a day took so far.
    func begin(_ day: Int, spent: Int) {
        state.withLock { state in
            state.day = day
            state.spent = spent
        }
    }

    /// Whether the cap of the present day is reached.
    func isSpent(at moment: Timestamp) -> Bool {
        guard let cap else { return false }
        return state.withLock { $0.day == moment.day && $0.spent + $0.expected >= cap }
    }

    /// Takes note of a request that is sent.
    func expect(_ tokenCount: Int) {
        state.withLock { $0.expected += tokenCount }
    }

    /// Takes note of what it took.
    func settle(expected: Int, spent: Int) {
        state.withLock { state in
            state.expected -= expected
            state.spent += spent
        }
    }
}
