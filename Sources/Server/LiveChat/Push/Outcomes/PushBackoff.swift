/// How long to wait before a notification is sent again.
///
/// New notifications of a device wait with it: they must not get around the pause.
package struct PushBackoff: Sendable {
    /// The pause after the first failure.
    package var first: Duration
    /// The longest pause, unless the service asks for a longer one.
    package var longest: Duration
    /// When a notification is given up, counted from its first attempt.
    package var limit: Duration

    package init(
        first: Duration = .seconds(1), longest: Duration = .seconds(3_600), limit: Duration = .seconds(86_400)
    ) {
        self.first = first
        self.longest = longest
        self.limit = limit
    }

    /// Returns the pause before the next attempt; nil if the notification is given up.
    ///
    /// - Parameters:
    ///   - failureCount: How often it failed in sequence, 1 or more.
    ///   - asked: The pause that the service asked for, with ``PushOutcome/retry(after:)``.
    ///   - age: The time since the first attempt.
    /// - Returns: The longer one of the doubled pause and `asked`.
    /// - Precondition: `failureCount` is at least 1.
    package func pause(afterFailures failureCount: Int, asked: Duration? = nil, age: Duration) -> Duration? {
        precondition(failureCount >= 1, "a pause follows a failure")
        var pause = first
        var count = failureCount
        while count > 1, pause < longest {
            pause *= 2
            count -= 1
        }
        pause = max(min(pause, longest), asked ?? .zero)
        return age + pause < limit ? pause : nil
    }
}
