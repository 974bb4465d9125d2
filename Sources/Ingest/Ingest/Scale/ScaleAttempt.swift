/// When the scale of a generation's space may be measured again in a run of the worker.
struct ScaleAttempt {
    /// The longest pause.
    private static let longest = Duration.seconds(3_600)

    private var failureCount = 0
    /// When it is tried again; nil while it is measured, and when nothing remains to be tried.
    private(set) var due: ContinuousClock.Instant?

    func isDue(at moment: ContinuousClock.Instant) -> Bool { due.map { $0 <= moment } ?? false }

    mutating func begin() { due = nil }

    /// Plans the next attempt, after a pause that doubles with each failure.
    mutating func fail(at moment: ContinuousClock.Instant, delay: Duration) {
        due = moment + min(Self.longest, delay * (1 << min(failureCount, 20)))
        failureCount += 1
    }
}
