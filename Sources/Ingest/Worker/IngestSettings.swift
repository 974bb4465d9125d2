/// How the worker works.
public struct IngestSettings: Hashable, Sendable {
    /// The most texts of one request; a message with more takes several, in turns with other messages.
    public var batchItemCount: Int
    /// The most tokens of one request, estimated; a single text may have more.
    public var batchTokenCount: Int
    /// The most requests for backlog at once; what people write now may use one more.
    public var concurrency: Int
    /// The longest sleep between two looks at the queue: a clock that was set delays work by this at most.
    public var pollInterval: Duration
    /// How long a claim holds.
    ///
    /// The worker renews the leases of all that it holds after a third of this, so they need not outlast a request, nor
    /// the many that a halved batch may become: what it works on is never given out again, and what a dead process had
    /// claimed comes back after one such time.
    public var lease: Duration
    /// The longest pause after failures of the store.
    public var pauseLimit: Duration
    /// How often a message is tried whose vector was unusable.
    public var attemptLimit: Int
    /// The pause before the second try of such a message; doubled with each try.
    public var retryDelay: Duration
    /// How many tokens may be embedded on a day (UTC) before the backlog waits for the next; nil for any number.
    public var dailyTokenCap: Int?

    public init(
        batchItemCount: Int = 64, batchTokenCount: Int = 16_000, concurrency: Int = 1,
        pollInterval: Duration = .seconds(60), lease: Duration = .seconds(60),
        pauseLimit: Duration = .seconds(15), attemptLimit: Int = 8, retryDelay: Duration = .seconds(1),
        dailyTokenCap: Int? = nil
    ) {
        self.batchItemCount = batchItemCount
        self.batchTokenCount = batchTokenCount
        self.concurrency = concurrency
        self.pollInterval = pollInterval
        self.lease = lease
        self.pauseLimit = pauseLimit
        self.attemptLimit = attemptLimit
        self.retryDelay = retryDelay
        self.dailyTokenCap = dailyTokenCap
    }

    /// How many messages of a generation are claimed together, so that requests never wait for a claim.
    var pageCount: Int { max(256, 2 * batchItemCount, min(4_096, 2 * concurrency * batchItemCount)) }
    /// The most messages that one transaction stores, so that what is posted meanwhile does not wait for long.
    var commitCount: Int { 512 }
}
