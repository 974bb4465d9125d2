/// The times and limits of delivery.
package struct PushRules: Sendable {
    /// How long a notification waits, so that a person who reads it at once is not pushed to.
    package var delay: Duration
    /// The pauses after failures, and when a notification is given up.
    package var backoff: PushBackoff
    /// The most notifications that are sent at the same time.
    package var concurrency: Int
    /// The most of them to one host, so that a slow one does not hold up others.
    package var hostConcurrency: Int
    /// The most notifications that wait for one device; earlier ones are given up.
    package var waitingLimit: Int

    package init(
        delay: Duration = .seconds(2), backoff: PushBackoff = PushBackoff(), concurrency: Int = 16,
        hostConcurrency: Int = 4, waitingLimit: Int = 1_000
    ) {
        self.delay = delay
        self.backoff = backoff
        self.concurrency = concurrency
        self.hostConcurrency = hostConcurrency
        self.waitingLimit = waitingLimit
    }
}
