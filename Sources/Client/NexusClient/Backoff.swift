/// The waits between attempts: 1, 2, 4, 8, 16, 30 s with full jitter.
struct Backoff {
    private static let steps = [1.0, 2, 4, 8, 16, 30]
    /// The longest wait that a server may ask for.
    private static let longestAsked = 300

    private var attempt = 0

    /// Returns the next wait.
    ///
    /// - Parameters:
    ///   - retryAfter: The seconds that the server asked for; the wait is not shorter.
    ///   - share: A random number in 0...1.
    /// - Returns: The time to wait.
    mutating func next(retryAfter: Int? = nil, share: Double) -> Duration {
        let step = Self.steps[min(attempt, Self.steps.count - 1)]
        attempt = min(attempt + 1, Self.steps.count)
        let asked = Duration.seconds(min(max(retryAfter ?? 0, 0), Self.longestAsked))
        return max(.seconds(step * share), asked)
    }

    mutating func reset() { attempt = 0 }
}

/// Time and chance, as a session uses them.
public struct SessionTiming: Sendable {
    /// Waits.
    public var sleep: @Sendable (Duration) async throws -> Void
    /// The time since some fixed moment.
    public var elapsed: @Sendable () -> Duration
    /// Returns a random number in 0...1.
    public var share: @Sendable () -> Double

    public init(
        sleep: @escaping @Sendable (Duration) async throws -> Void, elapsed: @escaping @Sendable () -> Duration,
        share: @escaping @Sendable () -> Double
    ) {
        self.sleep = sleep
        self.elapsed = elapsed
        self.share = share
    }

    /// The system's clock and generator.
    public static var system: SessionTiming {
        let start = ContinuousClock.now
        return SessionTiming(
            sleep: { try await Task.sleep(for: $0) }, elapsed: { start.duration(to: .now) },
            share: { Double.random(in: 0...1) })
    }
}
