import ChatCore
import Synchronization

/// Limits how fast generations are filled: embedded messages delay the next ones.
///
/// The limit stays after an early switch. It ends when the backlog is embedded, see
/// `GenerationRepository.endFill(of:)`.
final class FillPace: Sendable {
    private let now: @Sendable () -> Timestamp
    private let next = Mutex<[GenerationNumber: Timestamp]>([:])

    init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    /// How long a generation must pause; nil when it may continue.
    func delay(of generation: EmbeddingGeneration) -> Duration? {
        guard rate(of: generation) != nil, let next = next.withLock({ $0[generation.number] }) else { return nil }
        let wait = next.microseconds.subtractingClamped(now().microseconds)
        return wait > 0 ? .microseconds(wait) : nil
    }

    /// The most messages that may be embedded for a generation at a time: those of about one second, and at least one.
    func limit(_ count: Int, of generation: EmbeddingGeneration) -> Int {
        guard let rate = rate(of: generation), rate < Double(count) else { return count }
        return max(1, rate.truncated(to: Int.self) ?? 1)
    }

    /// Notes that messages are being embedded for a generation.
    func count(_ count: Int, of generation: EmbeddingGeneration) {
        guard let rate = rate(of: generation), count > 0 else { return }
        let moment = now()
        next.withLock { next in
            let start = max(moment, next[generation.number] ?? moment)
            let length = (Double(count) / rate * 1_000_000).truncated(to: Int64.self) ?? .max
            next[generation.number] = start + .microseconds(length)
        }
    }

    private func rate(of generation: EmbeddingGeneration) -> Double? {
        generation.fillRate.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Counts messages over the last minute, second by second.
final class RateMeter: Sendable {
    private static let window: Int64 = 60

    private struct State {
        var counts: [(second: Int64, count: Int)] = []
        /// The start of the current period of work.
        var start: Int64?
    }

    private let states = Mutex<[GenerationNumber: State]>([:])

    /// Adds messages that were stored.
    func count(_ count: Int, of generation: GenerationNumber, at moment: Timestamp) {
        let second = moment.milliseconds / 1_000
        states.withLock { states in
            var state = states[generation] ?? State()
            // After a pause the period begins again, because an idle night is not slow embedding.
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
