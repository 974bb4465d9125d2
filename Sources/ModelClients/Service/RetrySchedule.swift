public import Foundation

/// When a failed request is sent again: after 0.5 s · 2ⁿ, at most 8 s, less up to a quarter at random; or when the
/// service says, unless that is later than somebody should be kept waiting.
///
/// The figures are those of OpenAI's own client.
public struct RetrySchedule: Sendable {
    /// How often a request is sent at most.
    public var attemptLimit: Int
    /// The longest wait asked for by a service that is obeyed; beyond it the request fails as busy, with that wish.
    public var hintLimit: Duration
    /// Returns a number in 0..<1.
    public var jitter: @Sendable () -> Double
    /// Waits.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// The time of day, for a `Retry-After` that names one.
    public var now: @Sendable () -> Date

    /// Makes a schedule; time and chance can be taken over by tests.
    public init(
        attemptLimit: Int = 4, hintLimit: Duration = .seconds(20),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.attemptLimit = attemptLimit
        self.hintLimit = hintLimit
        self.jitter = jitter
        self.sleep = sleep
        self.now = now
    }

    /// How long to wait after the failure number `attempt` (from 1); nil when it was the last or `hint` is too long.
    func delay(afterAttempt attempt: Int, hint: Duration?) -> Duration? {
        guard attempt < attemptLimit else { return nil }
        if let hint { return hint <= hintLimit ? hint : nil }
        let seconds = min(0.5 * Double(1 << min(attempt - 1, 10)), 8)
        return .milliseconds(Int(seconds * (1 - 0.25 * jitter()) * 1000))
    }
}
