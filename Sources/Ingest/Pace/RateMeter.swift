import ChatCore
import Synchronization

/// Counts messages over the last minute, second by second.
final class RateMeter: Sendable {
    private static let window: Int64 = 60

    private struct State {
        var counts: [(second: Int64, count: Int)] = []
        /// When the present stretch of work began.
        var start: Int64?
    }

    private let states = Mutex<[GenerationNumber: State]>([:])

    /// Adds messages that were stored.
    func note(_ count: Int, of generation: GenerationNumber, at moment: Timestamp) {
        let second = moment.milliseconds / 1_000
        states.withLock { states in
            var state = states[generation] ?? State()
            // After a pause the time begins anew: an idle night is no slow embedding.
            if state.counts.last.map({ second - $0.second > Self.window }) ?? true {
                state = State(start: second)
            }
            if state.counts.last?.second == second {
                state.counts[state.counts.count - 1].count += count
            } else {
                state.counts.append((second, count))
            }
            state.counts.removeAll { $0.second <= second - Self.window }
            states[generation] = state
        }
    }

    /// Messages a second over the last minute, or since the embedding began if that is shorter; 0 when there were none.
    func rate(of generation: GenerationNumber, at moment: Timestamp) -> Double {
        let second = moment.milliseconds / 1_000
        return states.withLock { states in
            guard let state = states[generation], let start = state.start else { return 0 }
            let count = state.counts.reduce(0) { $1.second > second - Self.window ? $0 + $1.count : $0 }
            return Double(count) / Double(max(1, min(Self.window, second - start + 1)))
        }
    }
}
