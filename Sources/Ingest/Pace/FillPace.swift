import ChatCore
import Synchronization

/// Bounds how fast generations are filled: messages that were embedded for one push back when the next may be.
///
/// The bound outlasts an early switch; it is forgotten when the backlog is embedded, see
/// `GenerationRepository.endFill(of:)`.
final class FillPace: Sendable {
    private let now: @Sendable () -> Timestamp
    private let next = Mutex<[GenerationNumber: Timestamp]>([:])

    /// Starts with nothing embedded.
    init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    /// How long to leave a generation alone; nil when it may go on.
    func delay(of generation: EmbeddingGeneration) -> Duration? {
        guard rate(of: generation) != nil, let next = next.withLock({ $0[generation.number] }) else { return nil }
        let wait = next.microseconds.subtractingClamped(now().microseconds)
        return wait > 0 ? .microseconds(wait) : nil
    }

    /// The most messages that may be embedded for a generation at a time: about a second's, and one at least.
    func limit(_ count: Int, of generation: EmbeddingGeneration) -> Int {
        guard let rate = rate(of: generation), rate < Double(count) else { return count }
        return max(1, rate.truncated(to: Int.self) ?? 1)
    }

    /// Notes that messages are on their way to be embedded for a generation.
    func note(_ count: Int, of generation: EmbeddingGeneration) {
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
