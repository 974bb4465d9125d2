/// How the assistant repeats questions and digests.
package struct ScheduleSettings: Sendable {
    /// The most schedules of a person; 0 for none at all.
    package var limit: Int
    /// A time that came longer ago is left out, as after a time without a server.
    package var lateLimit: Duration
    /// Whether each message is delivered to another system.
    package var isDelivered: Bool
    /// How often a run is tried.
    package var attemptLimit = 3
    /// A run that takes longer is tried again.
    package var lease: Duration
    /// The pause before the second attempt; it grows with each one.
    package var retryPause = Duration.seconds(60)
    /// How many runs there are at the same time.
    package var concurrency = 2

    package init(
        limit: Int = 20, lateLimit: Duration = .seconds(12 * 3_600), isDelivered: Bool = false,
        lease: Duration = .seconds(900)
    ) {
        self.limit = limit
        self.lateLimit = lateLimit
        self.isDelivered = isDelivered
        self.lease = lease
    }
}
