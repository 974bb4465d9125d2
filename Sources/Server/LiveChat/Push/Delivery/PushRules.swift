/// The times and limits of delivery.
public struct PushRules: Sendable {
    /// How long a notification waits, so that a person who reads it at once is not pushed to.
    public var delay: Duration
    /// The pauses after failures, and when a notification is given up.
    public var backoff: PushBackoff
    /// The most notifications that are sent at the same time.
    public var concurrency: Int
    /// The most of them to one host, so that a slow one does not hold up others.
    public var hostConcurrency: Int
    /// The most notifications that wait for one device; earlier ones are given up.
    public var waitingLimit: Int

    public init(
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
